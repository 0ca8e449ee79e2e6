#include "server/csa/command.h"

#include <algorithm>
#include <charconv>
#include <utility>
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

// The number at the front of `text`; nothing if there is none. As much as fits: nobody counts so far.
std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return INT64_MAX;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  return number;
}

// "%%SETBUOY name moves [count]". What follows the moves is a count, and without digits it counts as 0 (shogi-server).
Command parse_set_buoy(std::string_view line, const std::vector<std::string_view>& words) {
  if (words.size() < 2) return Unknown{std::string(line)};
  const std::int64_t count = words.size() == 2 ? 1 : leading_number(words[2]).value_or(0);
  return SetBuoy{std::string(words[0]), std::string(words[1]), count};
}

// "%%SETBUOYSFEN name [sfen] <board> <b|w> <hand> [ply] [moves] [count]": a last word of digits after the ply is the
// count.
Command parse_set_buoy_sfen(std::string_view line, const std::vector<std::string_view>& words) {
  if (words.size() < 2) return Unknown{std::string(line)};
  SetBuoySfen result{.name = std::string(words[0]), .position = {}, .count = 1};
  std::size_t end = words.size();
  std::size_t least = 2;  // words that a count can follow
  if (words[least - 1] == "position" && least < end) ++least;
  if (words[least - 1] == "sfen" && least < end) ++least;
  if (words[least - 1] != "startpos") least += 3;
  const auto all_digits = [](std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (end > least && all_digits(words.back())) {
    result.count = leading_number(words.back()).value_or(0);
    --end;
  }
  for (std::size_t i = 1; i < end; ++i) {
    if (i > 1) result.position += ' ';
    result.position += words[i];
  }
  return result;
}

// "%%FORK game [name [ply]]"
Command parse_fork(std::string_view line, const std::vector<std::string_view>& words) {
  if (words.empty()) return Unknown{std::string(line)};
  Fork fork{.game_id = std::string(words[0]), .name = {}, .ply = {}};
  if (words.size() > 1) fork.name = words[1];
  if (words.size() > 2) fork.ply = leading_number(words[2]);
  return fork;
}

Command parse_chat(std::string_view line, std::string_view rest) {
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  if (rest.empty()) return Unknown{std::string(line)};
  return Chat{std::string(rest)};
}

// "%%ROOM SET name what follows"
Command parse_room(std::string_view line, std::string_view rest) {
  using Verb = RoomCommand::Verb;
  constexpr std::pair<std::string_view, Verb> kVerbs[] = {
      {"LIST", Verb::list}, {"SHOW", Verb::show}, {"JOIN", Verb::join},  {"LEAVE", Verb::leave},
      {"NEW", Verb::make},  {"SET", Verb::set},   {"CLOSE", Verb::close}};
  const auto take = [&rest] {
    rest.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(rest, is_space) - rest.begin()));
    const auto end = std::ranges::find_if(rest, is_space) - rest.begin();
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end));
    rest.remove_prefix(word.size());
    return word;
  };
  const std::string_view word = take();
  const auto* verb = std::ranges::find(kVerbs, word, &std::pair<std::string_view, Verb>::first);
  if (verb == std::end(kVerbs)) return Unknown{std::string(line)};
  RoomCommand command{.verb = verb->second, .name = {}, .rest = {}};
  if (command.verb == Verb::list || command.verb == Verb::leave) return command;
  command.name = take();
  command.rest = trimmed(rest);
  return command.name.empty() ? Command{Unknown{std::string(line)}} : Command{command};
}

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// "%%TOURNAMENT TABLE what follows", or "table": hosts type it as the shell's command.
Command parse_tournament(std::string_view line, std::string_view rest) {
  const auto words = words_of(rest);
  if (words.empty()) return Unknown{std::string(line)};
  TournamentCommand command{.verb = std::string(words.front()), .rest = {}};
  std::ranges::transform(command.verb, command.verb.begin(), upper);
  rest.remove_prefix(static_cast<std::size_t>(words.front().data() - rest.data()) + words.front().size());
  command.rest = trimmed(rest);
  return command;
}

