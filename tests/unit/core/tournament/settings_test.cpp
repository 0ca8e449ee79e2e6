#include "server/core/tournament/settings.h"

#include "server/core/tournament/explain.h"
#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/setting_reader.h"
#include "server/csa/game_name.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

using List = std::vector<Setting>;

List swiss() {
  return {{"name", "evening", 1},
          {"format", "swiss", 2},
          {"rounds", "5", 3},
          {"time", "600-30", 4},
          {"entry.max", "20", 5}};
}

List with(List settings, Setting more) {
  settings.push_back(std::move(more));
  return settings;
}

std::string problems(const List& settings) {
  const auto event = read_event(settings);
  std::string text;
  if (event) return text;
  for (const Problem& problem : event.error()) text += std::to_string(problem.line) + ": " + problem.text + "\n";
  return text;
}

TEST(Settings, AnEventWithoutStagesIsOne) {
  const auto event = read_event(swiss());
  ASSERT_TRUE(event) << problems(swiss());
  ASSERT_EQ(event->stages.size(), 1u);
  const DivisionSettings& settings = event->stages[0].divisions[0].settings;
  EXPECT_EQ(settings.format, Format::swiss);
  EXPECT_EQ(settings.rounds, 5);
  EXPECT_EQ(settings.time[0], (TimeRule{.total_s = 600, .byoyomi_s = 30}));
  EXPECT_EQ(settings.tie_breaks, usual_tie_breaks(Format::swiss));
}

TEST(Settings, WhatStagesAndDivisionsSayStandsOverWhatTheEventSays) {
  List list = {{"name", "e", 1},
               {"time", "900-5F", 2},
               {"max-moves", "512", 3},
               {"stage[0].name", "day1", 4},
               {"stage[0].format", "swiss", 5},
               {"stage[0].rounds", "4", 6},
               {"stage[1].name", "day2", 7},
               {"stage[1].max-moves", "320", 8},
               {"stage[1].division[0].take", "8", 9},
               {"stage[1].division[1].take", "rest", 10},
               {"stage[1].division[1].time-white", "300-0", 11}};
  const auto event = read_event(list);
  ASSERT_TRUE(event) << problems(list);
  EXPECT_EQ(event->stages[0].divisions[0].settings.max_moves, 512);
  const Division& b = event->stages[1].divisions[1];
  EXPECT_EQ(b.name, "B");
  EXPECT_EQ(b.settings.format, Format::round_robin);
  EXPECT_EQ(b.settings.max_moves, 320);
  EXPECT_EQ(b.settings.time[0].increment_s, 5);
  EXPECT_EQ(b.settings.time[1].total_s, 300);
  EXPECT_EQ(event->stages[1].divisions[0].take, 8);
}

TEST(Settings, WhatNobodyKnowsIsRefusedWithItsLineAndWhatWasMeant) {
  EXPECT_EQ(problems(with(swiss(), {"tie-brakes", "points", 9})),
            "9: tie-brakes: there is no such setting; did you mean 'tie-breaks'?\n");
  EXPECT_EQ(problems(with(swiss(), {"entry.lateuntil", "3", 9})),
            "9: lateuntil: there is no such setting; did you mean 'late-until'?\n");
  EXPECT_EQ(problems(with(swiss(), {"xyz", "3", 9})), "9: xyz: there is no such setting\n");
  EXPECT_EQ(problems(with(swiss(), {"prizes.first", "3", 9})), "9: prizes.first: there is no such setting\n");
}

