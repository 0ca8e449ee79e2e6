#include "server/store/transfer/verifier.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "server/store/transfer/row.h"

namespace fuhyo::store {
namespace {

std::uint64_t number(TableId table, const Row& row, std::string_view column) {
  return static_cast<std::uint64_t>(cell(table, row, column).number);
}

std::string printable(std::string_view bytes) {
  std::string text;
  append_escaped(text, bytes);
  return text;
}

bool is_day(std::string_view text) {
  constexpr std::string_view kPattern = "dddd-dd-dd";
  return std::ranges::equal(text, kPattern, [](char c, char p) { return p == 'd' ? c >= '0' && c <= '9' : c == p; });
}

}  // namespace

Verifier::Verifier(FaultHearer fault)
    : hearer_(std::move(fault)), journal_([this](std::string text) { this->fault(std::move(text)); }) {}

void Verifier::fault(std::string text) {
  ++found_.faults;
  hearer_(std::move(text));
}

void Verifier::take(TableId table, const Row& row) {
  ++found_.rows[static_cast<std::size_t>(table)];
  switch (table) {
    case TableId::journal:
      return journal_.take(row);
    case TableId::live:
      return take_live(row);
    case TableId::game:
      return take_game(row);
    case TableId::standing:
      return take_standing(row);
    case TableId::used:
      return take_used(row);
    case TableId::mark:
      return take_mark(row);
    case TableId::audit:
      return take_told(table, row, journal_.audit);
    case TableId::rating:
      return take_rating(row);
    case TableId::round:
      return take_told(table, row, journal_.rounds);
    case TableId::player:
      return take_player(row);
  }
}

void Verifier::take_live(const Row& row) {
  const std::uint64_t game = number(TableId::live, row, "game"), opened = number(TableId::live, row, "first_seq");
  const auto said = journal_.live.find(game);
  if (said == journal_.live.end()) return fault(fmt::format("live: game {} is not live in the journal", game));
  if (said->second != opened) {
    fault(fmt::format("live: game {} was opened in row {}, and not in {}", game, said->second, opened));
  }
  journal_.live.erase(said);
}

void Verifier::take_game(const Row& row) {
  const std::uint64_t game = number(TableId::game, row, "game");
  last_game_ = std::max(last_game_, game);
  found_.moves += moves_in(row);
  if (const auto wrong = check_game_row(row)) fault(fmt::format("game {}: {}", game, *wrong));
  if (journal_.rejected.contains(game)) fault(fmt::format("game {}: was never begun, by the journal", game));
  if (const auto said = journal_.finished.find(game); said != journal_.finished.end()) {
    if (!agree(game_mark(row), said->second)) {
      fault(fmt::format("game {}: its row is not what the journal tells of it", game));
    }
    journal_.finished.erase(said);
  }
  const auto& black = cell(TableId::game, row, "black_id").bytes;
  const auto& white = cell(TableId::game, row, "white_id").bytes;
  tally(row, black, "black_wins", "white_wins");
  tally(row, white, "white_wins", "black_wins");
}

void Verifier::tally(const Row& row, std::string_view id, std::string_view won, std::string_view lost) {
  if (id.empty()) return;
  const std::string& outcome = cell(TableId::game, row, "outcome").bytes;
  const std::int64_t opened_us = cell(TableId::game, row, "opened_us").number;
  const std::int64_t ended_us = cell(TableId::game, row, "ended_us").number;
  const auto [found, fresh] = players_.try_emplace(std::string(id));
  Tally& player = found->second;
  player.first_seen_us = fresh ? opened_us : std::min(player.first_seen_us, opened_us);
  player.last_seen_us = fresh ? ended_us : std::max(player.last_seen_us, ended_us);
  ++player.games;
  if (outcome == won) ++player.wins;
  if (outcome == lost) ++player.losses;
  if (outcome == "draw") ++player.draws;
}

void Verifier::take_standing(const Row& row) {
  const std::string& key = cell(TableId::standing, row, "key").bytes;
  const std::uint64_t seq = number(TableId::standing, row, "seq");
  const auto wrong = [&](std::string_view why) { fault(fmt::format("standing: {}: {}", printable(key), why)); };
  const std::uint64_t kind = number(TableId::standing, row, "kind"),
                      version = number(TableId::standing, row, "version");
  const auto fact = core::decode(static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(version),
                                 cell(TableId::standing, row, "payload").bytes);
  if (!fact) return wrong(fact.error());
  if (const auto keyed = core::keyed_fact_of(*fact); !keyed || keyed->deleted || keyed->key != key) {
    return wrong("its fact does not make it stand");
  }
  const auto said = journal_.keyed_facts.find(key);
  if (said == journal_.keyed_facts.end()) {
    if (!journal_.before_journal(seq)) wrong("the journal does not tell of it");
    return;
  }
  if (!said->second) return wrong("fell, by the journal");
  if (*said->second != mark_of(TableId::standing, row)) wrong("is not the newest that the journal tells");
  journal_.keyed_facts.erase(said);
}

// All games have been seen when it comes.
void Verifier::take_used(const Row& row) {
  const std::uint64_t game = number(TableId::used, row, "last_game"), stamp = number(TableId::used, row, "last_stamp");
  const std::uint64_t newest = std::max(last_game_, journal_.last_game);
  if (game < newest) fault(fmt::format("used: last_game is {}, and there is game {}", game, newest));
  if (stamp < journal_.last_stamp) {
    fault(fmt::format("used: last_stamp is {}, and there is {}", stamp, journal_.last_stamp));
  }
}

void Verifier::take_mark(const Row& row) {
  const std::uint64_t seq = number(TableId::mark, row, "seq");
  const std::int64_t at_us = cell(TableId::mark, row, "at_us").number;
  if (seq > journal_.last) fault(fmt::format("mark: {} is after the journal's end, {}", seq, journal_.last));
  if (at_us <= mark_us_) fault(fmt::format("mark: {} is not later than the one before it", seq));
  mark_us_ = at_us;
}

void Verifier::take_told(TableId table, const Row& row, std::unordered_map<std::uint64_t, RowMark>& said) {
  const std::uint64_t seq = number(table, row, "seq");
  const std::string_view name = table_of(table).name;
  const auto found = said.find(seq);
  if (found == said.end()) {
    if (!journal_.before_journal(seq)) fault(fmt::format("{}: the journal does not tell of row {}", name, seq));
    return;
  }
  if (found->second != mark_of(table, row)) fault(fmt::format("{}: row {} is not what the journal tells", name, seq));
  said.erase(found);
}

void Verifier::take_rating(const Row& row) {
  const std::string& day = cell(TableId::rating, row, "day").bytes;
  const std::string& player = cell(TableId::rating, row, "player").bytes;
  const bool fine = is_day(day) && std::isfinite(cell(TableId::rating, row, "rate").real) &&
                    std::isfinite(cell(TableId::rating, row, "error").real);
  if (!fine) fault(fmt::format("rating: {} of {} is no rate of a day", printable(day), printable(player)));
}

void Verifier::take_player(const Row& row) {
  const std::string& id = cell(TableId::player, row, "id").bytes;
  const auto of = [&](std::string_view column) { return cell(TableId::player, row, column).number; };
  const Tally said{.first_seen_us = of("first_seen_us"),
                   .last_seen_us = of("last_seen_us"),
                   .games = of("games"),
                   .wins = of("wins"),
                   .losses = of("losses"),
                   .draws = of("draws")};
  const auto counted = players_.find(id);
  if (counted == players_.end()) return fault(fmt::format("player: {} has finished no game", printable(id)));
  if (counted->second != said) {
    const Tally& t = counted->second;
    fault(fmt::format("player: {}: {} games, {} won, {} lost, {} drawn, and not {}, {}, {}, {}; or other times",
                      printable(id), t.games, t.wins, t.losses, t.draws, said.games, said.wins, said.losses,
                      said.draws));
  }
  players_.erase(counted);
}

void Verifier::finish() {
  if (found_.rows[static_cast<std::size_t>(TableId::used)] != 1) fault("used: has not one row");
  for (const auto& [game, seq] : journal_.live) fault(fmt::format("live: lacks game {}, opened in row {}", game, seq));
  for (const auto& [game, mark] : journal_.finished) fault(fmt::format("game {}: has ended, and has no row", game));
  for (const auto& [key, mark] : journal_.keyed_facts) {
    if (mark) fault(fmt::format("standing: lacks {}", printable(key)));
  }
  for (const auto& [seq, mark] : journal_.audit) fault(fmt::format("audit: lacks row {}", seq));
  for (const auto& [seq, mark] : journal_.rounds) fault(fmt::format("round: lacks row {}", seq));
  for (const auto& [id, tally] : players_) fault(fmt::format("player: lacks {}", printable(id)));
}

std::expected<void, std::string> verify(Dump& dump, Verifier& verifier) {
  Row row;
  for (std::size_t i = 0; i < kTables; ++i) {
    if (auto opened = dump.open(tables()[i]); !opened) return opened;
    for (;;) {
      const auto there = dump.next(row);
      if (!there) return std::unexpected(there.error());
      if (!*there) break;
      verifier.take(TableId{static_cast<std::uint8_t>(i)}, row);
    }
  }
  verifier.finish();
  return {};
}

std::expected<void, TransferFault> verify(ExportReader& file, Verifier& verifier) {
  Row row;
  std::size_t table = 0;
  for (;;) {
    const auto there = file.next(table, row);
    if (!there) return std::unexpected(there.error());
    if (!*there) break;
    verifier.take(TableId{static_cast<std::uint8_t>(table)}, row);
  }
  verifier.finish();
  return {};
}

}  // namespace fuhyo::store
