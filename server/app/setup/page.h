// The questions of `fuhyo setup` as a form for a browser of this machine.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/app/setup/files.h"
#include "server/app/setup/questions.h"
#include "server/app/setup/report.h"

namespace fuhyo::app {

// HTML: the form with its initial answers. `style`: the path of its style; may be empty. `checked`: what is wrong with
// the answers is said.
std::string setup_form(const Asking& asking, std::string_view style, bool checked);
// HTML: what the terminal says in the end.
std::string setup_form_end(const SetupEnd& end, std::string_view style, Language language);

// Serves the form on a free port of 127.0.0.1, under a path that nobody can guess and standard output tells, until good
// answers have come and their files are written, or cannot be. Blocks. An error: it cannot be served.
std::expected<SetupEnd, std::string> ask_on_page(const Asking& asking, const SetupPlace& place);

}  // namespace fuhyo::app
