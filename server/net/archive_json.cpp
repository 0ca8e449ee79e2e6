#include "server/net/archive_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "engines/record/csa_move.h"
#include "engines/shogi/position.h"
#include "server/core/buoys/start_position.h"
#include "server/core/civil_time.h"
#include "server/core/games/game.h"
#include "server/core/position_key.h"
#include "server/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

json::value number_or_null(std::uint64_t number) {
  if (number == 0) return nullptr;
  return number;
}

json::object seat(const core::Seat& seat, std::int32_t rate) {
  json::object result{{"name", clean(seat.name)}, {"id", text_or_null(seat.id)}, {"builtin", seat.builtin}};
  result["rate"] = rate == 0 ? json::value(nullptr) : json::value(rate);
  return result;
}

// When a day of the server's, "2026-11-21", is over: readers elsewhere have other days.
json::value end_of_day(std::string_view day, const core::TimeZone& zone) {
  if (day.size() != 10) return nullptr;
  return ms(core::wall_at_local((core::days_from_civil(day) + 1) * 86'400, zone));
}

json::object game_row(const core::FinishedGame& game) {
  const core::GameOpened& opened = game.opened;
  return {{"id", core::value(opened.game)},
          {"csa_id", clean(opened.csa_id)},
          {"room", clean(opened.room)},
          {"name", clean(opened.game_name)},
          {"black", seat(opened.black, opened.black_rate)},
          {"white", seat(opened.white, opened.white_rate)},
          {"time", time_json(opened.time)},
          {"white_time", time_or_null(opened.white_time)},
          {"rated", opened.rated},
          {"date", clean(opened.local_time)},
          {"opened_at_ms", ms(opened.at)},
          {"ended_at_ms", ms(game.ended.at)},
          {"plies", game.ended.plies},
          {"kind", core::summary_type(game.ended.kind)},
          {"outcome", outcome_name(game.ended.outcome)},
          {"reason", clean(game.ended.reason)},
          {"start_sfen", clean(opened.start_sfen)},
          {"opening", text_or_null(core::opening_of(opened.start_sfen, game.moves))}};
}

json::object tally(const core::Tally& tally) {
  return {{"games", tally.games}, {"wins", tally.wins}, {"losses", tally.losses}, {"draws", tally.draws}};
}

// "name+trip"; of "name+" there is no id.
json::object cross_player(const core::CrossTable::Player& player) {
  const std::size_t plus = player.who.rfind('+');
  json::object result{{"id", nullptr}, {"name", clean(std::string_view(player.who).substr(0, plus))}};
  if (plus + 1 != player.who.size()) result["id"] = clean(player.who);
  for (auto& [key, count] : tally(player.tally)) result[key] = count;
  result["points"] = player.tally.points();
  return result;
}

json::value error_of(double error) {
  if (error == 0) return nullptr;
  return error;
}

json::object player_row(const core::PlayerRow& player) {
  json::object result{{"id", clean(player.id)}, {"name", clean(player.name)}, {"rate", nullptr}, {"error", nullptr}};
  if (player.rate) {
    result["rate"] = *player.rate;
    result["error"] = error_of(player.error);
  }
  for (auto& [key, count] : tally(player.tally)) result[key] = count;
  result["first_seen_ms"] = ms(player.first_seen);
  result["last_seen_ms"] = ms(player.last_seen);
  return result;
}

json::object round_row(const core::RoundRow& round) {
  json::array games, sat_out;
  for (const core::RoundGame& game : round.games) {
    json::object row{{"black", clean(game.black)}, {"white", clean(game.white)}};
    row["game"] = number_or_null(core::value(game.game));
    row["outcome"] = game.outcome ? json::value(outcome_name(*game.outcome)) : json::value(nullptr);
    games.push_back(std::move(row));
  }
  for (const std::string& id : round.sat_out) sat_out.push_back(clean(id));
  return {{"seq", core::value(round.seq)}, {"group", clean(round.group)}, {"number", round.number},
          {"at_ms", ms(round.at)},         {"games", std::move(games)},   {"sat_out", std::move(sat_out)}};
}

// The position after these moves; empty if one of them is none.
std::string position_after(const std::string& start_sfen, const std::vector<std::string>& moves) {
  auto position = shogi::Position::from_sfen(start_sfen);
  if (!position) return {};
  for (const std::string_view text : moves) {
    if (!core::play(*position, text)) return {};
  }
  return position->sfen();
}

json::object buoy(const core::BuoySet& set) {
  json::array moves;
  for (const std::string_view move : set.moves) moves.push_back(clean(move.substr(0, move.find(','))));
  return {{"name", clean(set.name)},
          {"owner", clean(set.owner)},
          {"count", set.count},
          {"start_sfen", clean(set.start_sfen)},
          {"moves", std::move(moves)},
          {"sfen", text_or_null(position_after(set.start_sfen, set.moves))},
          {"set", clean(set.set)},
          {"title", clean(set.title)},
          {"comment", clean(set.comment)},
          {"at_ms", ms(set.at)}};
}

json::object position_set(const core::PositionSetLoaded& set) {
  json::array positions;
  if (const auto read = core::read_position_set(set.text)) {
    for (const core::StartPosition& start : *read) {
      const std::string sfen = position_after(start.sfen, start.moves);
      if (!sfen.empty()) positions.push_back(json::object{{"title", clean(start.title)}, {"sfen", clean(sfen)}});
    }
  }
  return {{"name", clean(set.name)}, {"positions", std::move(positions)}};
}

std::string answer(json::object object) {
  object["v"] = kJsonVersion;
  return json::serialize(object);
}

// U+FFFE and U+FFFF are characters of JSON, but not of XML: a reader would refuse the whole feed.
bool is_noncharacter(std::string_view text) {
  return text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
}

std::string xml(std::string_view text) {
  std::string out;
  const std::string fine = clean_utf8(text);
  for (std::string_view rest = fine; !rest.empty(); rest.remove_prefix(1)) {
    const char c = rest.front();
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (is_noncharacter(rest))
      out += "\xef\xbf\xbd", rest.remove_prefix(2);
    else
      out += c;
  }
  return out;
}

// "Sun, 22 Nov 2026 18:00:00 +0000" (RFC 822 as RSS has it, with four digits of the year).
std::string rfc822(core::Wall wall) {
  constexpr std::string_view kDays = "MonTueWedThuFriSatSun", kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const core::CivilTime at = core::civil(wall, {});
  const auto weekday = static_cast<std::size_t>(core::iso_weekday(core::days_from_civil(at.year, at.month, at.day)));
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000", kDays.substr(3 * (weekday - 1), 3), at.day,
                     kMonths.substr(3 * static_cast<std::size_t>(at.month - 1), 3), at.year, at.hour, at.minute,
                     at.second);
}

std::string_view in_words(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::black_wins:
      return "Black won";
    case core::Outcome::white_wins:
      return "White won";
    case core::Outcome::draw:
      return "drawn";
    case core::Outcome::none:
      break;
  }
  return "no result";
}

}  // namespace

