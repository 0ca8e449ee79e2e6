#include "server/app/admin/completion.h"

#include <algorithm>

#include "server/core/admin/verbs.h"

namespace fuhyo::app {
namespace {

// The n-th word of a synopsis, without its brackets; empty: there is none.
std::string word_of(std::string_view synopsis, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0 && at < synopsis.size(); --n) at = std::min(synopsis.find(' ', at), synopsis.size() - 1) + 1;
  std::string word(synopsis.substr(at, synopsis.find(' ', at) - at));
  std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
  return word;
}

bool is_literal(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == ':'; });
}

// The command whose table has in its first column the names that one may be.
std::string whose_names(std::string_view verb) {
  if (verb == "allow") return "forbidden";
  if (verb == "unseat") return "engines";
  return verb == "worker-drop" ? "workers" : "sessions";
}

}  // namespace

Completions completions(const std::vector<std::string>& before) {
  Completions found;
  if (before.empty()) {
    for (const core::AdminVerb& verb : core::admin_verbs()) found.words.emplace_back(verb.verb);
    for (const char* own : {"operator", "worker"}) found.words.emplace_back(own);
    return found;
  }
  const std::string& first = before.front();
  if ((first == "operator" || first == "worker") && before.size() == 1) found.words = {"add"};
  const core::AdminVerb* verb = core::find_admin_verb(first);
  if (verb == nullptr) return found;
  const std::string wanted = word_of(verb->synopsis, before.size() - 1);
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t end = std::min(wanted.find('|', at), wanted.size());
    const std::string word = wanted.substr(at, end - at);
    at = end + 1;
    if (is_literal(word)) {
      found.words.push_back(word);
    } else if (word == "GAME") {
      found.ask = "games";
    } else if (word == "NAME" || word == "BLACK" || word == "WHITE") {
      found.ask = whose_names(verb->verb);
    } else if (word == "COMMAND") {
      for (const core::AdminVerb& other : core::admin_verbs()) found.words.emplace_back(other.verb);
    }
  }
  return found;
}

}  // namespace fuhyo::app
