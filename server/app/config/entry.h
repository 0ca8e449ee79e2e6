// Which games ask what of their players, as the configuration says it. Any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/logins/accounts.h"

namespace fuhyo::app {

// "games=club-* accounts=open|claim|closed players=ann,bob tls=yes|no", in any order; `players` may be left out:
// everybody, and so may `tls`: no.
std::expected<core::EntryRule, std::string> parse_entry(std::string_view line);

// Names that pass for somebody who runs the server.
const std::vector<std::string>& usual_reserved_names();

}  // namespace fuhyo::app