std::string games_json(const std::vector<core::FinishedGame>& games, bool more) {
  json::array rows;
  for (const core::FinishedGame& game : games) rows.push_back(game_row(game));
  const std::uint64_t next = more && !games.empty() ? core::value(games.back().opened.game) : 0;
  return answer({{"games", std::move(rows)}, {"next", number_or_null(next)}});
}

std::string cross_json(const core::CrossAnswer& answer_of) {
  json::array players, cells;
  for (const core::CrossTable::Player& player : answer_of.table.players) players.push_back(cross_player(player));
  for (const auto& [row, column, met] : answer_of.table.cells) {
    cells.push_back(json::array{row, column, met.wins, met.losses, met.draws});
  }
  return answer({{"total", {{"players", answer_of.players}, {"games", answer_of.games}}},
                 {"players", std::move(players)},
                 {"cells", std::move(cells)}});
}

std::string players_json(const core::PlayerList& list) {
  json::array rows;
  for (const core::PlayerRow& player : list.players) rows.push_back(player_row(player));
  return answer({{"total", list.total}, {"players", std::move(rows)}});
}

std::string player_json(const core::PlayerPage& page, const core::TimeZone& zone) {
  json::array days, rivals, ends;
  for (const core::PlayerDay& day : page.days) {
    days.push_back({clean(day.day), day.rate, error_of(day.error), end_of_day(day.day, zone)});
  }
  for (const core::PlayerRival& rival : page.rivals) {
    json::object row{{"id", clean(rival.id)}, {"name", clean(rival.id.substr(0, rival.id.rfind('+')))}};
    for (auto& [key, count] : tally(rival.tally)) row[key] = count;
    rivals.push_back(std::move(row));
  }
  for (const core::PlayerEnds& end : page.ends) {
    ends.push_back(json::object{
        {"kind", clean(end.kind)}, {"wins", end.tally.wins}, {"losses", end.tally.losses}, {"draws", end.tally.draws}});
  }
  return answer({{"player", player_row(page.player)},
                 {"days", std::move(days)},
                 {"black", tally(page.black)},
                 {"white", tally(page.white)},
                 {"opponents", std::move(rivals)},
                 {"ends", std::move(ends)}});
}

