#include "server/csa/command.h"

#include <algorithm>
#include <vector>

namespace fuhyo::csa {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    if (line.empty()) return words;
    std::size_t n = 0;
    while (n < line.size() && !is_space(line[n])) ++n;
    words.push_back(line.substr(0, n));
    line.remove_prefix(n);
  }
}

// The first word after a prefix that white space must follow; empty if there is none.
std::string first_argument(std::string_view rest) {
  if (rest.empty() || !is_space(rest.front())) return {};
  const auto words = words_of(rest);
  return words.empty() ? std::string{} : std::string(words.front());
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

MoveLine parse_move_line(std::string_view line) {
  MoveLine result{.move = {}, .comment = {}, .line = std::string(line)};
  const std::size_t comma = line.find(',');
  result.move = line.substr(0, comma);
  if (comma == std::string_view::npos) return result;
  std::string_view field = line.substr(comma + 1);
  field = field.substr(0, field.find(','));
  if (field.starts_with('\'')) result.comment = field.substr(1);
  return result;
}

// `rest` is what follows "%%GAME" or "%%CHALLENGE".
Command parse_game(std::string_view line, std::string_view rest, bool challenge) {
  const auto words = words_of(rest);
  if (words.empty()) return challenge ? Command{Unknown{std::string(line)}} : Command{StopWaiting{}};
  if (!is_space(rest.front())) return Unknown{std::string(line)};
  const bool sign = words.size() == 2 && (words[1] == "+" || words[1] == "-" || words[1] == "*");
  if (!sign) return TurnMissing{std::string(line)};
  return Game{std::string(words[0]), static_cast<Turn>(words[1].front()), challenge};
}

Command parse_unknown(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() > 2 && words.front() == "LOGIN") return Unknown{"LOGIN " + std::string(words[1]) + "..."};
  return Unknown{std::string(line)};
}

Command parse_extended(std::string_view line) {
  const auto after = [&](std::string_view prefix) { return line.substr(prefix.size()); };
  if (line.starts_with("%%GAME")) return parse_game(line, after("%%GAME"), false);
  if (line.starts_with("%%CHALLENGE")) return parse_game(line, after("%%CHALLENGE"), true);
  if (line.starts_with("%%LIST")) return List{};
  if (line.starts_with("%%WHO")) return Who{};
  if (line.starts_with("%%HELP")) return Help{};
  if (line.starts_with("%%VERSION")) return Version{};
  if (line == "%%ADMIN" || line.starts_with("%%ADMIN ")) return Admin{trimmed(after("%%ADMIN"))};
  if (line.size() > 3 && line[2] == '%' && line[3] != '%') return Ignored{};
  return parse_unknown(line);
}

}  // namespace

bool is_identifier(std::string_view text, std::size_t max) {
  const auto good = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
           c == '-' || c == '.';
  };
  return !text.empty() && text.size() <= max && std::ranges::all_of(text, good);
}

std::expected<Login, LoginRefused> parse_login(std::string_view line, std::size_t max_identifier) {
  const auto words = words_of(line);
  const LoginRefused refused{.hint = words.size() >= 4};
  const bool shape = words.size() == 3 || (words.size() == 4 && words[3] == "x1");
  if (!shape || words[0] != "LOGIN" || !is_identifier(words[1], max_identifier)) return std::unexpected(refused);
  return Login{std::string(words[1]), std::string(words[2]), words.size() == 4};
}

Command parse(std::string_view line) {
  if (line.empty()) return KeepAlive{};
  if (std::ranges::all_of(line, is_space)) return Blank{};
  const char second = line.size() > 1 ? line[1] : '\0';
  if ((line[0] == '+' || line[0] == '-') && line.size() > 1 && second != '%') return parse_move_line(line);
  if (line[0] == '%' && second == '%') return parse_extended(line);
  if (line[0] == '%' && line.size() > 1) return Special{std::string(line)};
  if (line.starts_with("REJECT")) return Reject{first_argument(line.substr(6))};
  if (line.starts_with("AGREE")) return Agree{first_argument(line.substr(5))};
  if (line.starts_with("LOGOUT")) return Logout{};
  if (line.starts_with("CHALLENGE")) return Challenge{};
  return parse_unknown(line);
}

}  // namespace fuhyo::csa
