#include "server/app/tournament/trf.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engines/shogi/number.h"
#include "server/core/tournament/explain.h"
#include "server/core/tournament/ledger.h"
#include "server/core/tournament/standings.h"
#include "server/csa/command.h"

namespace fuhyo::app {
namespace {

using namespace core::tournament;

constexpr std::size_t kMostName = 33, kMostLogin = 32, kRoundsFrom = 91, kRoundWidth = 10;
constexpr Points kTenth{100};

// ---- writing ----

// One round of one player: "  12 w 1".
struct Cell {
  std::size_t opponent = 0;  // its number; 0: none
  char colour = '-', result = 'Z';
};

Cell cell_of_game(const RoundCell& played) {
  for (const Mark& mark : played.marks) {
    if (mark.repeated || !mark.decided()) continue;
    const bool forfeit = mark.how == How::forfeit;
    Cell cell{.opponent = played.opponent + 1, .colour = mark.black ? 'w' : 'b', .result = '='};
    if (mark.sign == Sign::win) cell.result = forfeit ? '+' : '1';
    if (mark.sign == Sign::loss) cell.result = forfeit ? '-' : '0';
    return cell;
  }
  return {};  // void
}

Cell cell_of(const Ledger& ledger, std::size_t place, int round) {
  const RoundCell& cell = ledger.cell(place, round);
  const Scoring& scoring = ledger.settings->scoring;
  if (cell.annulled) return {};
  switch (cell.kind) {
    case RoundCell::Kind::game:
      return cell_of_game(cell);
    case RoundCell::Kind::walkover:
      if (ledger.cell(cell.opponent, round).kind != RoundCell::Kind::defaulted) return {.result = 'F'};
      return {.opponent = cell.opponent + 1, .colour = 'w', .result = '+'};
    case RoundCell::Kind::defaulted:
      return {.opponent = cell.opponent + 1, .colour = 'b', .result = '-'};
    case RoundCell::Kind::bye:
      return {.result = 'U'};
    case RoundCell::Kind::absent:
      if (cell.points == kNoPoints) return {};
      return {.result = cell.points == scoring.win ? 'F' : 'H'};
    case RoundCell::Kind::rest:
    case RoundCell::Kind::none:
      break;
  }
  return {};
}

// What readers of the file take it for.
Points points_of(const Scoring& scoring, char result) {
  switch (result) {
    case '1':
    case '+':
    case 'F':
      return scoring.win;
    case '=':
    case 'H':
      return scoring.draw_black;
    case '0':
      return scoring.loss;
    case '-':
      return scoring.forfeit_loss;
    case 'U':
      return scoring.bye;
    default:
      return kNoPoints;
  }
}

std::string tenths(Points points) { return fmt::format("{}.{}", points.milli / 1000, points.milli / 100 % 10); }

std::string scoring_lines(const Scoring& scoring) {
  std::string text;
  const auto line = [&](std::string_view code, Points points, Points usual) {
    if (points != usual) text += fmt::format("{} {:>4}\n", code, tenths(points));
  };
  line("BBW", scoring.win, kPoint);
  line("BBD", scoring.draw_black, kHalfPoint);
  line("BBL", scoring.loss, kNoPoints);
  line("BBF", scoring.forfeit_loss, kNoPoints);
  line("BBU", scoring.bye, scoring.win);
  return text;
}

std::expected<std::string, std::string> player_line(const Ledger& ledger, std::size_t place, int rank, int rate) {
  const LedgerRow& one = ledger.rows[place];
  std::string rounds;
  Points sum;
  for (int round = 1; round <= ledger.rounds; ++round) {
    const Cell cell = cell_of(ledger, place, round);
    rounds += fmt::format("  {:>4} {} {}", cell.opponent == 0 ? "0000" : std::to_string(cell.opponent), cell.colour,
                          cell.result);
    sum += points_of(ledger.settings->scoring, cell.result);
  }
  if (sum != one.points || sum.milli % kTenth.milli != 0 || sum < kNoPoints) {
    return std::unexpected(fmt::format("TRF cannot say the {} points of {}", to_text(one.points), one.player));
  }
  return fmt::format("001 {:>4}      {:<33} {:>4} {:>3} {:>11} {:>10} {:>4} {:>4}{}\n", place + 1,
                     one.player.substr(0, kMostName), std::clamp(rate, 0, 9999), "", "", "", tenths(sum), rank, rounds);
}

// ---- reading ----

struct Player {
  int line = 0;  // of the file
  std::string name, login;
  int rate = 0;
  std::vector<Cell> rounds;
};
using Players = std::map<std::size_t, Player>;  // by their numbers

std::string_view column(std::string_view line, std::size_t from, std::size_t width) {
  std::string_view text = line.substr(std::min(from, line.size()), width);
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "Meier, Anna" is "Meier--Anna"; not what another one has.
std::string login_of(std::string_view name, std::size_t number, const std::set<std::string>& taken) {
  std::string login(name.substr(0, kMostLogin));
  for (char& c : login) {
    if (!csa::is_identifier(std::string_view(&c, 1), 1)) c = '-';
  }
  if (login.find_first_not_of('-') == login.npos) login = fmt::format("player{}", number);
  if (taken.contains(login)) login = fmt::format("{}-{}", login.substr(0, kMostLogin - 5), number);
  return login;
}

// What the opponent of who has this result has; nothing: no result of a game.
std::optional<char> other_result(char result) {
  constexpr std::string_view kResults = "10=WLD+- ", kOthers = "01=LWD-+ ";
  const std::size_t at = kResults.find(result);
  return at == kResults.npos ? std::nullopt : std::optional(kOthers[at]);
}

class TrfReader {
 public:
  std::expected<Players, std::vector<Problem>> read(std::string_view text) {
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = text.find_first_of("\r\n");
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
      if (line.starts_with("001")) player(line, number);
    }
    if (players_.empty()) complain(1, "there is no player (a line that begins with 001)");
    for (const auto& [number, one] : players_) judge(number, one);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(players_);
  }

 private:
  void complain(int line, std::string text) { problems_.push_back({.line = line, .text = std::move(text)}); }

  void player(std::string_view line, int at) {
    const auto number = shogi::number_of<std::size_t>(column(line, 4, 4));
    const std::string name(column(line, 14, kMostName));
    if (!number || *number == 0 || *number > kMostEntrants || name.empty()) {
      return complain(at, "a player has a number (columns 5 to 8) and a name (15 to 47)");
    }
    const bool shows =
        std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    if (!shows || players_.contains(*number)) return complain(at, "the number is there twice, or the name is no text");
    Player one{.line = at, .name = name, .login = login_of(name, *number, taken_), .rate = 0, .rounds = {}};
    taken_.insert(one.login);
    one.rate =
        static_cast<int>(std::min<std::size_t>(shogi::number_of<std::size_t>(column(line, 48, 4)).value_or(0), 9999));
    for (std::size_t from = kRoundsFrom; from < line.size() && one.rounds.size() < kMostRounds; from += kRoundWidth) {
      const std::string_view opponent = column(line, from, 4), colour = column(line, from + 5, 1),
                             result = column(line, from + 7, 1);
      Cell cell{.opponent = shogi::number_of<std::size_t>(opponent).value_or(0), .colour = '-', .result = ' '};
      if (!colour.empty()) cell.colour = colour.front();
      if (!result.empty()) cell.result = result.front();
      one.rounds.push_back(cell);
    }
    players_.emplace(*number, std::move(one));
  }

  // The two of a game say the same of it; both may have lost it by forfeit.
  void judge(std::size_t number, const Player& one) {
    constexpr std::string_view kAlone = "FHUZ-+ ";
    for (std::size_t round = 0; round < one.rounds.size(); ++round) {
      const Cell& cell = one.rounds[round];
      if (cell.opponent == 0 && kAlone.contains(cell.result)) continue;
      const auto other = players_.find(cell.opponent);
      const bool known = other != players_.end() && cell.opponent != number && round < other->second.rounds.size();
      const Cell back = known ? other->second.rounds[round] : Cell{};
      const bool both_lost = cell.result == '-' && back.result == '-';
      if (back.opponent == number && (both_lost || other_result(cell.result) == back.result)) continue;
      complain(one.line, fmt::format("round {}: '{}' against {} is not what the other one has", round + 1, cell.result,
                                     cell.opponent));
    }
  }

  Players players_;
  std::set<std::string> taken_;
  std::vector<Problem> problems_;
};

// A game, seen once: by who has the first move, or the better number where that is not said.
void add_row(const Players& players, std::size_t number, const Player& one, int round, std::vector<ResultRow>& rows) {
  const Cell& cell = one.rounds[static_cast<std::size_t>(round) - 1];
  ResultRow row{.line = one.line, .round = round, .black = one.login};
  if (cell.opponent == 0) {
    row.result = cell.result == 'U' || cell.result == 'F' || cell.result == '+' ? "bye" : "away";
    return rows.push_back(std::move(row));
  }
  const Player& other = players.at(cell.opponent);
  const char back = other.rounds[static_cast<std::size_t>(round) - 1].colour;
  const bool is_first = cell.colour == 'w' || (cell.colour == '-' && back == '-' && number < cell.opponent);
  if (!is_first) return;
  row.white = other.login;
  row.result = cell.result == '=' || cell.result == 'D' ? "draw" : cell.result == ' ' ? "pending" : "white";
  if (cell.result == '1' || cell.result == 'W' || cell.result == '+') row.result = "black";
  if (cell.result == '+' || cell.result == '-') row.how = "forfeit";
  if (cell.result == '-' && other.rounds[static_cast<std::size_t>(round) - 1].result == '-') row.result = "none";
  rows.push_back(std::move(row));
}

}  // namespace

std::expected<std::string, std::string> trf_text(const Event& event, const EventState& state, DivisionKey division) {
  Ledger ledger = ledger_of(event, state, division);
  if (ledger.settings->games != 1) return std::unexpected("TRF has one game of a pairing");
  int over = ledger.rounds;
  for (const DueGame& due : ledger.due) over = std::min(over, due.game.round - 1);
  ledger = before(std::move(ledger), over + 1);
  std::string text = fmt::format("012 {}\n062 {}\n092 {}\n",
                                 event.title.in(Language::en).empty() ? event.name : event.title.in(Language::en),
                                 ledger.rows.size(), format_name(ledger.settings->format, Language::en));
  text += fmt::format("XXR {}\n", rounds_of(*ledger.settings, ledger.rows.size()));
  text += scoring_lines(ledger.settings->scoring);
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    for (const std::size_t other : ledger.rows[place].apart) {
      if (place < other) text += fmt::format("XXP {} {}\n", place + 1, other + 1);
    }
  }
  std::map<std::size_t, int> ranks;
  for (const Standing& row : standings_of(ledger).rows) ranks[row.place] = row.rank;
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    const Entrant* entrant = state.entrant(ledger.rows[place].player);
    const auto player = player_line(ledger, place, ranks[place], entrant == nullptr ? 0 : entrant->rate);
    if (!player) return std::unexpected(player.error());
    text += *player;
  }
  return text;
}

