// What a room says, as text and as a value, and which room a game name belongs to.
#include <ranges>

#include "server/core/rooms/claims.h"
#include "server/core/rooms/rooms.h"
#include "server/core/rooms/rules.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

using Settings = std::vector<std::string>;

std::string refusal(const Settings& settings) {
  const auto rules = read_room(settings);
  return rules ? "" : rules.error();
}

// Every key, none of them its default.
const Settings kAll = {"games=final-*",           "title-ja=決勝",   "title-en=The final", "time=900-10F",
                       "time-black=600-0",        "time-white=60-5", "max-moves=320",      "least-time-per-move=1",
                       "declaration=24-handicap", "rules=official",  "start=set tsec",     "accounts=claim",
                       "players=ann,bob",         "tls=yes",         "browsers=accounts",  "visibility=seconds:60",
                       "comments=live",           "rated=no",        "builtin=Gps",        "resume=adjudicate",
                       "loss-grace=60",           "after-game=stay", "pairing=host",       "chat=no",
                       "commentator=no"};

TEST(RoomRules, EverySettingIsReadAndWrittenBackTheSame) {
  const auto rules = read_room(kAll);
  ASSERT_TRUE(rules) << rules.error();
  EXPECT_EQ(settings_of(*rules), kAll);
  EXPECT_EQ(kAll.size(), room_keys().size()) << "a key without a test";
  EXPECT_EQ(rules->time, (TimeRule{.total_s = 900, .increment_s = 10}));
  EXPECT_EQ(rules->time_black, (TimeRule{.total_s = 600}));
  EXPECT_EQ(rules->time_white, (TimeRule{.total_s = 60, .byoyomi_s = 5}));
  EXPECT_EQ(rules->declaration, shogi::DeclarationRule::POINTS_24_H);
  EXPECT_EQ(rules->rulebook, Rulebook::official);
  EXPECT_EQ(rules->showing, (SpectatorDelay{.seconds = 60}));
  EXPECT_EQ(rules->accounts, AccountPolicy::claim);
  EXPECT_THAT(rules->players, ElementsAre("ann", "bob"));
  EXPECT_EQ(rules->comments, Comments::live);
  EXPECT_EQ(rules->resume, ResumeRule::adjudicate);
  EXPECT_EQ(rules->after_game, AfterGame::stay);
  EXPECT_EQ(rules->pairing, RoomPairing::host);
  EXPECT_FALSE(rules->rated);
  EXPECT_FALSE(rules->chat);
  EXPECT_FALSE(rules->commentator);
}

TEST(RoomRules, WhatIsNotSaidIsAsTheSettingsForTheNameSay) {
  const auto rules = read_room(Settings{"games=club-*"});
  ASSERT_TRUE(rules);
  EXPECT_EQ(*rules, (RoomRules{.games = "club-*"}));
  EXPECT_THAT(settings_of(*rules), ElementsAre("games=club-*"));
}

TEST(RoomRules, TheLastOfAKeyCountsAndAnEmptyValueTakesItBack) {
  const auto rules = read_room(Settings{"games=a-*", "max-moves=10", "rated=no", "games=b-*", "max-moves=", "rated="});
  ASSERT_TRUE(rules);
  EXPECT_THAT(settings_of(*rules), ElementsAre("games=b-*"));
}

TEST(RoomRules, ThatItSaysNothingOfSpectatorsIsNotThatTheySeeAll) {
  EXPECT_FALSE(read_room(Settings{"games=a-*"})->showing.has_value());
  EXPECT_EQ(read_room(Settings{"games=a-*", "visibility=public"})->showing, SpectatorDelay{});
  EXPECT_TRUE(read_room(Settings{"games=a-*", "visibility=hidden"})->hidden());
}

TEST(RoomRules, WhatIsWrongIsNamed) {
  EXPECT_THAT(refusal({}), HasSubstr("games"));
  EXPECT_THAT(refusal({"games=a b"}), HasSubstr("games: 'a b' fits no game name"));
  EXPECT_THAT(refusal({"games=club"}), HasSubstr("is no game name"));
  EXPECT_THAT(refusal({"games=a-*", "after-gme=stay"}), HasSubstr("did you mean 'after-game'?"));
  EXPECT_EQ(refusal({"games=a-*", "entirely-other=1"}), "a room has no 'entirely-other'");
  EXPECT_EQ(refusal({"games=a-*", "foo=1"}), "a room has no 'foo'") << "no short key is near";
  EXPECT_THAT(refusal({"games=a-*", "stay"}), HasSubstr("'stay' is no setting"));
  constexpr std::string_view kWrong =
      "time=900|time=a-900-0|time-black=900|time-white=900-05F|declaration=25|rules=fide|max-moves=4097|max-moves=-1|"
      "loss-grace=3601|least-time-per-move=x|start=set |start=nonsense|accounts=some|players=a b|players=ann,Ann|"
      "tls=maybe|browsers=some|visibility=moves:101|visibility=seconds:3601|visibility=late|comments=yes|rated=1|"
      "builtin=?|resume="
      "never|"
      "after-game=leave|pairing=swiss|chat=on";
  for (const auto part : std::views::split(kWrong, '|')) {
    const std::string setting(part.begin(), part.end());
    EXPECT_THAT(refusal({"games=a-*", setting}), StartsWith(setting.substr(0, setting.find('=')) + ": ")) << setting;
  }
  EXPECT_THAT(refusal({"games=a-*", "title-en=\xff"}), HasSubstr("UTF-8"));
  EXPECT_THAT(refusal({"games=a-*", "title-en=" + std::string(201, 'x')}), HasSubstr("more than 200 bytes"));
  EXPECT_EQ(refusal({"games=a-*", "title-en=" + std::string(200, 'x')}), "");
}

