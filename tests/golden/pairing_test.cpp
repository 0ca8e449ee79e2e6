// shogi-server's pairing methods, replayed draw for draw: what its Ruby classes made of the same players, history and
// draws must come out here, game for game, colour for colour. Fields of a line of tests/golden/pairing/<method>.tsv:
//   1 number of the case     2 method
//   3 the sacrifice: a player's number, or an id of somebody else
//   4 entrants in login order, "id:rate[:estimated rate]"; the first has number 0
//   5 others on line, "id:rate:estimated rate"      6 players of the history who are not on line, "id"
//   7 games, oldest first: "3>17" 3 had Black and won, "3<17" 17 won, "3=17" nobody did
//   8 the draws that Ruby was given: a list, or the seed of a splitmix64
//   9 "list" or "seed", how many draws it took, and the FNV-1a hash of each "out of how many" and what was drawn
//   10 games in the order in which they were started, "black>white"    11 who sits out, "number:reason"
//   12 the rate that each of the entrants is taken for afterwards
#include "server/core/floodgate/pairing.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace fuhyo::core::floodgate {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  if (text.empty() && at == ',') return parts;
  std::size_t from = 0;
  for (std::size_t to = text.find(at); to != std::string::npos; to = text.find(at, from)) {
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

template <class Number = int>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) ADD_FAILURE() << "not a number: " << text;
  return value;
}

// Gives out what was recorded, and keeps account of what was asked for.
class Recorded final : public Draws {
 public:
  Recorded(const std::string& draws, bool list) : seeded_(list ? 0 : number<std::uint64_t>(draws)), list_(list) {
    if (list) {
      for (const std::string& draw : split(draws, ',')) draws_.push_back(number<std::uint64_t>(draw));
    }
  }
  std::uint64_t below(std::uint64_t n) override {
    std::uint64_t drawn = 0;
    if (!list_)
      drawn = seeded_.below(n);
    else if (count_ < draws_.size())
      drawn = draws_[count_];
    EXPECT_LT(drawn, n) << "draw " << count_;
    if (drawn >= n) drawn = 0;
    ++count_;
    for (const std::uint64_t x : {n, drawn}) hash_ = (hash_ ^ x) * 1099511628211u;
    return drawn;
  }
  std::string account() const {
    return (list_ ? "list:" : "seed:") + std::to_string(count_) + ":" + std::to_string(hash_);
  }

 private:
  SeededDraws seeded_;
  bool list_;
  std::vector<std::uint64_t> draws_;
  std::size_t count_ = 0;
  std::uint64_t hash_ = 14695981039346656037u;
};

struct Case {
  Round round;
  History history;
  std::vector<std::string> ids;  // by number

  explicit Case(const std::vector<std::string>& fields) {
    round.settings.method = parse_method(fields[1]).value();
    for (const std::string& text : split(fields[3], ',')) {
      const auto parts = split(text, ':');
      const int estimated = parts.size() > 2 ? number(parts[2]) : 0;
      round.entrants.push_back({parts[0], name_of(parts[0]), number(parts[1]), estimated});
      ids.push_back(parts[0]);
    }
    for (const std::string& text : split(fields[4], ',')) {
      const auto parts = split(text, ':');
      round.others.push_back({name_of(parts[0]), number(parts[1]), number(parts[2])});
      ids.push_back(parts[0]);
    }
    for (const std::string& id : split(fields[5], ',')) ids.push_back(id);
    round.settings.sacrifice =
        fields[2].contains('+') || fields[2].empty() ? fields[2] : ids[number<unsigned>(fields[2])];
    for (const std::string& text : split(fields[6], ',')) record(text);
    round.number = history.newest_round() + 1;
  }

  std::string index(const std::string& id) const { return std::to_string(std::ranges::find(ids, id) - ids.begin()); }

 private:
  static std::string name_of(const std::string& id) { return id.substr(0, id.find('+')); }
  void record(const std::string& text) {
    const std::size_t sign = text.find_first_of("<=>");
    const std::string black = ids[number<unsigned>(std::string_view(text).substr(0, sign))];
    const std::string white = ids[number<unsigned>(std::string_view(text).substr(sign + 1))];
    Played game{"", black, white, "", "", history.newest_round() + 1};
    if (text[sign] == '>') game.winner = black, game.loser = white;
    if (text[sign] == '<') game.winner = white, game.loser = black;
    history.record(game);
  }
};

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

// Fields 9 to 12, as this program fills them in.
std::string outcome(const Case& given, Recorded& draws) {
  const Pairings pairings = pair(given.round, given.history, draws);
  std::vector<std::string> games, sit_outs, rates;
  for (const PairedGame& game : pairings.games)
    games.push_back(given.index(game.black) + ">" + given.index(game.white));
  for (const SitOut& out : pairings.sit_outs) {
    sit_outs.push_back(given.index(out.id) + ":" + std::string(to_string(out.reason)));
  }
  for (const int rate : pairings.estimated_rates) rates.push_back(std::to_string(rate));
  return draws.account() + "\t" + join(games) + "\t" + join(sit_outs) + "\t" + join(rates);
}

class ShogiServersPairing : public testing::TestWithParam<const char*> {};

TEST_P(ShogiServersPairing, MakesTheSameGamesOfTheSameDraws) {
  std::ifstream file(std::string(FUHYO_SOURCE_DIR "/tests/golden/pairing/") + GetParam() + ".tsv");
  ASSERT_TRUE(file) << GetParam();
  std::size_t cases = 0, games = 0;
  std::set<std::size_t> sizes;
  for (std::string line; std::getline(file, line); ++cases) {
    const auto fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 12u) << line;
    const Case given(fields);
    Recorded draws(fields[7], fields[8].starts_with("list"));
    const std::string expected = fields[8] + "\t" + fields[9] + "\t" + fields[10] + "\t" + fields[11];
    EXPECT_EQ(outcome(given, draws), expected) << GetParam() << " " << fields[0];
    sizes.insert(given.round.entrants.size());
    games += split(fields[9], ',').size();
  }
  EXPECT_GE(cases, 200u);
  EXPECT_GE(games, 3 * cases) << "the cases are too small to say much";
  EXPECT_TRUE(sizes.contains(0) && sizes.contains(2) && sizes.contains(4) && sizes.contains(40)) << "sizes are missing";
}

INSTANTIATE_TEST_SUITE_P(Methods, ShogiServersPairing,
                         testing::Values("least_diff_pairing", "floodgate_zyunisen", "swiss_pairing", "random_pairing",
                                         "sort_by_rate_with_randomness"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace fuhyo::core::floodgate
