#include "server/core/facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

#include "engines/shogi/enum_names.h"

namespace fuhyo::core {
namespace {

struct Kind {
  std::string_view name;
  std::uint16_t version = 1;
};
// In the order of FactVariant. The number of a kind in every journal ever written is its place, from 1: kinds are only
// added, at the end.
constexpr std::array<Kind, 29> kKinds = {
    {{"GameOpened", 9},  {"GameStarted"},       {"GameRejected"},  {"MoveMade"},           {"RecordNote"},
     {"GameEnded"},      {"BuoySet"},           {"BuoyDeleted"},   {"GamePaused"},         {"GameResumed"},
     {"NameForbidden"},  {"NameAllowed"},       {"AdminActed"},    {"PositionSetLoaded"},  {"RoundHeld"},
     {"GameSuspended"},  {"GameContinued"},     {"AccountSet"},    {"AccountDeleted"},     {"KeyKept"},
     {"RoomSet"},        {"RoomClosed"},        {"TournamentSet"}, {"TournamentPhaseSet"}, {"TournamentDecided", 3},
     {"TournamentGame"}, {"TournamentDeleted"}, {"RoundOwes"},     {"CommentAdded"}}};
static_assert(std::variant_size_v<FactVariant> == kKinds.size());

// shogi-server's summary types (and one of our own at the end), and the spelling of EndKind in payloads.
constexpr std::array<std::string_view, 13> kEndKinds = {
    "toryo",      "abnormal",   "time up",         "kachi",     "illegal kachi", "illegal move", "oute_kaihimore",
    "uchifuzume", "sennichite", "oute_sennichite", "max_moves", "chudan",        "adjudicated"};
constexpr std::array<std::string_view, 4> kOutcomes = {"black_wins", "white_wins", "draw", "none"};
constexpr std::array<std::string_view, 3> kResumeRules = {"position", "adjudicate", "abort"};
constexpr std::array<std::string_view, 3> kComments = {"never", "after", "live"};
constexpr std::array<std::string_view, 4> kCredentialKinds = {"token", "password", "trip", "legacy"};
constexpr std::array<std::string_view, 4> kTournamentPhases = {"announced", "running", "paused", "over"};
constexpr std::array<std::string_view, 3> kByeKinds = {"bye", "rest", "walkover"};
// In the order of tournament::Decision.
constexpr std::array<std::string_view, 7> kDecisions = {"entry",  "withdrawn", "returned", "formed",
                                                        "joined", "round",     "result"};
static_assert(std::variant_size_v<tournament::Decision> == kDecisions.size());

template <class F, class T>
concept Is = std::same_as<std::remove_const_t<F>, T>;

// The fields of each kind in payload order. Writer and Reader both walk this list, so they cannot disagree. A change of
// a list is a new version, and must go on reading the former one: `a.version` is that of the payload.
template <class A, Is<Seat> F>
void fields(A& a, F& seat) {
  a("name", seat.name);
  a("id", seat.id);
  a("builtin", seat.builtin);
}
template <class A, Is<TimeRule> F>
void fields(A& a, F& time) {
  a("total_s", time.total_s);
  a("byoyomi_s", time.byoyomi_s);
  a("increment_s", time.increment_s);
  a("least_s", time.least_s);
  a("stopwatch_s", time.stopwatch_s);
}
template <class A, Is<SpectatorDelay> F>
void fields(A& a, F& delay) {
  a("delay_s", delay.seconds);
  a("delay_moves", delay.moves);
  a("hidden", delay.hidden);
}
template <class A, Is<GameOpened> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("room", f.room);
  a("csa_id", f.csa_id);
  a("game_name", f.game_name);
  fields(a, f.black);
  fields(a, f.white);
  fields(a, f.time);
  a("max_moves", f.max_moves);
  a("start_sfen", f.start_sfen);
  a("at", f.at);
  a("local_time", f.local_time);
  a("rated", f.rated);
  a("preset_moves", f.preset_moves);
  if (a.version < 2) return;
  a("black_rate", f.black_rate);
  a("white_rate", f.white_rate);
  a("preset_spent", f.preset_spent);
  if (a.version < 3) return;
  a("preset_free", f.preset_free);
  if (a.version < 4) return;
  a("resume", f.resume);
  a("grace_s", f.grace_s);
  if (a.version < 5) return;
  a("showing", f.showing);
  a("stays", f.stays);
  if (a.version < 6) return;
  a("white_time", f.white_time);
  if (a.version < 7) return;
  a("declaration", f.declaration);
  if (a.version < 8) return;
  a("comments", f.comments);
  if (a.version < 9) return;
  a("rulebook", f.rulebook);
}
template <class A, Is<BuoySet> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("owner", f.owner);
  a("count", f.count);
  a("start_sfen", f.start_sfen);
  a("set", f.set);
  a("title", f.title);
  a("comment", f.comment);
  a("at", f.at);
  a("moves", f.moves);
}
template <class A, Is<BuoyDeleted> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("at", f.at);
}
template <class A, Is<PositionSetLoaded> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("at", f.at);
  a("text", f.text);
}
template <class A, Is<RoundHeld> F>
void fields(A& a, F& f) {
  a("group", f.group);
  a("number", f.number);
  a("at", f.at);
  a("games", f.games);
  a("sat_out", f.sat_out);
}
template <class A, Is<OwedGame> F>
void fields(A& a, F& game) {
  a("black", game.black);
  a("white", game.white);
  a("round", game.round);
}
template <class A, Is<RoundOwes> F>
void fields(A& a, F& f) {
  a("group", f.group);
  a("games", f.games);
  a("players", f.players);
  a("at", f.at);
}
template <class A, Is<GameStarted> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("at", f.at);
}
template <class A, Is<GameRejected> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("by", f.by);
  a("at", f.at);
  a("local_time", f.local_time);
}
template <class A, Is<MoveMade> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("ply", f.ply);
  a("csa", f.csa);
  a("spent_s", f.spent_s);
  a("remaining_s", f.remaining_s);
  a("at", f.at);
  a("comment", f.comment);
}
template <class A, Is<CommentAdded> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("ply", f.ply);
  a("comment", f.comment);
  a("at", f.at);
}
template <class A, Is<RecordNote> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("text", f.text);
}
template <class A, Is<GameEnded> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("kind", f.kind);
  a("outcome", f.outcome);
  a("plies", f.plies);
  a("line", f.line);
  a("spent_s", f.spent_s);
  a("reason", f.reason);
  a("final_board", f.final_board);
  a("at", f.at);
  a("local_time", f.local_time);
}
template <class A, Is<GamePaused> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("used_us", f.used_us);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<GameResumed> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<GameSuspended> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("used_us", f.used_us);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<GameContinued> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("at", f.at);
}
template <class A, Is<NameForbidden> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<NameAllowed> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("at", f.at);
}
template <class A, Is<AdminActed> F>
void fields(A& a, F& f) {
  a("who", f.who);
  a("via", f.via);
  a("act", f.act);
  a("why", f.why);
  a("outcome", f.outcome);
  a("at", f.at);
  a("local_time", f.local_time);
}
template <class A, Is<Credential> F>
void fields(A& a, F& f) {
  a("credential", f.id);
  a("kind", f.kind);
  a("hash", f.hash);
  a("label", f.label);
  a("made", f.made);
}
template <class A, Is<AccountSet> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("id", f.id);
  a("role", f.role);
  a("issued", f.issued);
  a("second_factor", f.second_factor);
  a("by", f.by);
  a("why", f.why);
  a("made", f.made);
  a("at", f.at);
  a("credentials", f.credentials);
}
template <class A, Is<AccountDeleted> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}

