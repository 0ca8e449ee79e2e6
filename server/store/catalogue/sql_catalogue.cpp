#include "server/store/catalogue/sql_catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "server/core/text_parts.h"
#include "server/store/read_games.h"
#include "server/store/words.h"

namespace fuhyo::store {
namespace {

using core::Outcome;

constexpr std::int64_t kFewest = 100;       // games that are looked up, however small the archive
constexpr std::int64_t kPage = 50;          // games that are asked for, usually
constexpr std::int64_t kMostNames = 5'000;  // different ones of games: beyond that a name is no way to its games
constexpr std::int64_t kMostNamed = 500;    // players whom one name with * may stand for

std::int64_t signed_value(std::uint64_t number) { return static_cast<std::int64_t>(number); }
core::GameId game_id(std::int64_t number) { return core::GameId{static_cast<std::uint64_t>(number)}; }

constexpr std::string_view kCounted = "p.games, p.wins, p.losses, p.draws, p.first_seen_us, p.last_seen_us";
// Without those that spectators have not seen the end of.
constexpr std::string_view kSeenCounted =
    "p.games - coalesce(unseen.games, 0) AS games, p.wins - coalesce(unseen.wins, 0) AS wins,"
    " p.losses - coalesce(unseen.losses, 0) AS losses, p.draws - coalesce(unseen.draws, 0) AS draws, p.first_seen_us,"
    " CASE WHEN unseen.id IS NULL THEN p.last_seen_us ELSE unseen.since_us END AS last_seen_us";

// " FROM player AS p .. WHERE ..": of those who have finished a game, as far as spectators know.
SqlQuery& of_players(SqlQuery& sql, const Seen& seen) {
  sql << " FROM player AS p";
  if (seen.empty()) return sql << " WHERE 1 = 1";
  join_unseen(sql, seen);
  return sql << " WHERE (unseen.id IS NULL OR p.games > unseen.games)";
}

// Before and behind what says which players: their rows as player_of() takes them.
constexpr std::string_view kRated =
    "SELECT p.id, p.name, coalesce(r.rate, 0.0) AS rate, coalesce(r.error, 0.0),"
    " CASE WHEN r.rate IS NULL THEN 0 ELSE 1 END AS rated, games, wins, losses, draws, first_seen_us, last_seen_us"
    " FROM (";
constexpr std::string_view kRates =
    ") AS p LEFT JOIN rating AS r ON r.player = p.id AND r.day = (SELECT max(day) FROM rating)";
SqlQuery& counted_players(SqlQuery& sql, const Seen& seen) {
  return of_players(sql << "SELECT p.id, p.name, " << (seen.empty() ? kCounted : kSeenCounted), seen);
}

core::PlayerRow player_of(const SqlRow& row) {
  core::PlayerRow player{.id = text(row, 0), .name = text(row, 1)};
  if (integer(row, 4) != 0) player.rate = real(row, 2);
  player.error = real(row, 3);
  player.tally = {
      .games = integer(row, 5), .wins = integer(row, 6), .losses = integer(row, 7), .draws = integer(row, 8)};
  player.first_seen = core::Wall{integer(row, 9)};
  player.last_seen = core::Wall{integer(row, 10)};
  return player;
}

void add_order(SqlQuery& sql, core::PlayerQuery::Order order) {
  using enum core::PlayerQuery::Order;
  sql << " ORDER BY ";
  if (order == rate) sql << "5 DESC, 3 DESC, 6 DESC, ";
  if (order == games) sql << "games DESC, ";
  if (order == recent) sql << "last_seen_us DESC, ";
  if (order == name) (sql << "lower(").bytewise("p.name") << "), ";
  sql.bytewise("p.id");
}

void add(core::Tally& tally, std::int64_t games, Outcome outcome, bool black) {
  tally.games += games;
  if (outcome == Outcome::draw) tally.draws += games;
  if (outcome == Outcome::black_wins) (black ? tally.wins : tally.losses) += games;
  if (outcome == Outcome::white_wins) (black ? tally.losses : tally.wins) += games;
}

// Most games first.
template <class Counted, class Name>
std::vector<Counted> ranked(const std::map<std::string, core::Tally>& tallies, Name name, std::size_t most) {
  std::vector<Counted> list;
  for (const auto& [key, tally] : tallies) {
    Counted counted;
    counted.*name = key;
    counted.tally = tally;
    list.push_back(std::move(counted));
  }
  std::ranges::sort(list, [&](const Counted& a, const Counted& b) {
    return a.tally.games != b.tally.games ? a.tally.games > b.tally.games : a.*name < b.*name;
  });
  if (list.size() > most) list.resize(most);
  return list;
}

}  // namespace

// Nothing: the query names nobody.
core::Catalogue::Answer<std::optional<PlayerMatch>> SqlCatalogue::players_named(const std::string& who) {
  if (who.empty()) return std::nullopt;
  PlayerMatch found;
  const bool is_id = who.find('+') != std::string::npos && who.find('*') == std::string::npos;
  if (is_id && who.ends_with('+')) {
    found.nameless = who.substr(0, who.size() - 1);
    found.exactly = true;
  } else if (is_id) {
    found.ids.push_back(who);
  }
  if (is_id) return found;
  found.nameless = who;
  SqlQuery which = sql();
  (which << "SELECT id FROM player WHERE ").like("name", who);
  which << fmt::format(" ORDER BY games DESC LIMIT {}", kMostNamed);
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  for (const SqlRow& row : *rows) found.ids.push_back(text(row, 0));
  return found;
}

core::Catalogue::Answer<std::int64_t> SqlCatalogue::ended_us(core::GameId game) {
  if (core::value(game) == 0) return 0;
  SqlQuery when = sql();
  (when << "SELECT ended_us FROM game WHERE game = ").value(signed_value(core::value(game)));
  and_seen(when, "", seen_);
  const auto rows = ask(when);
  if (!rows) return std::unexpected(rows.error());
  return rows->empty() ? 0 : integer(rows->front(), 0);
}

// The names of games that a query means. Nothing: there are too many to look for them.
core::Catalogue::Answer<std::optional<std::vector<std::string>>> SqlCatalogue::names_like(const std::string& pattern) {
  std::vector<std::string> names;
  if (pattern.empty()) return names;
  SqlQuery which = sql();
  (which << each_game_name(kMostNames) << " SELECT n, nth FROM name WHERE n IS NOT NULL AND (").like("n", pattern);
  which << fmt::format(" OR nth = {})", kMostNames);
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  for (const SqlRow& row : *rows) {
    if (integer(row, 1) == kMostNames) return std::nullopt;
    names.push_back(text(row, 0));
  }
  return names;
}

// By when all games were over that began before then: nearly all end within a day.
core::Catalogue::Answer<std::int64_t> SqlCatalogue::over_by_us(std::int64_t began_us) {
  const auto rows = ask(long_games_query(connection_->dialect(), began_us));
  if (!rows) return std::unexpected(rows.error());
  return std::max(began_us + kLongGame_us, integer(rows->front(), 0));
}

// The rarest of what is asked for, if games that have it are found sooner one by one than by going through all games
// until a page is full: of so many games as `few` with it, each costs as much as the other.
core::Catalogue::Answer<std::optional<Criterion>> SqlCatalogue::rarest(const ResolvedQuery& resolved) {
  std::optional<Criterion> found;
  const std::vector<Criterion> criteria = criteria_of(resolved);
  if (criteria.empty()) return found;
  SqlQuery newest = sql();
  const auto all = ask(newest << "SELECT coalesce(max(game), 0) FROM game");
  if (!all) return std::unexpected(all.error());
  auto few = static_cast<std::int64_t>(std::sqrt(static_cast<double>(kPage * integer(all->front(), 0))));
  few = std::max(few, kFewest);
  for (const Criterion criterion : criteria) {
    if (criterion == Criterion::game_name && !resolved.game_names) continue;
    SqlQuery count = sql();
    add_games_with(count << "SELECT count(*) FROM (", resolved, criterion, "1");
    count << fmt::format(" LIMIT {}) AS found", few);
    const auto rows = ask(count);
    if (!rows) return std::unexpected(rows.error());
    if (integer(rows->front(), 0) >= few) continue;
    few = integer(rows->front(), 0);
    found = criterion;
  }
  // The games of one player lie in the order in which they ended: nothing is better where nothing is rarer.
  if (found == Criterion::player && is_one(resolved.player)) return std::nullopt;
  if (found == Criterion::opponent && is_one(resolved.opponent)) return std::nullopt;
  return found;
}

core::Catalogue::Answer<ResolvedQuery> SqlCatalogue::resolve(const core::GameQuery& query) {
  auto player = players_named(query.player), opponent = players_named(query.opponent);
  if (!player) return std::unexpected(player.error());
  if (!opponent) return std::unexpected(opponent.error());
  const auto before = ended_us(query.before);
  if (!before) return std::unexpected(before.error());
  ResolvedQuery resolved{.query = query,
                         .player = std::move(*player),
                         .opponent = std::move(*opponent),
                         .before_us = *before,
                         .seen = seen_};
  auto names = names_like(query.game_name);
  if (!names) return std::unexpected(names.error());
  resolved.game_names = std::move(*names);
  const auto over = query.to.empty() ? 0 : over_by_us(latest_us(query.to));
  if (!over) return std::unexpected(over.error());
  resolved.over_by_us = *over;
  const auto rare = rarest(resolved);
  if (!rare) return std::unexpected(rare.error());
  resolved.rare = *rare;
  return resolved;
}

core::Catalogue::Answer<std::vector<core::FinishedGame>> SqlCatalogue::games(const core::GameQuery& query) {
  const auto resolved = resolve(query);
  if (!resolved) return std::unexpected(resolved.error());
  const auto rows = ask(games_query(connection_->dialect(), *resolved));
  if (!rows) return std::unexpected(rows.error());
  std::vector<core::FinishedGame> games;
  games.reserve(rows->size());
  for (const SqlRow& row : *rows) games.push_back(listed_game(row));
  return games;
}

core::Catalogue::Answer<core::CrossAnswer> SqlCatalogue::cross_table(const core::CrossQuery& query) {
  core::GameQuery all = query.games;
  all.before = {};
  const auto resolved = resolve(all);
  if (!resolved) return std::unexpected(resolved.error());
  const auto rows = ask(cross_query(connection_->dialect(), *resolved, query.players));
  if (!rows) return std::unexpected(rows.error());
  core::CrossAnswer answer;
  std::vector<std::string> entrants;
  std::vector<core::CrossResult> results;
  for (const SqlRow& row : *rows) {
    const std::string &black = text(row, 0), &white = text(row, 1), &what = text(row, 2);
    const std::int64_t count = integer(row, 3);
    if (black.empty())
      (what == "players" ? answer.players : answer.games) = count;
    else if (white.empty())
      entrants.push_back(black);
    else
      results.push_back({.black = black, .white = white, .outcome = outcome_of(what), .games = count});
  }
  answer.table = core::CrossTable::of(entrants, results);
  return answer;
}

core::Catalogue::Answer<std::optional<core::FinishedGame>> SqlCatalogue::game(core::GameId id) {
  const auto rows = ask(game_query(connection_->dialect(), id, seen_));
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty()) return std::nullopt;
  return whole_game(rows->front());
}