TEST(RoomRules, AFloodgateGroupKeepsWhatItsFileSays) {
  EXPECT_EQ(refusal({"games=floodgate-300-*", "after-game=stay", "visibility=seconds:60"}), "");
  EXPECT_THAT(refusal({"games=floodgate-300-*", "max-moves=100"}), HasSubstr("floodgate group"));
  EXPECT_THAT(refusal({"games=floodgate-300-*", "visibility=hidden"}), HasSubstr("cannot be hidden"));
}

TEST(RoomRules, NamesOfRoomsAreNamesOfFolders) {
  EXPECT_TRUE(check_room_name("class_a-2"));
  for (const char* name : {"", "main", "demo", "A", "2026", "-x", "../up", "a.b", "a b"}) {
    EXPECT_FALSE(check_room_name(name)) << name;
  }
  EXPECT_TRUE(check_room_name(std::string(32, 'a')));
  EXPECT_FALSE(check_room_name(std::string(33, 'a')));
}

TEST(RoomRules, TimesAreThoseOfGameNames) {
  for (const char* text : {"900-10F", "1500-060", "300-10", "0-0"}) EXPECT_EQ(time_text(*read_time(text)), text);
  EXPECT_EQ(read_time("900-00"), std::nullopt);
  EXPECT_EQ(read_time(""), std::nullopt);
}

TEST(RoomRules, QuotesKeepBlanksTogether) {
  EXPECT_THAT(*split_settings(R"( a=1  title-en="The \"open\" class" b= )"),
              ElementsAre("a=1", "title-en=The \"open\" class", "b="));
  EXPECT_FALSE(split_settings("a=\"b"));
}

// ---- claims ----

TEST(RoomClaims, TheMostSpecificPatternHasTheName) {
  Rooms rooms;
  rooms.apply(RoomSet{.name = "all", .settings = {"games=*"}});
  rooms.apply(RoomSet{.name = "club", .settings = {"games=club-*"}});
  rooms.apply(RoomSet{.name = "final", .settings = {"games=club-final-*"}});
  rooms.apply(RoomSet{.name = "one", .settings = {"games=club-final-900-0"}});
  const auto claimed = [&](std::string_view name) {
    const Room* room = rooms.claiming(name);
    return room == nullptr ? "" : room->told.name;
  };
  EXPECT_EQ(claimed("club-final-900-0"), "one");
  EXPECT_EQ(claimed("club-final-900-5F"), "final");
  EXPECT_EQ(claimed("club-900-0"), "club");
  EXPECT_EQ(claimed("other-900-0"), "all");
  EXPECT_EQ(claimed("floodgate-300-10F"), "") << "only a pattern that says so has these";
  rooms.apply(RoomClosed{.name = "all"});
  EXPECT_EQ(claimed("other-900-0"), "");
}

TEST(RoomClaims, TwoOfOneRankThatMeetAreRefused) {
  for (const auto& [a, b] :
       {std::pair{"club-*", "club-*"}, {"a*-900-0", "*a-900-0"}, {"ab*", "*ab"}, {"*", "**"}, {"a*c-1", "*bc-1"}}) {
    EXPECT_TRUE(in_conflict(a, b)) << a << " and " << b;
  }
  for (const auto& [a, b] : {std::pair{"club-*", "klub-*"},
                             {"club-*", "club-final-*"},
                             {"ab*", "a*"},
                             {"a-1-0", "a-2-0"},
                             {"a-1-0", "a-1-*"},
                             {"a*bc-0", "d*bc-0"}}) {
    EXPECT_FALSE(in_conflict(a, b)) << a << " and " << b << ": one is more specific, or they have nothing in common";
  }
}

// By trying all short names.
TEST(RoomClaims, WhatMeetsIsWhatSomeNameFits) {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; texts[i].size() < 5; ++i) {
    for (const char c : {'a', 'b'}) texts.push_back(texts[i] + c);
  }
  std::vector<std::string> patterns = {""};
  for (std::size_t i = 0; patterns[i].size() < 3; ++i) {
    for (const char c : {'a', 'b', '*'}) patterns.push_back(patterns[i] + c);
  }
  for (const std::string& a : patterns) {
    for (const std::string& b : patterns) {
      const bool ranked = is_more_specific(a, b) || is_more_specific(b, a);
      const bool meet =
          std::ranges::any_of(texts, [&](const std::string& text) { return fits(a, text) && fits(b, text); });
      EXPECT_EQ(in_conflict(a, b), meet && !ranked) << a << " and " << b;
    }
  }
}

TEST(RoomClaims, ARoomIsCheckedAgainstTheOthersAndTheLimit) {
  Rooms rooms;
  rooms.apply(RoomSet{.name = "club", .settings = {"games=club-*"}});
  const RoomRules same = *read_room(Settings{"games=club-*"}), other = *read_room(Settings{"games=klub-*"});
  EXPECT_THAT(rooms.check("other", same, 9).error(), HasSubstr("of the room club"));
  EXPECT_TRUE(rooms.check("club", same, 9)) << "it may stay what it is";
  EXPECT_TRUE(rooms.check("other", other, 2));
  EXPECT_THAT(rooms.check("other", other, 1).error(), HasSubstr("there are 1 rooms already"));
  EXPECT_TRUE(rooms.check("club", other, 1));
}

TEST(RoomClaims, ARoomThatOnlyANewerProgramReadsClaimsNothing) {
  Rooms rooms;
  rooms.apply(RoomSet{.name = "club", .settings = {"games=club-*"}});
  rooms.apply(RoomSet{.name = "club", .settings = {"games=club-*", "unheard-of=1"}});
  EXPECT_EQ(rooms.claiming("club-900-0"), nullptr);
}

}  // namespace
}  // namespace fuhyo::core
