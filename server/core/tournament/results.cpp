#include "server/core/tournament/results.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

constexpr std::pair<ByeKind, std::string_view> kByes[] = {
    {ByeKind::bye, "bye"}, {ByeKind::rest, "rest"}, {ByeKind::walkover, "walkover"}};
constexpr std::pair<Outcome, std::string_view> kOutcomes[] = {
    {Outcome::black_wins, "black"}, {Outcome::white_wins, "white"}, {Outcome::draw, "draw"}, {Outcome::none, "none"}};

template <class Enum, std::size_t n>
std::optional<Enum> find(const std::pair<Enum, std::string_view> (&words)[n], std::string_view text) {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  return std::nullopt;
}
template <class Enum, std::size_t n>
std::string spell(const std::pair<Enum, std::string_view> (&words)[n], Enum value) {
  for (const auto& [each, word] : words) {
    if (each == value) return std::string(word);
  }
  return {};
}

bool names_two(const ResultRow& row) {
  return row.result.empty() || row.result == "pending" || find(kOutcomes, row.result).has_value();
}
bool is_known(const ResultRow& row) {
  return names_two(row) || find(kByes, row.result) || row.result == "away" || row.result == "left" ||
         row.result == "member";
}

class Reader {
 public:
  explicit Reader(const Event& event) : event_(event), state_(event), draws_(1) {}

  std::expected<std::vector<Decision>, std::vector<Problem>> read(std::span<const ResultRow> rows) {
    for (const ResultRow& row : rows) sort_in(row);
    for (auto& [key, rounds] : divisions_) {
      if (!problems_.empty()) break;  // one mistake would be told again and again
      if (!form(key, rounds)) continue;
      for (const auto& [round, of_round] : rounds) {
        join(key, round);
        pair(key, round, of_round);
        for (const ResultRow* row : of_round) add_result(key, *row);
      }
    }
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(decisions_);
  }

 private:
  using Rounds = std::map<int, std::vector<const ResultRow*>>;

  void complain(const ResultRow& row, std::string text) { problems_.push_back({row.line, std::move(text)}); }
  void decide(const ResultRow& row, Decision decision) {
    if (const auto checked = check(event_, state_, decision); !checked) return complain(row, checked.error());
    state_.apply(decision);
    decisions_.push_back(std::move(decision));
  }

  void sort_in(const ResultRow& row) {
    const auto key = key_of(row);
    if (!key) return;
    if (row.round < 1 || row.round > kMostRounds) return complain(row, "round: there is no such one");
    if (!is_known(row)) return complain(row, fmt::format("result: '{}' is none", row.result));
    if (row.black.empty() || (names_two(row) && row.white.empty())) return complain(row, "a name is missing");
    if (row.result == "member") {
      members_[*key].push_back(&row);
      divisions_[*key];
    } else {
      divisions_[*key][row.round].push_back(&row);
    }
  }
  std::optional<DivisionKey> key_of(const ResultRow& row) {
    const auto stage = std::ranges::find(event_.stages, row.stage, &Stage::name);
    const bool only_stage = row.stage.empty() && event_.stages.size() == 1;
    if (stage == event_.stages.end() && !only_stage) {
      complain(row, fmt::format("stage: there is no '{}'", row.stage));
      return std::nullopt;
    }
    DivisionKey key;
    key.stage = only_stage ? 0 : static_cast<int>(stage - event_.stages.begin());
    const auto& divisions = event_.stages[static_cast<std::size_t>(key.stage)].divisions;
    const auto division = std::ranges::find(divisions, row.division, &Division::name);
    const bool only = row.division.empty() && divisions.size() == 1;
    if (division == divisions.end() && !only) {
      complain(row, fmt::format("division: there is no '{}'", row.division));
      return std::nullopt;
    }
    key.division = only ? 0 : static_cast<int>(division - divisions.begin());
    return key;
  }