core::Catalogue::Answer<core::PlayerList> SqlCatalogue::players(const core::PlayerQuery& query) {
  const auto named = [&](SqlQuery& players) {
    if (!query.name.empty()) (players << " AND ").like("p.name", "*" + query.name + "*");
  };
  const auto page = [&](SqlQuery& players) {
    add_order(players, query.order);
    (players << " LIMIT ").value(signed_value(query.limit));
    (players << " OFFSET ").value(signed_value(query.offset));
  };
  SqlQuery count = sql();
  named(of_players(count << "SELECT count(*)", seen_));
  const auto total = ask(count);
  if (!total) return std::unexpected(total.error());
  // Sorted before anything is added to each of them, but where that is the order.
  const bool by_rate = query.order == core::PlayerQuery::Order::rate;
  SqlQuery which = sql();
  named(counted_players(which << kRated, seen_));
  if (!by_rate) page(which);
  which << kRates;
  if (by_rate) page(which);
  if (!by_rate) add_order(which, query.order);
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  core::PlayerList list{.total = integer(total->front(), 0), .players = {}};
  for (const SqlRow& row : *rows) list.players.push_back(player_of(row));
  return list;
}

core::Catalogue::Answer<std::optional<core::PlayerPage>> SqlCatalogue::player(const std::string& id) {
  SqlQuery who = sql();
  (counted_players(who << kRated, seen_) << " AND p.id = ").value(id) << kRates;
  const auto found = ask(who);
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return std::nullopt;
  core::PlayerPage page{.player = player_of(found->front())};
  SqlQuery when = sql();
  (when << "SELECT day, rate, error FROM rating WHERE player = ").value(id) << " ORDER BY day";
  const auto days = ask(when);
  if (!days) return std::unexpected(days.error());
  for (const SqlRow& row : *days) page.days.push_back({text(row, 0), real(row, 1), real(row, 2)});
  if (const auto added = add_games_of(page); !added) return std::unexpected(added.error());
  return page;
}

