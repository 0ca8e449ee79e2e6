#include "server/app/admin/completion.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "server/core/admin/verbs.h"

namespace fuhyo::app {

Completions completions(const std::vector<std::string>& before) {
  Completions found;
  const auto offer_commands = [&] {
    for (const core::AdminVerb& verb : core::admin_verbs()) found.words.emplace_back(verb.verb);
  };
  if (before.empty()) {
    offer_commands();
    for (const char* own : {"operator", "worker"}) found.words.emplace_back(own);
    return found;
  }
  const std::string& first = before.front();
  if ((first == "operator" || first == "worker") && before.size() == 1) found.words = {"add"};
  const core::AdminVerb* verb = core::find_admin_verb(first);
  if (verb == nullptr || before.size() > std::size(verb->completions)) return found;
  const core::AdminCompletion& word = verb->completions[before.size() - 1];
  for (std::string_view fixed = word.fixed; !fixed.empty();) {
    const std::size_t end = std::min(fixed.find('|'), fixed.size());
    found.words.emplace_back(fixed.substr(0, end));
    fixed.remove_prefix(std::min(end + 1, fixed.size()));
  }
  if (word.ask == "help") {
    offer_commands();
  } else {
    found.ask = word.ask;
  }
  return found;
}

}  // namespace fuhyo::app
