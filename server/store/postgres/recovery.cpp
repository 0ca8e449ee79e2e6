#include "server/store/postgres/recovery.h"

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "server/store/read_games.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

// All of it as of one moment, also while somebody writes.
constexpr PgStatement kBeginRecovery{"recover", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
constexpr PgStatement kEnd{"recovered", "COMMIT"};
constexpr PgStatement kNumbers{"numbers",
                               "SELECT (SELECT coalesce(max(seq), 0) FROM journal), last_game, last_stamp FROM used"};
constexpr PgStatement kKeyedFacts{"standing", "SELECT seq, kind, version, payload FROM standing ORDER BY seq"};
// By their ends, and not by their numbers: games that were moved over have higher ones than games played here before.
const std::string kPastGames =
    each_game_name() +
    " SELECT csa_id, game_name, black_id, white_id, outcome FROM name JOIN LATERAL ("
    "SELECT * FROM game WHERE game_name = name.n AND black_id <> '' AND white_id <> '' AND outcome <> 'none'"
    " ORDER BY ended_us DESC, game DESC LIMIT $1::bigint) AS past ON true"
    " WHERE name.n LIKE 'floodgate-%' ORDER BY game_name COLLATE \"C\", ended_us, game";
const PgStatement kPast{"past", kPastGames.c_str()};
constexpr PgStatement kLive{
    "live_rows",
    "SELECT seq, kind, version, payload FROM journal"
    " WHERE seq >= (SELECT min(first_seq) FROM live) AND game IN (SELECT game FROM live) ORDER BY seq"};

std::expected<std::vector<core::Journaled>, std::string> facts_of(const PgRows& rows) {
  std::vector<core::Journaled> facts;
  for (int row = 0; row < rows.size(); ++row) {
    auto fact = read_fact(rows, row);
    if (!fact) return std::unexpected(std::move(fact.error()));
    facts.push_back(std::move(*fact));
  }
  return facts;
}

std::vector<core::PastGame> past_of(const PgRows& rows) {
  std::vector<core::PastGame> past;
  for (int row = 0; row < rows.size(); ++row) {
    past.push_back({.csa_id = rows.text(row, 0),
                    .game_name = rows.text(row, 1),
                    .black_id = rows.text(row, 2),
                    .white_id = rows.text(row, 3),
                    .outcome = outcome_of(rows.bytes(row, 4))});
  }
  return past;
}

}  // namespace

std::expected<core::Journaled, std::string> read_fact(const PgRows& rows, int row) {
  const std::int64_t seq = rows.integer(row, 0);
  auto fact = core::decode(static_cast<std::uint16_t>(rows.integer(row, 1)),
                           static_cast<std::uint16_t>(rows.integer(row, 2)), rows.bytes(row, 3));
  if (!fact) return std::unexpected(fmt::format("journal row {}: {}", seq, fact.error()));
  return core::Journaled{.seq = core::Seq{static_cast<std::uint64_t>(seq)}, .fact = std::move(*fact)};
}

std::expected<void, std::string> recover(PgConnection& connection, core::Recovery& out, LiveGames& live) {
  std::vector<PgCommand> commands;
  for (const PgStatement* statement : {&kBeginRecovery, &kNumbers, &kKeyedFacts, &kPast, &kLive, &kEnd})
    commands.push_back({statement, {}});
  commands[3].params.add(static_cast<std::int64_t>(core::kPastGames));
  auto read = connection.run(commands);
  if (!read) return refuse(read.error());
  const PgRows& numbers = (*read)[1];
  if (numbers.size() != 1) return std::unexpected("the table used is empty");
  const auto number = [&](int column) { return static_cast<std::uint64_t>(numbers.integer(0, column)); };
  auto keyed_facts = facts_of((*read)[2]);
  if (!keyed_facts) return std::unexpected(keyed_facts.error());
  auto unfinished = facts_of((*read)[4]);
  if (!unfinished) return std::unexpected(unfinished.error());
  for (const core::Journaled& row : *unfinished) live.take(row.fact);
  out = core::Recovery{.last = core::Seq{number(0)},
                       .last_game = core::GameId{number(1)},
                       .last_stamp = number(2),
                       .live = std::move(*unfinished),
                       .keyed_facts = std::move(*keyed_facts),
                       .past = past_of((*read)[3])};
  return {};
}

}  // namespace fuhyo::store