core::Catalogue::Answer<bool> SqlCatalogue::add_games_of(core::PlayerPage& page) {
  std::map<std::string, core::Tally> rivals, ends;
  for (const bool black : {true, false}) {
    const std::string_view own = black ? "black_id" : "white_id", other = black ? "white_id" : "black_id";
    SqlQuery counts = sql();
    (counts << "SELECT " << other << ", outcome, end_kind, count(*) FROM game WHERE " << own << " = ")
        .value(page.player.id);
    and_seen(counts, "", seen_);
    counts << " GROUP BY " << other << ", outcome, end_kind";
    const auto rows = ask(counts);
    if (!rows) return std::unexpected(rows.error());
    for (const SqlRow& row : *rows) {
      const Outcome outcome = outcome_of(text(row, 1));
      add(black ? page.black : page.white, integer(row, 3), outcome, black);
      if (!text(row, 0).empty()) add(rivals[text(row, 0)], integer(row, 3), outcome, black);
      add(ends[text(row, 2)], integer(row, 3), outcome, black);
    }
  }
  page.rivals = ranked<core::PlayerRival>(rivals, &core::PlayerRival::id, core::PlayerPage::kRivals);
  page.ends = ranked<core::PlayerEnds>(ends, &core::PlayerEnds::kind, ends.size());
  return true;
}