template <class A, Is<KeyKept> F>
void fields(A& a, F& f) {
  a("fingerprint", f.fingerprint);
  a("at", f.at);
}
template <class A, Is<RoomSet> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("of_file", f.of_file);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
  a("settings", f.settings);
}
template <class A, Is<RoomClosed> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}

template <class A, Is<TournamentSet> F>
void fields(A& a, F& f) {
  a("name", f.name);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
  a("text", f.text);
}
template <class A, Is<TournamentPhaseSet> F>
void fields(A& a, F& f) {
  a("event", f.event);
  a("phase", f.phase);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<TournamentDecided> F>
void fields(A& a, F& f) {
  a("event", f.event);
  a("number", f.number);
  a("starts", f.starts);
  a("taken_back", f.taken_back);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
  a("decision", f.decision);
}
template <class A, Is<TournamentDeleted> F>
void fields(A& a, F& f) {
  a("event", f.event);
  a("by", f.by);
  a("why", f.why);
  a("at", f.at);
}
template <class A, Is<TournamentGame> F>
void fields(A& a, F& f) {
  a("game", f.game);
  a("event", f.event);
  fields(a, f.key);
}
template <class A, Is<tournament::DivisionKey> F>
void fields(A& a, F& f) {
  a("stage", f.stage);
  a("division", f.division);
}
template <class A, Is<tournament::GameKey> F>
void fields(A& a, F& f) {
  fields(a, f.division);
  a("round", f.round);
  a("board", f.board);
  a("game", f.game);
  a("attempt", f.attempt);
}
template <class A, Is<tournament::Entered> F>
void fields(A& a, F& f) {
  a("player", f.entrant.player);
  a("title_ja", f.entrant.title.ja);
  a("title_en", f.entrant.title.en);
  a("seed", f.entrant.seed);
  a("rate", f.entrant.rate);
  a("stage", f.entrant.stage);
  if (a.version < 3) return;
  a("groups", f.entrant.groups);
}
template <class A, Is<tournament::Withdrawn> F>
void fields(A& a, F& f) {
  a("player", f.player);
  a("stage", f.stage);
  a("from", f.from);
  a("until", f.until);
}
template <class A, Is<tournament::Returned> F>
void fields(A& a, F& f) {
  a("player", f.player);
  a("stage", f.stage);
  a("from", f.from);
}
template <class A, Is<tournament::Member> F>
void fields(A& a, F& f) {
  a("player", f.player);
  a("lot", f.lot);
}
template <class A, Is<tournament::DivisionFormed> F>
void fields(A& a, F& f) {
  fields(a, f.division);
  a("members", f.members);
}
template <class A, Is<tournament::Joined> F>
void fields(A& a, F& f) {
  fields(a, f.division);
  fields(a, f.member);
  a("from", f.from);
}
template <class A, Is<tournament::Pairing> F>
void fields(A& a, F& f) {
  a("black", f.black);
  a("white", f.white);
  a("games", f.games);
  a("position", f.position);
}
template <class A, Is<tournament::Bye> F>
void fields(A& a, F& f) {
  a("player", f.player);
  a("kind", f.kind);
  a("instead_of", f.instead_of);
}
template <class A, Is<tournament::RoundPaired> F>
void fields(A& a, F& f) {
  fields(a, f.division);
  a("round", f.round);
  a("pairings", f.pairings);
  a("byes", f.byes);
  a("manual", f.manual);
}
template <class A, Is<tournament::GameResult> F>
void fields(A& a, F& f) {
  fields(a, f.game);
  a("black", f.black);
  a("white", f.white);
  a("outcome", f.outcome);
  a("how", f.how);
  a("end", f.end);
  a("plies", f.plies);
  a("record", f.record);
  if (a.version < 2) return;
  a("id", f.id);
}

constexpr std::string_view kEscaped("\\\t\n\r\0", 5);
constexpr std::string_view kEscapes = "\\tnr0";

// Appends fields to a payload. Values are only read.
class Writer {
 public:
  Writer(std::string& out, std::uint16_t version_in) : version(version_in), out_(out) {}
  const std::uint16_t version;

  void operator()(std::string_view, const std::string& text) {
    separate();
    std::string_view rest = text;
    for (auto at = rest.find_first_of(kEscaped); at != rest.npos; at = rest.find_first_of(kEscaped)) {
      out_.append(rest.substr(0, at));
      out_ += '\\';
      out_ += kEscapes[kEscaped.find(rest[at])];
      rest.remove_prefix(at + 1);
    }
    out_.append(rest);
  }
  void operator()(std::string_view, std::int32_t number) { decimal(number); }
  void operator()(std::string_view, std::int64_t number) { decimal(number); }
  void operator()(std::string_view, GameId game) { decimal(value(game)); }
  void operator()(std::string_view, Wall at) { decimal(at.us); }
  void operator()(std::string_view, bool flag) { decimal(flag ? 1 : 0); }
  void operator()(std::string_view, EndKind kind) { plain(kEndKinds[static_cast<std::size_t>(kind)]); }
  void operator()(std::string_view, Outcome outcome) { plain(kOutcomes[static_cast<std::size_t>(outcome)]); }
  void operator()(std::string_view, ResumeRule rule) { plain(to_string(rule)); }
  void operator()(std::string_view, Comments rule) { plain(to_string(rule)); }
  void operator()(std::string_view, shogi::DeclarationRule rule) { plain(tournament::to_string(rule)); }
  void operator()(std::string_view, Rulebook rules) { plain(tournament::to_string(rules)); }
  void operator()(std::string_view, CredentialKind kind) { plain(kCredentialKinds[static_cast<std::size_t>(kind)]); }
  void operator()(std::string_view, TournamentPhase phase) { plain(to_string(phase)); }
  void operator()(std::string_view, tournament::ByeKind kind) { plain(kByeKinds[static_cast<std::size_t>(kind)]); }
  void operator()(std::string_view, tournament::How how) { plain(tournament::to_string(how)); }
  void operator()(std::string_view, const tournament::Decision& decision) {
    plain(kDecisions[decision.index()]);
    std::visit([this](const auto& one) { fields(*this, one); }, decision);
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& value) {
    decimal(value ? 1 : 0);
    if (!value) return;
    if constexpr (std::is_enum_v<T>) {
      (*this)(name, *value);
    } else {
      fields(*this, *value);
    }
  }
  template <class T>
  void operator()(std::string_view, const std::vector<T>& list) {
    decimal(list.size());
    for (const T& item : list) fields(*this, item);
  }
  void operator()(std::string_view name, const std::vector<std::string>& list) {
    decimal(list.size());
    for (const std::string& item : list) (*this)(name, item);
  }

 private:
  void separate() {
    if (!first_) out_ += '\t';
    first_ = false;
  }
  void plain(std::string_view text) {
    separate();
    out_.append(text);
  }
  template <class N>
  void decimal(N number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    plain({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }

  std::string& out_;
  bool first_ = true;
};

// Takes fields from a payload. The first fault stays in error(); what follows it is not looked at.
class Reader {
 public:
  Reader(std::string_view payload, std::uint16_t version_in) : version(version_in), rest_(payload) {}
  const std::uint16_t version;

  void operator()(std::string_view name, std::string& text) {
    const std::string_view field = take(name);
    text.clear();
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '\\') {
        text += field[i];
        continue;
      }
      const auto escape = ++i < field.size() ? kEscapes.find(field[i]) : kEscapes.npos;
      if (escape == kEscapes.npos) return refuse(name, field, "has a broken escape");
      text += kEscaped[escape];
    }
  }
  void operator()(std::string_view name, std::int32_t& number) { decimal(name, number); }
  void operator()(std::string_view name, std::int64_t& number) { decimal(name, number); }
  void operator()(std::string_view name, Wall& at) { decimal(name, at.us); }
  void operator()(std::string_view name, GameId& game) {
    std::uint64_t number = 0;
    decimal(name, number);
    game = GameId{number};
  }
  void operator()(std::string_view name, bool& flag) {
    const std::string_view field = take(name);
    if (field != "0" && field != "1") return refuse(name, field, "is neither 0 nor 1");
    flag = field == "1";
  }
  void operator()(std::string_view name, EndKind& kind) { word(name, kEndKinds, kind); }
  void operator()(std::string_view name, Outcome& outcome) { word(name, kOutcomes, outcome); }
  void operator()(std::string_view name, ResumeRule& rule) { word(name, kResumeRules, rule); }
  void operator()(std::string_view name, Comments& rule) { word(name, kComments, rule); }
  void operator()(std::string_view name, shogi::DeclarationRule& rule) {
    const std::string_view field = take(name);
    const auto found = tournament::parse_declaration(field);
    if (!found) return refuse(name, field, "is not a known word");
    rule = *found;
  }
  void operator()(std::string_view name, Rulebook& rules) {
    const std::string_view field = take(name);
    const auto found = tournament::parse_rulebook(field);
    if (!found) return refuse(name, field, "is not a known word");
    rules = *found;
  }
  void operator()(std::string_view name, CredentialKind& kind) { word(name, kCredentialKinds, kind); }
  template <class T>
  void operator()(std::string_view name, std::optional<T>& value) {
    bool told = false;
    (*this)(name, told);
    value.reset();
    if (!told || !error_.empty()) return;
    if constexpr (std::is_enum_v<T>) {
      (*this)(name, value.emplace());
    } else {
      fields(*this, value.emplace());
    }
  }
  void operator()(std::string_view name, TournamentPhase& phase) { word(name, kTournamentPhases, phase); }
  void operator()(std::string_view name, tournament::ByeKind& kind) { word(name, kByeKinds, kind); }
  void operator()(std::string_view name, tournament::How& how) {
    const std::string_view field = take(name);
    const auto found = tournament::parse_how(field);
    if (!found) return refuse(name, field, "is not a known word");
    how = *found;
  }
  void operator()(std::string_view name, tournament::Decision& decision) {
    const std::string_view field = take(name);
    const auto found = std::ranges::find(kDecisions, field);
    if (found == kDecisions.end()) return refuse(name, field, "is not a known word");
    read_decision(decision, static_cast<std::size_t>(found - kDecisions.begin()));
  }
  template <class T>
  void operator()(std::string_view name, std::vector<T>& list) {
    std::uint64_t count = 0;
    decimal(name, count);
    list.clear();
    for (std::uint64_t i = 0; i < count && error_.empty(); ++i) fields(*this, list.emplace_back());
  }
  void operator()(std::string_view name, std::vector<std::string>& list) {
    std::uint64_t count = 0;
    decimal(name, count);
    list.clear();
    // Not resized to `count` at once: a damaged count must not ask for memory that the payload cannot fill.
    for (std::uint64_t i = 0; i < count && error_.empty(); ++i) (*this)(name, list.emplace_back());
  }

  std::string finish() {
    if (error_.empty() && !exhausted_) error_ = fmt::format("more than {} fields", index_);
    return std::move(error_);
  }

 private:
  std::string_view take(std::string_view name) {
    if (!error_.empty()) return {};
    ++index_;
    if (exhausted_) {
      error_ = fmt::format("field {} ({}) is missing", index_, name);
      return {};
    }
    const auto tab = rest_.find('\t');
    const std::string_view field = rest_.substr(0, tab);
    exhausted_ = tab == rest_.npos;
    rest_.remove_prefix(exhausted_ ? rest_.size() : tab + 1);
    return field;
  }
  void refuse(std::string_view name, std::string_view field, std::string_view why) {
    constexpr std::size_t kShown = 40;
    if (error_.empty()) error_ = fmt::format("field {} ({}) '{}' {}", index_, name, field.substr(0, kShown), why);
  }
  template <class N>
  void decimal(std::string_view name, N& number) {
    const std::string_view field = take(name);
    const auto [end, fault] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (fault != std::errc{} || end != field.data() + field.size()) refuse(name, field, "is not a number in range");
  }
  template <std::size_t I = 0>
  void read_decision(tournament::Decision& decision, std::size_t which) {
    if constexpr (I < std::variant_size_v<tournament::Decision>) {
      if (which == I) return fields(*this, decision.emplace<I>());
      read_decision<I + 1>(decision, which);
    }
  }
  template <std::size_t N, class E>
  void word(std::string_view name, const std::array<std::string_view, N>& words, E& out) {
    const std::string_view field = take(name);
    const auto found = std::find(words.begin(), words.end(), field);
    if (found == words.end()) return refuse(name, field, "is not a known word");
    out = static_cast<E>(found - words.begin());
  }

  std::string_view rest_;
  std::string error_;
  int index_ = 0;
  bool exhausted_ = false;  // the last field was taken; an empty payload still has one, empty
};

template <std::size_t I = 0>
std::string decode_at(std::size_t place, Reader& reader, Fact& fact) {
  if constexpr (I < kKinds.size()) {
    if (place != I) return decode_at<I + 1>(place, reader, fact);
    fields(reader, fact.emplace<I>());
  }
  return reader.finish();
}

}  // namespace