TEST(Settings, ValuesThatAreNoneAreRefused) {
  const std::pair<Setting, std::string> bad[] = {
      {{"max-moves", "many", 9}, "9: max-moves: 'many' is no whole number from 0 to 4096\n"},
      {{"max-moves", "4097", 9}, "9: max-moves: '4097' is no whole number from 0 to 4096\n"},
      {{"rematches", "perhaps", 9}, "9: rematches: 'perhaps' is neither true nor false\n"},
      {{"draw", "0.1234", 9}, "9: draw: '0.1234' is no number of points: three digits after the point at most\n"},
      {{"draw", "2", 9}, "1: a draw must be worth no more than a win, and no less than a loss\n"},
      {{"positions", "9z9z", 9}, "9: positions: position 1: "},
      {{"starts", "2026-02-30 10:00", 9}, "9: starts: '2026-02-30 10:00' is no time like 2026-12-24 10:00\n"},
      {{"time-white", "x-900-5F", 9}, "9: time-white: 'x-900-5F' is no time control: "},
      {{"tie-breaks", "luck", 9}, "9: tie-breaks: 'luck' is none of points, direct, "},
      {{"tie-breaks", "reached", 9}, "1: tie-breaks: 'reached' is of knock-outs only\n"},
      {{"cycles", "2", 9}, "9: cycles: means nothing in the format 'swiss'\n"},
      {{"draws", "replay", 9}, "1: draws are replayed: how often? (replays)\n"},
      {{"random-rounds", "6", 9}, "1: random-rounds: more than there are rounds\n"},
  };
  for (const auto& [setting, text] : bad) {
    const std::string said = problems(with(swiss(), setting));
    EXPECT_TRUE(said.starts_with(text)) << setting.key << ": " << said;
  }
}

TEST(Settings, WhatAFormatTakesIsKnownAndRefusedInTheOthers) {
  for (const FormatEntry& one : kFormats) {
    for (const std::string_view key : one.rules->keys) {
      for (const FormatEntry& other : kFormats) {
        const std::string said =
            problems({{"name", "x", 1}, {"format", std::string(other.rules->word), 2}, {std::string(key), "1", 3}});
        EXPECT_FALSE(said.contains("there is no such setting")) << said;
        EXPECT_EQ(said.contains(": means nothing in the format"), !other.rules->takes(key)) << key << ": " << said;
      }
    }
  }
}

TEST(Settings, WhatCanNotBePlayedIsRefused) {
  List list = swiss();
  list[4].value = "4";
  EXPECT_EQ(problems(list),
            "1: main: 5 rounds of a Swiss without rematches need 5 players at least; there are 4 "
            "(rematches = true allows them)\n");
  list[4].value = "5";
  EXPECT_EQ(problems(list), "") << "each rests once";
  EXPECT_EQ(problems({{"name", "x", 1}, {"format", "swiss", 2}, {"time", "60-0", 3}}), "1: swiss: how many rounds?\n");
  EXPECT_EQ(problems({{"name", "x", 1}}), "1: there is no time control (time): a game could last for ever\n");
  EXPECT_EQ(problems({{"format", "round-robin", 1}, {"time", "60-0", 2}}), "1: name: is missing\n");
}

// Games are named after it.
TEST(Settings, TheNameOfAnEventIsTheIdentifierOfGameNames) {
  const auto problems_of = [](const std::string& name) {
    List list = swiss();
    list[0].value = name;
    return problems(list);
  };
  for (const std::string& good : {std::string("cup.2@club_a-B"), std::string(32, 'x')}) {
    EXPECT_EQ(problems_of(good), "");
    EXPECT_EQ(csa::parse_game_name(good + "-900-10F", good.size())->identifier, good);
  }
  for (const std::string& bad : {std::string("a+b"), std::string("a/b"), std::string("a b"), std::string(33, 'x')}) {
    EXPECT_EQ(problems_of(bad), "1: name: '" + bad + "' is no name: 1 to 32 of A-Z a-z 0-9 _ @ . -\n");
    EXPECT_FALSE(csa::parse_game_name(bad + "-900-10F", 32));
  }
}

TEST(Settings, SettingsAreKeptAsTextAndReadBack) {
  List list = swiss();
  list.push_back({"title", "tab\tline\nslash\\", 9});
  const auto back = parse_settings(settings_text(list));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ((*back)[i].key, list[i].key);
    EXPECT_EQ((*back)[i].value, list[i].value);
  }
  EXPECT_EQ(*read_event(*back), *read_event(list));
  EXPECT_FALSE(parse_settings("no tab"));
  EXPECT_FALSE(parse_settings("a\tb\\x"));
}