  bool form(DivisionKey key, const Rounds& rounds) {
    const std::vector<const ResultRow*>& members = members_[key];
    const ResultRow& first = members.empty() ? *rounds.begin()->second.front() : *members.front();
    for (const ResultRow* row : members) enter(*row);
    if (key.stage == 0) {
      for (const auto& [round, of_round] : rounds) {
        for (const ResultRow* row : of_round) enter(*row);
      }
    }
    DivisionFormed named{.division = key, .members = {}};
    for (const ResultRow* row : members) {
      if (row->round == 1) named.members.push_back({.player = row->black, .lot = row->lot});
    }
    if (named.members.empty()) {
      auto formed = form_division(event_, state_, key, draws_);
      if (!formed) {
        complain(first, std::string(to_string(formed.error())));
        return false;
      }
      named = std::move(formed->division);
    }
    decide(first, std::move(named));
    return problems_.empty();
  }
  // Late entries.
  void join(DivisionKey key, int round) {
    for (const ResultRow* row : members_[key]) {
      if (row->round != round || round == 1) continue;
      decide(*row, Joined{.division = key, .member = {.player = row->black, .lot = row->lot}, .from = round});
    }
  }
  void enter(const ResultRow& row) {
    for (const std::string& player : {row.black, row.white}) {
      if (player.empty() || state_.entrant(player) != nullptr) continue;
      const int rate = row.result == "member" ? row.rate : 0;
      decide(row, Entered{.entrant = {.player = player, .title = {}, .rate = rate}});
    }
  }

  void pair(DivisionKey key, int round, const std::vector<const ResultRow*>& rows) {
    const Ledger ledger = ledger_of(event_, state_, key);
    RoundPaired paired{.division = key, .round = round, .pairings = {}, .byes = {}, .manual = true};
    std::set<PlayerId> seen;
    for (const ResultRow* row : rows) {
      if (row->result == "left") decide(*row, Withdrawn{.player = row->black, .stage = key.stage, .from = round});
      if (row->result == "left" || row->result == "away") continue;
      if (const auto bye = find(kByes, row->result)) {
        paired.byes.push_back({.player = row->black, .kind = *bye, .instead_of = row->white});
      } else if (!seen.contains(row->black) || !seen.contains(row->white)) {
        paired.pairings.push_back({.black = row->black, .white = row->white, .games = ledger.settings->games});
        seen.insert(row->white);
      }
      seen.insert(row->black);
    }
    if (!rules_of(*ledger.settings).eliminates) {
      for (const LedgerRow& member : ledger.rows) {
        if (seen.contains(member.player) || state_.is_away(member.player, key.stage, round)) continue;
        decide(*rows.front(), Withdrawn{.player = member.player, .stage = key.stage, .from = round, .until = round});
      }
    }
    if (problems_.empty()) decide(*rows.front(), std::move(paired));
  }

  void add_result(DivisionKey key, const ResultRow& row) {
    const auto outcome = find(kOutcomes, row.result);
    if (!outcome || !problems_.empty()) return;
    const auto how = row.how.empty() ? std::optional(How::play) : parse_how(row.how);
    if (!how) return complain(row, fmt::format("how: '{}' is none", row.how));
    const auto end = end_kind_of(row.end);
    if (!row.end.empty() && !end) return complain(row, fmt::format("end: '{}' is none", row.end));
    const Ledger ledger = ledger_of(event_, state_, key);
    const auto due = std::ranges::find_if(ledger.due, [&](const DueGame& game) {
      return game.game.round == row.round && std::minmax(game.black, game.white) == std::minmax(row.black, row.white);
    });
    if (due == ledger.due.end()) return complain(row, "all games of these two have results already");
    decide(row, GameResult{.game = due->game,
                           .black = row.black,
                           .white = row.white,
                           .outcome = *outcome,
                           .how = *how,
                           .end = end,
                           .plies = row.plies,
                           .record = row.record});
  }

