// What `fuhyo setup` says in the end. Any thread.
#pragma once

#include <string>

#include "server/app/config/operators.h"
#include "server/app/setup/files.h"
#include "server/app/setup/questions.h"

namespace fuhyo::app {

// "http://192.168.50.1:8081"
std::string setup_page(const Answers& answers, const SetupPlace& place);
// The secret, which nothing keeps; the commands that come next; what to give to players.
std::string setup_report(const Answers& answers, const SetupPlace& place, const NewOperator& host, Language language);

}  // namespace fuhyo::app
