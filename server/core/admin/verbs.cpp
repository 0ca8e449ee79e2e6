#include "server/core/admin/verbs.h"

#include <algorithm>

#include "server/core/admin/admin_commands.h"
#include "server/core/spelling.h"

namespace fuhyo::core {
namespace {

using enum Role;

constexpr AdminVerb kVerbs[] = {
#include <made/admin_table.inc>
};

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case player:
      return "player";
    case host:
      return "host";
    case admin:
      return "admin";
  }
  return "";
}

std::optional<Role> role_named(std::string_view word) {
  for (const Role role : {player, host, admin}) {
    if (to_string(role) == word) return role;
  }
  return std::nullopt;
}

std::span<const AdminVerb> admin_verbs() { return kVerbs; }

const AdminVerb* find_admin_verb(std::string_view verb) {
  const auto found = std::ranges::find(kVerbs, verb, &AdminVerb::verb);
  return found == std::end(kVerbs) ? nullptr : found;
}

const AdminVerb* admin_verb_of(std::string_view line) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  const auto begin = std::ranges::find_if_not(line, blank);
  std::string word(begin, std::ranges::find_if(begin, line.end(), blank));
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return find_admin_verb(word.empty() ? "help" : std::string_view(word));
}

const AdminVerb* nearest_admin_verb(std::string_view word) {
  constexpr std::size_t kNear = 2;
  const AdminVerb* nearest =
      std::ranges::min_element(kVerbs, {}, [word](const AdminVerb& each) { return distance(word, each.verb); });
  if (distance(word, nearest->verb) <= kNear) return nearest;
  const auto begins = [&](const AdminVerb& each) {
    return word.size() > each.verb.size() && word.starts_with(each.verb) && word[each.verb.size()] == '-';
  };
  const auto* found = std::ranges::find_if(kVerbs, begins);
  return found == std::end(kVerbs) ? nullptr : found;
}

}  // namespace fuhyo::core