std::string_view to_string(ResumeRule rule) { return kResumeRules[static_cast<std::size_t>(rule)]; }

std::string_view to_string(Comments rule) { return kComments[static_cast<std::size_t>(rule)]; }

std::optional<Comments> comments_of(std::string_view word) { return shogi::value_named<Comments>(kComments, word); }

std::optional<ResumeRule> resume_rule_of(std::string_view word) {
  return shogi::value_named<ResumeRule>(kResumeRules, word);
}

std::string_view to_string(TournamentPhase phase) { return kTournamentPhases[static_cast<std::size_t>(phase)]; }

std::string_view to_string(CredentialKind kind) { return kCredentialKinds[static_cast<std::size_t>(kind)]; }

std::string_view summary_type(EndKind kind) { return kEndKinds[static_cast<std::size_t>(kind)]; }

std::optional<EndKind> end_kind_of(std::string_view summary_type) {
  return shogi::value_named<EndKind>(kEndKinds, summary_type);
}

Fact::Fact() = default;
Fact::Fact(const Fact&) = default;
Fact::Fact(Fact&&) noexcept = default;
Fact& Fact::operator=(const Fact&) = default;
Fact& Fact::operator=(Fact&&) noexcept = default;
Fact::~Fact() = default;
bool Fact::operator==(const Fact& other) const {
  return static_cast<const FactVariant&>(*this) == static_cast<const FactVariant&>(other);
}