TEST(Settings, AnEventHasItsLimits) {
  const auto with_stages = [](std::size_t count) {
    List list = {{"name", "e", 1}, {"time", "60-0", 2}};
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back({"stage[" + std::to_string(i) + "].name", "s" + std::to_string(i), 3});
    }
    return list;
  };
  EXPECT_EQ(problems(with_stages(kMostStages)), "");
  EXPECT_TRUE(problems(with_stages(kMostStages + 1)).starts_with("0: more than 10 stages\n"));
  EXPECT_EQ(problems(with(swiss(), {"title", std::string(200, 'x'), 9})), "");
  EXPECT_EQ(problems(with(swiss(), {"title", std::string(201, 'x'), 9})), "9: title: longer than 200 bytes\n");
  EXPECT_EQ(problems(with(swiss(), {"title", std::string(kMostSettingBytes + 1, 'x'), 9})),
            "9: title: longer than 4096 bytes\n");
  List list = swiss();
  list[4].value = std::to_string(kMostEntrants + 1);
  EXPECT_EQ(problems(list), "5: max: '1001' is no whole number from 2 to 1000\n");
  list[4].value = std::to_string(kMostMembers);
  EXPECT_EQ(problems(list), "");
  list[4].value = std::to_string(kMostMembers + 1);
  EXPECT_EQ(problems(list), "1: main: room for 257 players; a division has 256 at most (take, entry.max)\n");
  list.assign(kMostSettings + 1, {"name", "e", 1});
  EXPECT_TRUE(problems(list).starts_with("0: more than 10000 settings\n"));
}

TEST(Swiss, ADivisionHasRoomForSoManyAndNoMore) {
  Event event = event_of(static_cast<int>(kMostMembers), settings_for(Format::swiss, 2));
  const PlayedOut simulation(event);
  EXPECT_TRUE(is_over(event, simulation.state(), kFirst));
  DivisionFormed formed{.division = kFirst, .members = simulation.state().division(kFirst).members};
  formed.members.push_back({.player = "p1", .lot = 1000});
  event.entrants.push_back({.player = "one_more"});
  const EventState state(event);
  EXPECT_EQ(check(event, state, formed).error(), "more than 256 members");
  formed.members.pop_back();
  EXPECT_TRUE(check(event, state, formed));
}

TEST(Settings, DistanceCountsChangesAndExchanges) {
  EXPECT_EQ(edit_distance("rounds", "rounds"), 0u);
  EXPECT_EQ(edit_distance("rouns", "rounds"), 1u);
  EXPECT_EQ(edit_distance("ruonds", "rounds"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(Points, AreExact) {
  EXPECT_EQ(to_text(Points{7500}), "7.5");
  EXPECT_EQ(to_text(Points{-400}), "-0.4");
  EXPECT_EQ(parse_points("0.4"), Points{400});
  EXPECT_EQ(parse_points("100"), kMostPoints);
  EXPECT_EQ(parse_points("100.001"), std::nullopt);
  for (const char* bad : {"", ".", "1.", ".5", "1e3", "0.0001", "--1", " 1"})
    EXPECT_EQ(parse_points(bad), std::nullopt) << bad;
}

TEST(Plan, SaysHowLongAGameAndAnEventCanLast) {
  DivisionSettings settings = settings_for(Format::round_robin);
  settings.time = {TimeRule{.total_s = 900, .increment_s = 5}, TimeRule{.total_s = 900, .increment_s = 5}};
  settings.max_moves = 320;
  EXPECT_EQ(longest_game_s(settings), 2 * 900 + 320 * 5);
  settings.timetable = {.starts = {}, .gap_s = 300, .countdown_s = 60};
  const EventPlan plan = plan_of(event_of(8, settings), 8);
  EXPECT_EQ(plan.games, 28);
  EXPECT_EQ(plan.longest_s, 60 + 7 * 3400 + 6 * 300);
  EXPECT_EQ(duration_text(plan.longest_s), "7:07:40");
}

}  // namespace
}  // namespace fuhyo::core::tournament