  const Event& event_;
  EventState state_;
  floodgate::SeededDraws draws_;  // lots: the same ones for the same file
  std::map<DivisionKey, Rounds> divisions_;
  std::map<DivisionKey, std::vector<const ResultRow*>> members_;  // rows that name them
  std::vector<Decision> decisions_;
  std::vector<Problem> problems_;
};

ResultRow row_at(const Event& event, DivisionKey key, int round) {
  const Stage& stage = event.stages[static_cast<std::size_t>(key.stage)];
  return {.stage = stage.name,
          .division = stage.divisions[static_cast<std::size_t>(key.division)].name,
          .round = round,
          .black = {},
          .white = {},
          .result = {},
          .how = {},
          .end = {},
          .record = {}};
}

void add_rows(const Event& event, const RoundPaired& paired, const EventState& state, std::vector<ResultRow>& rows) {
  const auto& results = state.division(paired.division).results;
  int board = 0;
  for (const Pairing& pairing : paired.pairings) {
    const GameKey from{.division = paired.division, .round = paired.round, .board = ++board, .game = 0, .attempt = 0};
    auto at = results.lower_bound(from);
    const std::size_t before = rows.size();
    for (; at != results.end() && at->first.division == paired.division && at->first.round == paired.round &&
           at->first.board == board;
         ++at) {
      const GameResult& result = at->second;
      ResultRow row = row_at(event, paired.division, paired.round);
      row.black = result.black;
      row.white = result.white;
      row.result = spell(kOutcomes, result.outcome);
      row.how = to_string(result.how);
      if (result.end) row.end = summary_type(*result.end);
      row.record = result.record;
      row.plies = result.plies;
      rows.push_back(std::move(row));
    }
    if (rows.size() != before) continue;
    ResultRow row = row_at(event, paired.division, paired.round);
    row.black = pairing.black;
    row.white = pairing.white;
    row.result = "pending";
    rows.push_back(std::move(row));
  }
  for (const Bye& bye : paired.byes) {
    ResultRow row = row_at(event, paired.division, paired.round);
    row.black = bye.player;
    row.white = bye.instead_of;
    row.result = spell(kByes, bye.kind);
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::expected<std::vector<Decision>, std::vector<Problem>> decisions_of(const Event& event,
                                                                        std::span<const ResultRow> rows) {
  return Reader(event).read(rows);
}

std::vector<ResultRow> rows_of(const Event& event, std::span<const Decision> decisions) {
  EventState state(event);
  for (const Decision& decision : decisions) state.apply(decision);
  std::vector<ResultRow> rows;
  std::set<std::pair<DivisionKey, int>> told;
  const auto add_member = [&](DivisionKey key, int from, const Member& member) {
    ResultRow row = row_at(event, key, from);
    row.black = member.player;
    row.result = "member";
    row.lot = static_cast<int>(member.lot);
    if (const Entrant* entrant = state.entrant(member.player)) row.rate = entrant->rate;
    rows.push_back(std::move(row));
  };
  for (const Decision& decision : decisions) {
    if (const auto* formed = std::get_if<DivisionFormed>(&decision)) {
      for (const Member& member : formed->members) add_member(formed->division, 1, member);
    }
    if (const auto* joined = std::get_if<Joined>(&decision)) {
      add_member(joined->division, joined->from, joined->member);
    }
    const auto* paired = std::get_if<RoundPaired>(&decision);
    if (paired == nullptr || !told.emplace(paired->division, paired->round).second) continue;
    for (const LedgerRow& member : ledger_of(event, state, paired->division).rows) {
      if (member.left != paired->round) continue;
      ResultRow row = row_at(event, paired->division, paired->round);
      row.black = member.player;
      row.result = "left";
      rows.push_back(std::move(row));
    }
    add_rows(event, state.division(paired->division).rounds.at(paired->round), state, rows);
  }
  return rows;
}

}  // namespace fuhyo::core::tournament