GameId game_of(const Fact& fact) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.game; }) return f.game;
        return GameId{};
      },
      fact);
}

std::string key_of(const tournament::Decision& decision) {
  using namespace tournament;
  const auto division = [](DivisionKey key) { return fmt::format("{}/{}", key.stage, key.division); };
  const auto about = [&](const auto& one) -> std::string {
    using D = std::remove_cvref_t<decltype(one)>;
    if constexpr (std::same_as<D, Entered>) {
      return one.entrant.player;
    } else if constexpr (std::same_as<D, Withdrawn> || std::same_as<D, Returned>) {
      return fmt::format("{}/{}", one.stage, one.player);
    } else if constexpr (std::same_as<D, DivisionFormed>) {
      return division(one.division);
    } else if constexpr (std::same_as<D, Joined>) {
      return fmt::format("{}/{}", division(one.division), one.member.player);
    } else if constexpr (std::same_as<D, RoundPaired>) {
      return fmt::format("{}/{}", division(one.division), one.round);
    } else {
      const GameKey& key = one.game;
      return fmt::format("{}/{}/{}/{}/{}", division(key.division), key.round, key.board, key.game, key.attempt);
    }
  };
  return fmt::format("{}/{}", kDecisions[decision.index()], std::visit(about, decision));
}