core::Catalogue::Answer<core::RoundList> SqlCatalogue::rounds(const core::RoundQuery& query) {
  SqlQuery groups = sql();
  (groups << "SELECT game_name, count(*) FROM round GROUP BY game_name ORDER BY ").bytewise("game_name");
  const auto counted = ask(groups);
  if (!counted) return std::unexpected(counted.error());
  core::RoundList list;
  for (const SqlRow& row : *counted) list.groups.push_back({text(row, 0), integer(row, 1)});
  SqlQuery which = sql();
  which << "SELECT seq, game_name, number, games, sat_out, at_us FROM round WHERE 1 = 1";
  if (!query.group.empty()) (which << " AND game_name = ").value(query.group);
  if (core::value(query.before) != 0) (which << " AND seq < ").value(signed_value(core::value(query.before)));
  (which << " ORDER BY seq DESC LIMIT ").value(signed_value(query.limit));
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  for (const SqlRow& row : *rows) {
    core::RoundRow round{.seq = core::Seq{static_cast<std::uint64_t>(integer(row, 0))},
                         .group = text(row, 1),
                         .number = integer(row, 2),
                         .at = core::Wall{integer(row, 5)},
                         .games = {},
                         .sat_out = core::parts_of<std::string>(text(row, 4), '\n')};
    for (const std::string& pair : core::parts_of<std::string>(text(row, 3), '\n')) {
      const std::size_t blank = pair.find(' ');
      if (blank != std::string::npos) round.games.push_back({pair.substr(0, blank), pair.substr(blank + 1), {}, {}});
    }
    list.rounds.push_back(std::move(round));
  }
  std::map<std::string, std::vector<core::RoundRow*>> of_group;
  for (core::RoundRow& round : list.rounds) of_group[round.group].push_back(&round);
  for (const auto& [group, rounds] : of_group) {
    if (const auto added = add_games_of(rounds); !added) return std::unexpected(added.error());
  }
  return list;
}

