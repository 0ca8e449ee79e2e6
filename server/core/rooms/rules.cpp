#include "server/core/rooms/rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "engines/record/encoding.h"
#include "engines/shogi/number.h"
#include "server/core/buoys/start_position.h"
#include "server/core/limits.h"
#include "server/core/rooms/claims.h"
#include "server/core/spelling.h"
#include "server/core/tournament/event.h"
#include "server/csa/game_name.h"

namespace fuhyo::core {
namespace {

using Fine = std::expected<void, std::string>;

constexpr std::size_t kLongestName = 32, kShown = 40;  // of a room; of what is repeated in an error
constexpr std::int32_t kMostMoves = 4096, kMostSeconds = 3600;

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }

Fine read_number(std::optional<std::int32_t>& out, std::string_view text, std::int32_t most) {
  const auto number = shogi::number_of<std::int32_t>(text);
  if (!number || *number < 0 || *number > most) {
    return wrong(fmt::format("'{}' is no number from 0 to {}", text, most));
  }
  out = number;
  return {};
}
std::string number_text(const std::optional<std::int32_t>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

Fine read_flag(bool& out, std::string_view text) {
  if (text != "yes" && text != "no") return wrong(fmt::format("'{}' is neither yes nor no", text));
  out = text == "yes";
  return {};
}

Fine read_names(std::vector<std::string>& out, std::string_view text, std::size_t most) {
  out.clear();
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    if (!csa::is_identifier(name, kMostIdentifier)) return wrong(fmt::format("'{}' is no name of a player", name));
    const auto same = [key = name_key(name)](const std::string& other) { return name_key(other) == key; };
    if (std::ranges::any_of(out, same)) return wrong(fmt::format("{} is named twice, or looks like another one", name));
    if (out.size() == most) return wrong(fmt::format("more than {} names", most));
    out.emplace_back(name);
  }
  return {};
}

Fine read_title(std::string& out, std::string_view text) {
  if (text.size() > RoomRules::kLongestTitle) return wrong(fmt::format("more than {} bytes", RoomRules::kLongestTitle));
  const bool control = std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (control || !record::is_utf8(text)) return wrong("is no text in UTF-8");
  out = text;
  return {};
}

Fine read_games(std::string& out, std::string_view text) {
  const auto plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (text.size() > RoomRules::kLongestPattern || !std::ranges::all_of(text, plain)) {
    return wrong(fmt::format("'{}' fits no game name", text));
  }
  if (!text.contains('*') && !csa::parse_game_name(text, kMostIdentifier)) {
    return wrong(fmt::format("'{}' is no game name, such as club-900-10F; club-* claims all that begin so", text));
  }
  out = text;
  return {};
}

Fine read_start(std::string& out, std::string_view text) {
  if (text.size() > RoomRules::kLongestStart) return wrong("is too long");
  const std::string_view kind = text.substr(0, text.find(' '));
  const bool named = kind == "set" || kind == "buoy";
  if (named && text.size() <= kind.size() + 1) return wrong(fmt::format("which {}?", kind));
  if (!named) {
    if (const auto start = read_start_position(text); !start) return wrong(start.error());
  }
  out = text;
  return {};
}

// "public", "hidden", "seconds:60", "moves:3"
Fine read_visibility(std::optional<SpectatorDelay>& out, std::string_view text) {
  if (text == "public" || text == "hidden") {
    out = SpectatorDelay{.seconds = 0, .moves = 0, .hidden = text == "hidden"};
    return {};
  }
  const bool seconds = text.starts_with("seconds:"), moves = text.starts_with("moves:");
  if (!seconds && !moves) return wrong(fmt::format("'{}' is none of: public, hidden, seconds:N, moves:N", text));
  std::optional<std::int32_t> much;
  const std::int32_t most = seconds ? SpectatorDelay::kMostSeconds : SpectatorDelay::kMostMoves;
  if (auto fine = read_number(much, text.substr(text.find(':') + 1), most); !fine) return fine;
  SpectatorDelay delay;
  (seconds ? delay.seconds : delay.moves) = *much;
  out = delay;
  return {};
}
template <class E>
Fine read_choice(E& out, std::string_view text, std::string_view first, std::string_view second) {
  if (text != first && text != second) return wrong(fmt::format("'{}' is neither {} nor {}", text, first, second));
  out = static_cast<E>(text == first ? 0 : 1);
  return {};
}

template <class E>
std::string word_text(const std::optional<E>& value) {
  return value ? std::string(to_string(*value)) : std::string();
}
// `words`: those that `value_of` knows.
template <class E>
Fine read_word(std::optional<E>& out, std::string_view text, std::optional<E> (*value_of)(std::string_view),
               std::string_view words) {
  out = value_of(text);
  return out ? Fine{} : wrong(fmt::format("'{}' is none of: {}", text, words));
}
Fine read_time_rule(std::optional<TimeRule>& out, std::string_view text) {
  out = read_time(text);
  return out ? Fine{} : wrong(fmt::format("'{}' is no time, such as 900-10F, 1500-060 or 0-0", text));
}
Fine read_declaration(std::optional<shogi::DeclarationRule>& out, std::string_view text) {
  return read_word(out, text, tournament::parse_declaration, "27, 27-handicap, 24, 24-handicap, try, none");
}
Fine read_rulebook(Rulebook& out, std::string_view text) {
  const auto found = tournament::parse_rulebook(text);
  if (found) out = *found;
  return found ? Fine{} : wrong(fmt::format("'{}' is neither shogi-server nor official", text));
}
std::string optional_time_text(const std::optional<TimeRule>& time) { return time ? time_text(*time) : std::string(); }

// A setting that is not told has no text.
struct Key {
  std::string_view key;
  Fine (*read)(RoomRules&, std::string_view);
  std::string (*text)(const RoomRules&);
};
using R = RoomRules;
using Text = std::string_view;
constexpr Key kKeys[] = {
    {"games", [](R& r, Text t) { return read_games(r.games, t); }, [](const R& r) { return r.games; }},
    {"title-ja", [](R& r, Text t) { return read_title(r.title_ja, t); }, [](const R& r) { return r.title_ja; }},
    {"title-en", [](R& r, Text t) { return read_title(r.title_en, t); }, [](const R& r) { return r.title_en; }},
    {"time", [](R& r, Text t) { return read_time_rule(r.time, t); },
     [](const R& r) { return optional_time_text(r.time); }},
    {"time-black", [](R& r, Text t) { return read_time_rule(r.time_black, t); },
     [](const R& r) { return optional_time_text(r.time_black); }},
    {"time-white", [](R& r, Text t) { return read_time_rule(r.time_white, t); },
     [](const R& r) { return optional_time_text(r.time_white); }},
    {"max-moves", [](R& r, Text t) { return read_number(r.max_moves, t, kMostMoves); },
     [](const R& r) { return number_text(r.max_moves); }},
    {"least-time-per-move", [](R& r, Text t) { return read_number(r.least_time_s, t, kMostSeconds); },
     [](const R& r) { return number_text(r.least_time_s); }},
    {"declaration", [](R& r, Text t) { return read_declaration(r.declaration, t); },
     [](const R& r) { return r.declaration ? std::string(tournament::to_string(*r.declaration)) : std::string(); }},
    {"rules", [](R& r, Text t) { return read_rulebook(r.rulebook, t); },
     [](const R& r) {
       return std::string(r.rulebook == Rulebook::shogi_server ? "" : tournament::to_string(r.rulebook));
     }},
    {"start", [](R& r, Text t) { return read_start(r.start, t); }, [](const R& r) { return r.start; }},
    {"accounts", [](R& r, Text t) { return read_word(r.accounts, t, account_policy_of, "open, claim, closed"); },
     [](const R& r) { return word_text(r.accounts); }},
    {"players", [](R& r, Text t) { return read_names(r.players, t, R::kMostPlayers); },
     [](const R& r) { return fmt::format("{}", fmt::join(r.players, ",")); }},
    {"tls", [](R& r, Text t) { return read_flag(r.tls.emplace(), t); },
     [](const R& r) {
       return std::string(!r.tls ? "" : *r.tls ? "yes" : "no");
     }},
    {"browsers", [](R& r, Text t) { return read_word(r.browsers, t, browser_policy_of, "anybody, accounts, nobody"); },
     [](const R& r) { return word_text(r.browsers); }},
    {"visibility", [](R& r, Text t) { return read_visibility(r.showing, t); },
     [](const R& r) { return visibility_text(r.showing); }},
    {"comments", [](R& r, Text t) { return read_word(r.comments, t, comments_of, "never, after, live"); },
     [](const R& r) { return word_text(r.comments); }},
    {"rated", [](R& r, Text t) { return read_flag(r.rated, t); },
     [](const R& r) { return std::string(r.rated ? "" : "no"); }},
    {"builtin", [](R& r, Text t) { return read_names(r.builtin, t, R::kMostBuiltin); },
     [](const R& r) { return fmt::format("{}", fmt::join(r.builtin, ",")); }},
    {"resume", [](R& r, Text t) { return read_word(r.resume, t, resume_rule_of, "position, adjudicate, abort"); },
     [](const R& r) { return word_text(r.resume); }},
    {"loss-grace", [](R& r, Text t) { return read_number(r.grace_s, t, kMostSeconds); },
     [](const R& r) { return number_text(r.grace_s); }},
    {"after-game", [](R& r, Text t) { return read_choice(r.after_game, t, "close", "stay"); },
     [](const R& r) { return std::string(r.after_game == AfterGame::stay ? "stay" : ""); }},
    {"pairing", [](R& r, Text t) { return read_choice(r.pairing, t, "lobby", "host"); },
     [](const R& r) { return std::string(r.pairing == RoomPairing::host ? "host" : ""); }},
    {"chat", [](R& r, Text t) { return read_flag(r.chat, t); },
     [](const R& r) { return std::string(r.chat ? "" : "no"); }},
    {"commentator", [](R& r, Text t) { return read_flag(r.commentator, t); },
     [](const R& r) { return std::string(r.commentator ? "" : "no"); }},
};

std::string unknown_key(std::string_view key) {
  key = key.substr(0, kShown);
  const auto far = [key](const Key& each) { return distance(key, each.key); };
  const auto near = std::ranges::min_element(kKeys, {}, far);
  std::string text = fmt::format("a room has no '{}'", key);
  if (3 * far(*near) <= near->key.size()) text += fmt::format(": did you mean '{}'?", near->key);
  return text;
}

// What no setting can say alone.
Fine check_together(const RoomRules& rules) {
  if (rules.games.empty()) return wrong("games: a room needs game names, such as games=club-*");
  if (!is_floodgate_pattern(rules.games)) return {};
  // Its group's file says these, and who plays whom in a round is told to everybody.
  const bool of_group = rules.time || rules.time_black || rules.time_white || rules.max_moves || rules.least_time_s ||
                        !rules.start.empty() || rules.resume || rules.grace_s || rules.pairing == RoomPairing::host;
  if (of_group) {
    return wrong("games: the file of a floodgate group has its time, moves, start, resume, loss-grace and pairing");
  }
  if (rules.hidden()) return wrong("visibility: rounds of a floodgate group cannot be hidden");
  return {};
}

}  // namespace