ResultRows parse_trf(std::string_view text) {
  const auto players = TrfReader().read(text);
  if (!players) return std::unexpected(players.error());
  std::vector<ResultRow> rows;
  std::size_t rounds = 0;
  int lot = 0;
  for (const auto& [number, one] : *players) {
    rounds = std::max(rounds, one.rounds.size());
    rows.push_back(
        {.line = one.line, .round = 1, .black = one.login, .result = "member", .lot = ++lot, .rate = one.rate});
  }
  for (int round = 1; round <= static_cast<int>(rounds); ++round) {
    for (const auto& [number, one] : *players) {
      if (static_cast<std::size_t>(round) <= one.rounds.size()) add_row(*players, number, one, round, rows);
    }
  }
  return rows;
}

std::expected<std::string, std::vector<Problem>> trf_entrants(std::string_view text) {
  const auto players = TrfReader().read(text);
  if (!players) return std::unexpected(players.error());
  std::string toml;
  for (const auto& [number, one] : *players) {
    std::string title;
    for (const char c : one.name) title += c == '"' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    toml += fmt::format("[[entrant]]\nname = \"{}\"\ntitle = \"{}\"\nseed = {}\nrate = {}\n\n", one.login, title,
                        number, one.rate);
  }
  return toml;
}

}  // namespace fuhyo::app