std::optional<KeyedFact> keyed_fact_of(const Fact& fact) {
  if (const auto* set = std::get_if<BuoySet>(&fact)) return KeyedFact{"buoy/" + set->name, false};
  if (const auto* deleted = std::get_if<BuoyDeleted>(&fact)) return KeyedFact{"buoy/" + deleted->name, true};
  if (const auto* set = std::get_if<PositionSetLoaded>(&fact)) return KeyedFact{"set/" + set->name, set->text.empty()};
  if (const auto* held = std::get_if<RoundHeld>(&fact)) return KeyedFact{"round/" + held->group, false};
  if (const auto* owes = std::get_if<RoundOwes>(&fact)) return KeyedFact{"owed/" + owes->group, false};
  if (const auto* forbidden = std::get_if<NameForbidden>(&fact)) return KeyedFact{"forbid/" + forbidden->name, false};
  if (const auto* allowed = std::get_if<NameAllowed>(&fact)) return KeyedFact{"forbid/" + allowed->name, true};
  if (const auto* set = std::get_if<AccountSet>(&fact)) return KeyedFact{"account/" + set->name, false};
  if (const auto* deleted = std::get_if<AccountDeleted>(&fact)) return KeyedFact{"account/" + deleted->name, true};
  if (const auto* set = std::get_if<RoomSet>(&fact)) return KeyedFact{"room/" + set->name, false};
  if (const auto* closed = std::get_if<RoomClosed>(&fact)) return KeyedFact{"room/" + closed->name, true};
  if (const auto* set = std::get_if<TournamentSet>(&fact)) {
    return KeyedFact{fmt::format("tournament/{}/event", set->name), false};
  }
  if (const auto* set = std::get_if<TournamentPhaseSet>(&fact)) {
    return KeyedFact{fmt::format("tournament/{}/phase", set->event), false};
  }
  if (const auto* decided = std::get_if<TournamentDecided>(&fact)) {
    return KeyedFact{fmt::format("tournament/{}/{}", decided->event, key_of(decided->decision)), decided->taken_back};
  }
  if (const auto* deleted = std::get_if<TournamentDeleted>(&fact)) {
    return KeyedFact{.key = fmt::format("tournament/{}/", deleted->event), .deleted = true, .prefix = true};
  }
  if (std::holds_alternative<KeyKept>(fact)) return KeyedFact{"key", false};
  return {};
}

EncodedFact encode(const Fact& fact) {
  const std::size_t place = fact.index();
  EncodedFact encoded{.kind = static_cast<std::uint16_t>(place + 1), .version = kKinds[place].version, .payload = {}};
  Writer writer(encoded.payload, encoded.version);
  std::visit([&](const auto& f) { fields(writer, f); }, fact);
  return encoded;
}

std::expected<Fact, std::string> decode(std::uint16_t kind, std::uint16_t version, std::string_view payload) {
  if (kind == 0 || kind > kKinds.size()) {
    return std::unexpected(
        fmt::format("unknown kind {} (version {}): written by a newer program, or damaged", kind, version));
  }
  const Kind& known = kKinds[kind - 1];
  if (version == 0 || version > known.version) {
    return std::unexpected(fmt::format("{} (kind {}): version {} is not one that this program reads (1 to {})",
                                       known.name, kind, version, known.version));
  }
  Reader reader(payload, version);
  Fact fact;
  if (std::string error = decode_at(kind - 1U, reader, fact); !error.empty()) {
    return std::unexpected(fmt::format("{} (kind {}) version {}: {}", known.name, kind, version, error));
  }
  return fact;
}

}  // namespace fuhyo::core