// Commands whose first word is one argument and nothing else counts.
template <class C>
Command with_one(std::string_view line, const std::vector<std::string_view>& words, C command,
                 std::string C::* argument) {
  if (words.empty()) return Unknown{std::string(line)};
  command.*argument = words.front();
  return command;
}

// Commands that take words; nothing if `line` is none of them. White space must follow the name.
std::optional<Command> parse_with_words(std::string_view line) {
  const std::size_t name_end =
      std::min(line.size(), static_cast<std::size_t>(std::ranges::find_if(line, is_space) - line.begin()));
  const std::string_view name = line.substr(2, name_end - 2);
  const std::string_view rest = line.substr(name_end);
  const auto words = words_of(rest);
  if (name == "SHOW") return with_one(line, words, Show{}, &Show::game_id);
  if (name == "MONITORON") return with_one(line, words, Monitor{{}, false, true}, &Monitor::game_id);
  if (name == "MONITOROFF") return with_one(line, words, Monitor{{}, false, false}, &Monitor::game_id);
  if (name == "MONITOR2ON") {
    const bool comments = words.size() > 1 && words[1] == "comments";
    return with_one(line, words, Monitor{{}, true, true, comments}, &Monitor::game_id);
  }
  if (name == "MONITOR2OFF") return with_one(line, words, Monitor{{}, true, false}, &Monitor::game_id);
  if (name == "CHAT") return parse_chat(line, rest);
  if (name == "ROOM") return parse_room(line, rest);
  if (name == "TOURNAMENT") return parse_tournament(line, rest);
  if (name == "SETBUOY") return parse_set_buoy(line, words);
  if (name == "SETBUOYSFEN") return parse_set_buoy_sfen(line, words);
  if (name == "DELETEBUOY") return with_one(line, words, DeleteBuoy{}, &DeleteBuoy::name);
  if (name == "GETBUOYCOUNT") return with_one(line, words, GetBuoyCount{}, &GetBuoyCount::name);
  if (name == "FORK") return parse_fork(line, words);
  if (name == "BUOYS") return Buoys{words.empty() ? std::string{} : std::string(words.front())};
  return std::nullopt;
}

// Where "login" stands in the line, in any case; npos: nowhere.
std::size_t find_login(std::string_view line) {
  constexpr std::string_view kLogin = "LOGIN";
  const auto found = std::ranges::search(line, kLogin, {}, upper);
  return found.empty() ? std::string_view::npos : static_cast<std::size_t>(found.begin() - line.begin());
}

// What follows the name of something like a LOGIN may be a password, and is not shown.
Command parse_unknown(std::string_view line) {
  constexpr std::size_t kLogin = 5;
  const std::size_t at = find_login(line);
  if (at == std::string_view::npos) return Unknown{std::string(line)};
  const auto words = words_of(line.substr(at + kLogin));
  if (words.size() < 2) return Unknown{std::string(line)};
  return Unknown{std::string(line.substr(0, at)) + "LOGIN " + std::string(words[0]) + "..."};
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
  if (line.starts_with("%%RATING")) return Rating{};
  if (auto command = parse_with_words(line)) return std::move(*command);
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

bool is_other_protocol(std::string_view line) {
  constexpr std::size_t kVersion = std::string_view(" HTTP/x.y").size();
  const bool http = line.size() >= kVersion && line.substr(line.size() - kVersion).starts_with(" HTTP/");
  return http || line.contains('\0') || line.starts_with("\x16\x03") || line.starts_with("SSH-");
}

std::expected<Login, LoginRefused> parse_login(std::string_view line, std::size_t max_identifier) {
  const auto words = words_of(line);
  const LoginRefused refused{.hint = words.size() >= 4};
  constexpr std::string_view kReconnect = "reconnect:";
  const bool reconnect = words.size() == 4 && words[3].starts_with(kReconnect) && words[3] != kReconnect;
  const bool x1 = words.size() == 4 && words[3] == "x1";
  const bool shape = words.size() == 3 || x1 || reconnect;
  if (!shape || words[0] != "LOGIN" || !is_identifier(words[1], max_identifier)) return std::unexpected(refused);
  return Login{.name = std::string(words[1]),
               .password = Secret(words[2]),
               .x1 = x1,
               .reconnect = reconnect ? std::string(words[3].substr(kReconnect.size())) : std::string()};
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