std::string rounds_json(const core::RoundList& list, const std::vector<RoundTime>& times, bool more) {
  json::array groups, rounds;
  const auto add = [&](std::string_view name, std::int64_t held) {
    const auto time = std::ranges::find(times, name, &RoundTime::group);
    json::object group{{"name", clean(name)}, {"next_at_ms", nullptr}, {"rounds", held}};
    if (time != times.end() && time->next) group["next_at_ms"] = ms(*time->next);
    groups.push_back(std::move(group));
  };
  for (const RoundTime& time : times) {
    const auto held = std::ranges::find(list.groups, time.group, &core::RoundList::Group::name);
    add(time.group, held == list.groups.end() ? 0 : held->rounds);
  }
  for (const core::RoundList::Group& group : list.groups) {
    if (std::ranges::find(times, group.name, &RoundTime::group) == times.end()) add(group.name, group.rounds);
  }
  for (const core::RoundRow& round : list.rounds) rounds.push_back(round_row(round));
  const std::uint64_t next = more && !list.rounds.empty() ? core::value(list.rounds.back().seq) : 0;
  return answer({{"groups", std::move(groups)}, {"rounds", std::move(rounds)}, {"next", number_or_null(next)}});
}

std::string buoys_json(const std::vector<core::Fact>& facts, std::size_t most) {
  json::array buoys, sets;
  json::value next;
  for (const core::Fact& fact : facts) {
    if (const auto* set = std::get_if<core::PositionSetLoaded>(&fact)) sets.push_back(position_set(*set));
    const auto* set = std::get_if<core::BuoySet>(&fact);
    if (set == nullptr) continue;
    if (buoys.size() == most) {
      next = buoys.back().at("name");
      break;
    }
    buoys.push_back(buoy(*set));
  }
  return answer({{"buoys", std::move(buoys)}, {"sets", std::move(sets)}, {"next", std::move(next)}});
}

std::string continuations_json(const std::vector<core::Continuation>& moves) {
  json::array rows;
  std::int64_t games = 0;
  for (const core::Continuation& move : moves) {
    games += move.games;
    rows.push_back(json::object{{"move", move.move},
                                {"games", move.games},
                                {"black", move.black_wins},
                                {"white", move.white_wins},
                                {"draws", move.draws},
                                {"last", core::value(move.last)}});
  }
  return answer({{"games", games}, {"moves", std::move(rows)}});
}

std::string games_rss(const std::vector<core::FinishedGame>& games, std::string_view site) {
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>Games</title><link>{0}/games"
      "</link><description>Games that have ended</description>\n",
      xml(site));
  for (const core::FinishedGame& game : games) {
    const core::GameOpened& opened = game.opened;
    const std::string address = fmt::format("{}/game/{}", site, core::value(opened.game));
    out += fmt::format(
        "<item><title>{} - {}: {}</title><link>{}</link><guid>{}</guid><pubDate>{}</pubDate><description>{}, {} moves,"
        " {}</description></item>\n",
        xml(opened.black.name), xml(opened.white.name), in_words(game.ended.outcome), xml(address), xml(address),
        rfc822(game.ended.at), xml(opened.game_name), game.ended.plies, core::summary_type(game.ended.kind));
  }
  return out + "</channel></rss>\n";
}

}  // namespace fuhyo::net
