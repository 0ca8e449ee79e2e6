// What `fuhyo setup` does and says in the end. Any thread.
#pragma once

#include <string>

#include "server/app/config/operators.h"
#include "server/app/setup/files.h"
#include "server/app/setup/questions.h"

namespace fuhyo::app {

// The secret, which nothing keeps; the commands that come next; what to give to players.
std::string setup_report(const Answers& answers, const SetupPlace& place, const NewOperator& host, Language language);

struct SetupEnd {
  int code = 0;      // to exit with
  std::string said;  // the report, or what is wrong
  std::string page;  // for phones, "http://192.168.50.1:8081"; empty: there is none
};
// Writes the files, with a new operator.
SetupEnd set_up(const Answers& answers, const SetupPlace& place, Language language);

}  // namespace fuhyo::app