// A round does not know the numbers of its games: they opened when it was paired, or a little later where two who were
// owed a game of it met; before the next one, for that of the same pair is another. `rounds`: of one group, all that
// there are between two of them, the newest first; their games are found by one look through the archive.
core::Catalogue::Answer<bool> SqlCatalogue::add_games_of(const std::vector<core::RoundRow*>& rounds) {
  const core::RoundRow &newest = *rounds.front(), &oldest = *rounds.back();
  SqlQuery next = sql();
  (next << "SELECT at_us FROM round WHERE game_name = ").value(newest.group);
  (next << " AND number > ").value(newest.number) << " ORDER BY number LIMIT 1";
  const auto later = ask(next);
  if (!later) return std::unexpected(later.error());
  const auto over = later->empty() ? 0 : over_by_us(integer(later->front(), 0));
  if (!over) return std::unexpected(over.error());
  SqlQuery which = sql();
  which << "SELECT game, black_id, white_id, outcome, opened_us FROM game WHERE game_name = ";
  (which.value(newest.group) << " AND ended_us >= ").value(oldest.at.us);
  (which << " AND opened_us >= ").value(oldest.at.us);
  if (!later->empty()) {
    (which << " AND opened_us < ").value(integer(later->front(), 0));
    (which << " AND ended_us <= ").value(*over);
  }
  and_seen(which, "", seen_);
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  for (const SqlRow& row : *rows) {
    const auto at = std::ranges::find_if(rounds, [&](const auto* round) { return round->at.us <= integer(row, 4); });
    if (at == rounds.end()) continue;
    const auto of_it = std::ranges::find_if((*at)->games, [&](const core::RoundGame& game) {
      return core::value(game.game) == 0 && game.black == text(row, 1) && game.white == text(row, 2);
    });
    if (of_it == (*at)->games.end()) continue;
    of_it->game = game_id(integer(row, 0));
    of_it->outcome = outcome_of(text(row, 3));
  }
  return true;
}

core::Catalogue::Answer<std::vector<core::Fact>> SqlCatalogue::buoys(const core::BuoyQuery& query) {
  std::vector<core::Fact> facts;
  const auto add = [&](const SqlQuery& which) -> std::optional<Fault> {
    const auto rows = ask(which);
    if (!rows) return rows.error();
    for (const SqlRow& row : *rows) {
      auto fact = core::decode(static_cast<std::uint16_t>(integer(row, 0)), static_cast<std::uint16_t>(integer(row, 1)),
                               text(row, 2));
      if (!fact) return Fault{fact.error()};
      facts.push_back(std::move(*fact));
    }
    return std::nullopt;
  };
  if (query.after.empty()) {
    SqlQuery sets = sql();
    (sets << "SELECT kind, version, payload FROM standing WHERE key LIKE 'set/%' ORDER BY ").bytewise("key");
    if (auto fault = add(sets)) return std::unexpected(std::move(*fault));
  }
  SqlQuery buoys = sql();
  (buoys << "SELECT kind, version, payload FROM standing WHERE key LIKE 'buoy/%' AND ").bytewise("key") << " > ";
  (buoys.value("buoy/" + query.after) << " ORDER BY ").bytewise("key");
  buoys << fmt::format(" LIMIT {}", query.limit);
  if (auto fault = add(buoys)) return std::unexpected(std::move(*fault));
  return facts;
}

core::Catalogue::Answer<std::vector<core::Continuation>> SqlCatalogue::continuations(std::int64_t position) {
  SqlQuery which = sql();
  which << "SELECT o.move, count(*), CAST(sum(CASE WHEN g.outcome = 'black_wins' THEN 1 ELSE 0 END) AS bigint),"
           " CAST(sum(CASE WHEN g.outcome = 'white_wins' THEN 1 ELSE 0 END) AS bigint),"
           " CAST(sum(CASE WHEN g.outcome = 'draw' THEN 1 ELSE 0 END) AS bigint), max(o.game)"
           " FROM (SELECT game, move FROM occurrence WHERE key = ";
  which.value(position);
  which << fmt::format(" ORDER BY game DESC LIMIT {}) AS o JOIN game AS g ON g.game = o.game", kMostContinued);
  which << " WHERE o.move <> ''";
  and_seen(which, "g.", seen_);
  (which << " GROUP BY o.move ORDER BY 2 DESC, ").bytewise("o.move");
  const auto rows = ask(which);
  if (!rows) return std::unexpected(rows.error());
  std::vector<core::Continuation> found;
  for (const SqlRow& row : *rows) {
    found.push_back({.move = text(row, 0),
                     .games = integer(row, 1),
                     .black_wins = integer(row, 2),
                     .white_wins = integer(row, 3),
                     .draws = integer(row, 4),
                     .last = game_id(integer(row, 5))});
  }
  return found;
}

}  // namespace fuhyo::store
