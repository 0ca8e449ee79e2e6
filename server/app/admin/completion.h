// What a shell offers after `fuhyo admin`, out of the table of commands. Pure.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::app {

struct Completions {
  std::vector<std::string> words;
  std::string ask;  // a command of the server whose first column completes, too; empty: none
};
// `before`: the words between `admin` and the one that is being typed.
Completions completions(const std::vector<std::string>& before);

}  // namespace fuhyo::app