std::expected<void, std::string> check_room_name(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto good = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  if (name.empty() || name.size() > kLongestName || !letter(name.front()) || !std::ranges::all_of(name, good)) {
    return wrong(fmt::format("'{}' is no name of a room: 1 to {} of a-z 0-9 _ -, a letter first",
                             name.substr(0, kLongestName), kLongestName));
  }
  if (name == kMainRoom || name == kDemoRoom) return wrong(fmt::format("{} is as it is", name));
  return {};
}

RoomRules default_rules(std::string_view name) {
  if (name != kDemoRoom) return {.rated = name == kMainRoom};
  return {.comments = Comments::live, .rated = false};
}

std::expected<RoomRules, std::string> read_room(std::span<const std::string> settings) {
  std::array<std::string_view, std::size(kKeys)> said;
  for (const std::string_view setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == setting.npos) return wrong(fmt::format("'{}' is no setting: key=value", setting.substr(0, kShown)));
    const std::string_view key = setting.substr(0, equals);
    const auto found = std::ranges::find(kKeys, key, &Key::key);
    if (found == std::end(kKeys)) return wrong(unknown_key(key));
    said[static_cast<std::size_t>(found - std::begin(kKeys))] = setting.substr(equals + 1);
  }
  RoomRules rules;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].empty()) continue;
    if (auto fine = kKeys[i].read(rules, said[i]); !fine) {
      return wrong(fmt::format("{}: {}", kKeys[i].key, fine.error()));
    }
  }
  if (auto fine = check_together(rules); !fine) return std::unexpected(fine.error());
  return rules;
}

std::vector<std::string> settings_of(const RoomRules& rules) {
  std::vector<std::string> settings;
  for (const Key& key : kKeys) {
    const std::string text = key.text(rules);
    if (!text.empty()) settings.push_back(fmt::format("{}={}", key.key, text));
  }
  return settings;
}

std::vector<std::string_view> room_keys() {
  std::vector<std::string_view> keys;
  for (const Key& key : kKeys) keys.push_back(key.key);
  return keys;
}

std::optional<TimeRule> read_time(std::string_view text) {
  const auto name = csa::parse_game_name(fmt::format("x-{}", text), 1);
  if (!name) return std::nullopt;
  return TimeRule{.total_s = name->total_s,
                  .byoyomi_s = name->byoyomi_s,
                  .increment_s = name->increment_s,
                  .least_s = 0,
                  .stopwatch_s = name->stopwatch_s};
}

std::string time_text(const TimeRule& time) {
  if (time.increment_s > 0) return fmt::format("{}-{}F", time.total_s, time.increment_s);
  if (time.stopwatch_s > 0) return fmt::format("{}-0{}", time.total_s, time.stopwatch_s);
  return fmt::format("{}-{}", time.total_s, time.byoyomi_s);
}

std::string visibility_text(const std::optional<SpectatorDelay>& showing) {
  if (!showing) return {};
  if (showing->hidden) return "hidden";
  if (showing->seconds > 0) return fmt::format("seconds:{}", showing->seconds);
  return showing->moves > 0 ? fmt::format("moves:{}", showing->moves) : "public";
}

std::expected<std::vector<std::string>, std::string> split_settings(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, within = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' && !quoted) {
      within = false;
      continue;
    }
    if (!std::exchange(within, true)) words.emplace_back();
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\\' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quoted) return wrong("a quote does not end");
  return words;
}

}  // namespace fuhyo::core
