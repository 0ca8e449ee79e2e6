// Rooms in the lobby: what a game in one is opened with, who comes in, who stays, and how rooms come and go.
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::RoomsRead;

core::Rules hosted() {
  core::Rules rules = test_rules();
  rules.operators = {{"hana", core::Role::host}};
  rules.operator_secret = [](std::string_view, std::string_view secret) { return secret == "secret"; };
  rules.admin_address = [](std::string_view) { return true; };
  return rules;
}

class Rooms : public ServerTest {
 protected:
  Rooms() : ServerTest(hosted()) {}

  void host() {
    server.log_in("hana", "hana secret x1", "127.0.0.1");
    server.heard("hana");
  }
  // In CSA mode, with a trip of his own.
  void log_in(const std::string& name, const std::string& game) {
    server.log_in(name, fmt::format("{} {},trip-{}", name, game, name));
  }
  // A room of that kind, and A and B wait for its games.
  void open_room(const std::string& settings, const std::string& game = "club-900-0") {
    done("set-room " + settings);
    for (const char* name : {"A", "B"}) log_in(name, game);
  }
  void play_room(const std::string& settings, const std::string& game = "club-900-0") {
    open_room(settings, game);
    server.agree("A", "B");
  }
  std::size_t games() const { return facts<core::GameOpened>().size(); }
  core::GameOpened last_game() const {
    EXPECT_GT(games(), 0U);
    return games() == 0 ? core::GameOpened{} : facts<core::GameOpened>().back();
  }
  void read_files(std::vector<RoomsRead::File> files, Lines unreadable = {}) {
    server.deliver(RoomsRead{.files = std::move(files), .unreadable = std::move(unreadable)});
  }
};

constexpr const char* kStaying = "club games=club-* after-game=stay";

// ---- what a game is opened with ----

TEST_F(Rooms, AGameIsOpenedAsItsRoomSays) {
  done(
      "set-room final games=final-* time=600-5F max-moves=100 least-time-per-move=1 visibility=seconds:60 rated=no "
      "resume=adjudicate loss-grace=30 after-game=stay");
  log_in("A", "final-900-0");
  log_in("B", "final-900-0");
  const core::GameOpened game = last_game();
  EXPECT_EQ(game.room, "final");
  EXPECT_EQ(game.time, (core::TimeRule{.total_s = 600, .increment_s = 5, .least_s = 1}));
  EXPECT_EQ(game.max_moves, 100);
  EXPECT_EQ(game.showing, (core::SpectatorDelay{.seconds = 60}));
  EXPECT_EQ(game.resume, core::ResumeRule::adjudicate);
  EXPECT_EQ(game.grace_s, 30);
  EXPECT_FALSE(game.rated);
  EXPECT_TRUE(game.stays);
  EXPECT_THAT(server.heard("A"), IsSupersetOf({"Total_Time:600", "Increment:5", "Max_Moves:100"}));
}

TEST_F(Rooms, AGameNameThatNoRoomClaimsIsPlayedAsEver) {
  open_room("final games=final-* time=600-5F after-game=stay", "other-900-0");
  const core::GameOpened game = last_game();
  EXPECT_EQ(game.room, "main");
  EXPECT_EQ(game.time.total_s, 900);
  EXPECT_FALSE(game.stays);
  EXPECT_FALSE(game.showing.has_value());
  EXPECT_TRUE(game.rated);
}

TEST_F(Rooms, WhatARoomDoesNotSayIsAsTheSettingsSay) {
  open_room("club games=club-*", "club-900-5F");
  const core::GameOpened game = last_game();
  EXPECT_EQ(game.room, "club");
  EXPECT_EQ(game.time, (core::TimeRule{.total_s = 900, .increment_s = 5}));
  EXPECT_EQ(game.max_moves, hosted().max_moves);
  EXPECT_TRUE(game.rated);
}

TEST_F(Rooms, ASetOfPositionsIsTakenInTurn) {
  server.login_x1("host");
  server.admin("load-positions two two.txt");
  server.deliver(core::SetRead{.token = server.host_requests().back().token,
                               .name = "two",
                               .text = "startpos moves 7g7f\nstartpos moves 2g2f\n"});
  done("set-room club games=club-* start=\"set two\" after-game=stay");
  std::vector<Lines> starts;
  log_in("A", "club-900-0");
  log_in("B", "club-900-0");
  for (int i = 0; i < 3; ++i) {
    starts.push_back(last_game().preset_moves);
    server.agree("A", "B");
    server.say("A", "LOGOUT");
    log_in("A", "club-900-0");
  }
  EXPECT_EQ(starts[0], starts[2]);
  EXPECT_NE(starts[0], starts[1]);
}

TEST_F(Rooms, ASetOfPositionsMustBeThere) {
  server.login_x1("host");
  EXPECT_EQ(server.admin("set-room club games=club-* start=\"set two\"").text, "there is no set 'two': load-positions");
  server.deliver(core::RoomsRead{.files = {{.name = "club", .settings = {"games=club-*", "start=set two"}}}});
  EXPECT_THAT(server.notes(), Contains(HasSubstr("room club: there is no set 'two': load-positions")));
}

TEST_F(Rooms, AChangeNeverTouchesARunningGame) {
  play_room("final games=final-* max-moves=100 visibility=hidden after-game=stay", "final-900-0");
  const core::GameOpened before = last_game();
  done("set-room final max-moves=2 visibility=public time=1-0 players=carol after-game=close");
  done("close-room final the day is over");
  for (const char* move : {"+7776FU", "-3334FU", "+2726FU"})
    server.say(move[0] == '+' ? before.black.name : before.white.name, move);
  EXPECT_THAT(facts<core::MoveMade>(), SizeIs(3));
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty());
  server.login_x1("W");
  EXPECT_THAT(ask("W", "%%LIST"), ElementsAre("##[LIST] +OK")) << "it stays hidden";
}

// ---- who comes in ----

TEST_F(Rooms, ItsOwnListOfPlayersComesBeforeThatOfTheSettings) {
  core::Rules rules = hosted();
  rules.entry = {{.games = "final-*", .accounts = core::AccountPolicy::open, .players = {core::name_key("ann")}}};
  server.server().change_rules(rules);
  server.login_x1({"ann", "bob"});
  EXPECT_THAT(ask("bob", "%%GAME final-900-0 *"), ElementsAre("##[ERROR] bob is not on the entry list of final-900-0"));
  done("set-room final games=final-* players=bob");
  EXPECT_THAT(ask("bob", "%%GAME final-900-0 *"), IsEmpty());
  EXPECT_THAT(ask("ann", "%%GAME final-900-0 *"), ElementsAre("##[ERROR] ann is not on the entry list of final-900-0"));
}

TEST_F(Rooms, OnlyItsBuiltInPlayersMayPlayThere) {
  done("set-room club games=club-* builtin=Gps");
  std::uint64_t number = 900;
  for (const std::string name : {"Gps", "Bonanza"}) {
    const core::ConnId conn{++number};
    open_builtin(server, conn, name);
    say_builtin(server, conn, "LOGIN " + name + " x x1");
    say_builtin(server, conn, "%%GAME club-900-0 *");
  }
  const auto waiters = server.server().lobby();
  ASSERT_EQ(waiters.size(), 1u);
  EXPECT_EQ(
      waiters[0],
      (core::Waiter{.room = "club", .game_name = "club-900-0", .name = "Gps", .id = waiters[0].id, .builtin = true}));
}

TEST_F(Rooms, InARoomThatTheHostPairsNobodyStartsByHimself) {
  open_room("final games=final-* pairing=host after-game=stay", "final-900-0");
  EXPECT_EQ(games(), 0U);
  done("start B A final-900-0");
  const core::GameOpened game = last_game();
  EXPECT_EQ(game.black.name, "B");
  EXPECT_EQ(game.room, "final");
  server.agree("A", "B");
  server.say("B", "%TORYO");
  EXPECT_TRUE(server.is_open("A") && server.is_open("B"));
  EXPECT_EQ(games(), 1U) << "they wait for the next round";
  done("start A B final-900-0");
  EXPECT_EQ(last_game().black.name, "A");
}

TEST_F(Rooms, WhoWaitsGoesWithTheRoomThatClaimsHisGame) {
  server.login_x1({"A", "B", "C"});
  server.say("A", "%%GAME club-900-0 +");
  log_in("D", "club-900-0-B");
  done("set-room club games=club-* players=A,B");
  EXPECT_THAT(server.heard("D"), Contains("##[ERROR] D is not on the entry list of club-900-0"));
  EXPECT_FALSE(server.is_open("D")) << "CSA mode: there is nothing else to wait for";
  EXPECT_EQ(games(), 0U);
  server.say("B", "%%GAME club-900-0 -");
  EXPECT_EQ(last_game().room, "club");
  EXPECT_EQ(last_game().black.name, "A");
}

// ---- staying ----

TEST_F(Rooms, InCsaModeWhoStaysWaitsAgainAfterTheResult) {
  done("set-room club games=club-* after-game=stay");
  log_in("A", "club-900-0-B");
  log_in("B", "club-900-0-W");
  server.agree("A", "B");
  for (const char* name : {"A", "B"}) server.heard(name);
  const Lines a = server.reply("A", "%TORYO");
  ASSERT_GE(a.size(), 4u);
  EXPECT_THAT(Lines(a.begin(), a.begin() + 4), ElementsAre("%TORYO", "#RESIGN", "#LOSE", "BEGIN Game_Summary"));
  EXPECT_THAT(a, Contains("Your_Turn:+")) << "the colour of the login still counts";
  EXPECT_EQ(games(), 2U);
  server.agree("A", "B");
  EXPECT_THAT(server.heard("B"), Contains(StartsWith("START:")));
}

TEST_F(Rooms, WhoseLineBreaksDoesNotStay) {
  play_room(kStaying);
  server.hang_up("A");
  EXPECT_THAT(server.heard("B"), Contains("#WIN"));
  EXPECT_EQ(games(), 1U) << "nobody plays with who is gone";
  log_in("C", "club-900-0");
  ASSERT_EQ(games(), 2U);
  EXPECT_THAT((Lines{last_game().black.name, last_game().white.name}), UnorderedElementsAre("B", "C"));
}

TEST_F(Rooms, WhoIsThrownOutDoesNotStay) {
  play_room(kStaying);
  done("kick A enough");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_EQ(games(), 1U);
}

TEST_F(Rooms, ExtendedModeStaysConnectedAndWaitsForNothing) {
  done("set-room club games=club-* after-game=stay");
  server.start_game("A", "B", "club-300-10");
  server.say("A", "%TORYO");
  server.say("B", "%TORYO");
  EXPECT_EQ(games(), 1U);
  EXPECT_TRUE(server.is_open("A") && server.is_open("B"));
  EXPECT_THAT(ask("A", "%%WHO"), Not(Contains(HasSubstr("game_waiting"))));
}

TEST_F(Rooms, WhoLogsOutClosesOrComesAgainHasOneEntry) {
  open_room("final games=final-* pairing=host after-game=stay", "final-900-0");
  const auto entries = [&] {
    Lines names;
    for (const core::Waiter& w : server.server().lobby()) names.push_back(w.name);
    std::ranges::sort(names);
    return names;
  };
  const auto play = [&] {
    done("start A B final-900-0");
    server.agree("A", "B");
  };
  play();
  server.say("A", "LOGOUT");  // in the game: it is lost, and the line ends
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_THAT(entries(), ElementsAre("B"));
  log_in("A", "final-900-0");
  play();
  server.say("A", "%TORYO");
  server.say("A", "LOGOUT");  // after it, as ShogiHome does
  EXPECT_FALSE(server.is_open("A"));
  log_in("A", "final-900-0");
  EXPECT_THAT(entries(), ElementsAre("A", "B"));
  play();
  server.say("A", "%TORYO");
  server.hang_up("A");  // closes
  log_in("A", "final-900-0");
  EXPECT_THAT(entries(), ElementsAre("A", "B"));
  play();
  server.say("A", "%TORYO");
  server.open("A again");  // ... or logs in while the server still keeps the old line
  server.say("A again", "LOGIN A final-900-0,trip-A");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_THAT(entries(), ElementsAre("A", "B"));
}

TEST_F(Rooms, AGameThatWasNotAgreedToCostsTheOtherOneNoLogin) {
  open_room(kStaying);
  server.say("A", "REJECT");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_TRUE(server.is_open("B"));
  log_in("C", "club-900-0");
  server.say("C", "AGREE");
  server.advance(121'000);
  EXPECT_FALSE(server.is_open("B")) << "he said nothing";
  EXPECT_TRUE(server.is_open("C"));
  EXPECT_EQ(server.server().lobby().size(), 1u);
}

TEST_F(Rooms, WhenTheServerEndsNobodyStays) {
  play_room(kStaying);
  server.deliver(core::Drain{});
  server.say(last_game().black.name, "%TORYO");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_FALSE(server.is_open("B"));
}

// ---- hidden ----

TEST_F(Rooms, NobodyHearsOfAHiddenGameUntilItIsOver) {
  host();
  server.login_x1("W");
  done("set-room final games=final-* visibility=hidden");
  const Lines before = ask("W", "%%WHO");
  server.login_x1({"A", "B"});
  server.say("A", "%%GAME final-300-10 +");
  EXPECT_THAT(ask("W", "%%WHO"), Not(Contains(HasSubstr("final")))) << "not even who waits";
  EXPECT_THAT(server.server().lobby(), IsEmpty());
  server.say("B", "%%GAME final-300-10 -");
  server.agree("A", "B");
  server.say("A", "+7776FU");
  const std::string id = last_game().csa_id;
  for (const char* line : {"%%LIST", "%%WHO", "%%ROOM LIST"}) {
    EXPECT_THAT(ask("W", line), Not(Contains(HasSubstr("final")))) << line;
  }
  EXPECT_THAT(ask("W", "%%SHOW " + id), ElementsAre("##[SHOW] +OK"));
  EXPECT_THAT(ask("W", "%%MONITORON " + id), IsEmpty());
  EXPECT_THAT(ask("W", "%%MONITOR2ON " + id), IsEmpty());
  EXPECT_THAT(ask("W", fmt::format("%%FORK {} buoy_x-300-10 1", id)),
              ElementsAre(StartsWith("##[ERROR] wrong source")));
  EXPECT_THAT(ask("W", "%%ROOM SHOW final"), ElementsAre("##[ERROR] there is no room final"));
  EXPECT_THAT(ask("W", "%%ROOM JOIN final"), ElementsAre("##[ERROR] there is no room final"));
  EXPECT_THAT(ask("A", "%%LIST"), Contains(HasSubstr(id))) << "its players may";
  EXPECT_THAT(ask("hana", "%%SHOW " + id), Contains(HasSubstr("+7776FU"))) << "and so may hosts";
  server.say("B", "%TORYO");
  server.heard("W");
  server.say("A", "%TORYO");
  EXPECT_THAT(server.heard("W"), IsEmpty());
}

TEST_F(Rooms, ARoomsDelayIsThatOfWatchers) {
  done("set-room final games=final-* visibility=moves:1");
  server.login_x1("W");
  const std::string id = server.start_game("A", "B", "final-300-10");
  server.say("A", "+7776FU");
  EXPECT_THAT(ask("W", "%%SHOW " + id), Not(Contains(HasSubstr("+7776FU"))));
  server.say("B", "-3334FU");
  EXPECT_THAT(ask("W", "%%SHOW " + id), Contains(HasSubstr("+7776FU")));
}

// ---- %%ROOM ----

TEST_F(Rooms, RoomsAreListedShownJoinedAndLeft) {
  done("set-room club games=club-* title-ja=\"例会\" after-game=stay");
  done("set-room open games=open-* title-en=\"Open class\"");
  server.login_x1({"A", "B", "C"});
  server.say("A", "%%GAME open-900-0 *");
  EXPECT_THAT(ask("B", "%%ROOM LIST"), ElementsAre("##[ROOM] main * 0 0", "##[ROOM] club club-* 0 0 例会",
                                                   "##[ROOM] open open-* 0 1 Open class", "##[ROOM] +OK"));
  EXPECT_THAT(ask("B", "%%ROOM SHOW club"), ElementsAre("##[ROOM] games=club-*", "##[ROOM] title-ja=例会",
                                                        "##[ROOM] after-game=stay", "##[ROOM] +OK"));
  EXPECT_THAT(ask("B", "%%ROOM JOIN nowhere"), ElementsAre("##[ERROR] there is no room nowhere"));
  EXPECT_THAT(ask("B", "%%ROOM"), ElementsAre("##[ERROR] unknown command: %%ROOM"));
  EXPECT_THAT(ask("B", "%%ROOM SHOW"), ElementsAre("##[ERROR] unknown command: %%ROOM SHOW"));
}

TEST_F(Rooms, ChatReachesWhoIsInTheSameRoom) {
  done("set-room club games=club-*");
  done("set-room quiet games=quiet-* chat=no");
  server.login_x1({"A", "B", "C"});
  EXPECT_THAT(ask("A", "%%ROOM JOIN club"), ElementsAre("##[ROOM] +OK"));
  server.say("B", "%%GAME club-900-0 *");
  EXPECT_THAT(ask("A", "%%CHAT hello"), ElementsAre("##[CHAT][A] hello"));
  EXPECT_THAT(server.heard("B"), ElementsAre("##[CHAT][A] hello")) << "who waits for its games is in it";
  EXPECT_THAT(server.heard("C"), IsEmpty());
  EXPECT_THAT(ask("C", "%%CHAT in main"), ElementsAre("##[CHAT][C] in main"));
  EXPECT_THAT(server.heard("A"), IsEmpty());
  EXPECT_THAT(ask("A", "%%ROOM LEAVE"), ElementsAre("##[ROOM] +OK"));
  server.say("C", "%%CHAT again");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[CHAT][C] again"));
  EXPECT_THAT(ask("B", "%%ROOM LEAVE"), ElementsAre(StartsWith("##[ERROR] you are in game_waiting status")));
  ask("A", "%%ROOM JOIN quiet");
  EXPECT_THAT(ask("A", "%%CHAT x"), ElementsAre("##[ERROR] there is no chat in the room quiet"));
  done("close-room quiet");
  EXPECT_THAT(ask("A", "%%CHAT x"), ElementsAre("##[CHAT][A] x")) << "who was there is in the main room";
}

TEST_F(Rooms, ACommentatorIsAskedAndAnswersWhereTheRoomAllowsIt) {
  done("set-room club games=club-*");
  done("set-room mute games=mute-* commentator=no");
  done("set-room quiet games=quiet-* chat=no");
  server.login_x1({"A", "B"});
  for (const std::string room : {"club", "mute", "quiet"}) {
    ask("A", fmt::format("%%ROOM JOIN {}", room));
    ask("A", "%%CHAT @who is better?\x1b");
    ask("A", "%%CHAT nobody is asked");
    server.deliver(core::ChatAnswered{.room = room, .name = "Fu", .text = "Black."});
    const std::vector<std::string> answers(room == "quiet" ? 0 : 1, "##[CHAT][Fu] Black.");
    EXPECT_EQ(server.heard("A"), answers) << room;
  }
  ASSERT_EQ(server.asked_in_chat().size(), 1u);
  EXPECT_EQ(server.asked_in_chat()[0].room, "club");
  EXPECT_EQ(server.asked_in_chat()[0].name, "A");
  EXPECT_EQ(server.asked_in_chat()[0].text, "who is better? ");
  EXPECT_THAT(server.heard("B"), IsEmpty());
}

TEST_F(Rooms, WhoPlaysWhileHisRoomClosesIsInTheMainRoomAfterwards) {
  done("set-room club games=club-*");
  server.start_game("A", "B", "club-300-10");
  server.login_x1("C");
  done("close-room club");
  server.say("A", "%TORYO");
  for (const char* name : {"A", "B", "C"}) server.heard(name);
  server.say("B", "%%CHAT well played");
  for (const char* name : {"A", "C"}) EXPECT_THAT(server.heard(name), ElementsAre("##[CHAT][B] well played"));
}

TEST_F(Rooms, OfARoomThatWasHiddenTheGamesOfThenAreNotCounted) {
  done("set-room final games=final-* visibility=hidden");
  server.start_game("A", "B", "final-300-10");
  done("set-room final visibility=public");
  server.login_x1("W");
  EXPECT_THAT(ask("W", "%%ROOM LIST"), Contains("##[ROOM] final final-* 0 0"));
  EXPECT_THAT(ask("A", "%%ROOM LIST"), Contains("##[ROOM] final final-* 1 0"));
}

TEST_F(Rooms, HostsMakeChangeAndCloseThemAndNobodyElseDoes) {
  host();
  server.login_x1("P");
  EXPECT_THAT(ask("P", "%%ROOM NEW club games=club-*"),
              ElementsAre("##[ERROR] unknown command: %%ROOM NEW club games=club-*"));
  EXPECT_THAT(ask("hana", "%%ROOM SET club games=club-*"), ElementsAre("##[ROOM] ERROR there is no room club"));
  EXPECT_THAT(ask("hana", "%%ROOM NEW club games=club-* after-gam=stay"),
              ElementsAre("##[ROOM] ERROR a room has no 'after-gam': did you mean 'after-game'?"));
  EXPECT_THAT(ask("hana", "%%ROOM NEW club games=club-*"),
              ElementsAre("##[ROOM] the room club is made: games=club-*", "##[ROOM] +OK"));
  EXPECT_THAT(ask("hana", "%%ROOM NEW club games=x-*"), ElementsAre("##[ROOM] ERROR there is already a room club"));
  EXPECT_THAT(ask("hana", "%%ROOM SET club title-en=\"The club\""), Contains("##[ROOM] +OK"));
  EXPECT_THAT(ask("hana", "%%ROOM CLOSE club it is late"), Contains("##[ROOM] +OK"));
  const auto acts = facts<core::AdminActed>();
  ASSERT_EQ(acts.size(), 3u);
  EXPECT_EQ(acts[2].act, "close-room club it is late");
  EXPECT_EQ(acts[2].why, "it is late");
  EXPECT_EQ(acts[2].who, "hana");
}

TEST_F(Rooms, CommandsSayWhatIsWrong) {
  EXPECT_THAT(refused("set-room Main games=x-*"), HasSubstr("no name of a room"));
  EXPECT_THAT(refused("set-room main games=x-*"), HasSubstr("as it is"));
  EXPECT_THAT(refused("set-room club"), HasSubstr("set what? One of games, "));
  EXPECT_THAT(refused("set-room club max-moves=3"), HasSubstr("games"));
  EXPECT_THAT(refused("set-room club games=\"club-*"), HasSubstr("quote"));
  done("set-room club games=club-*");
  EXPECT_THAT(refused("set-room other games=club-*"), HasSubstr("of the room club"));
  EXPECT_THAT(refused("close-room other"), HasSubstr("there is no room 'other'"));
  EXPECT_THAT(refused("room other"), HasSubstr("there is no room 'other'"));
  EXPECT_THAT(server.admin("room club").rows, ElementsAre(ElementsAre("games", "club-*")));
  EXPECT_EQ(server.admin("rooms").rows.size(), 2u);
}

TEST_F(Rooms, GamesOfTheDemonstrationAreUnratedAndShowWhatTheirPlayersSayAtOnce) {
  for (const char* name : {"X", "Y"}) {
    server.open(name, "demo");
    server.say(name, std::string("LOGIN ") + name + " t x1");
    server.say(name, "%%GAME demo-180-2F *");
  }
  const auto opened = facts<core::GameOpened>();
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_FALSE(opened[0].rated);
  EXPECT_EQ(opened[0].time.total_s, 180);
  EXPECT_EQ(opened[0].comments, core::Comments::live);
}

TEST_F(Rooms, BuiltInPlayersOfTheDemonstrationMeetNobody) {
  server.login_x1("W");
  server.open("X", "demo");
  server.say("X", "LOGIN X t x1");
  server.heard("X");
  server.say("X", "%%GAME club-900-0 *");
  done("set-room club games=club-*");
  server.say("W", "%%GAME club-900-0 *");
  EXPECT_EQ(games(), 0U);
  EXPECT_THAT(ask("W", "%%WHO"), Not(Contains(HasSubstr("X"))));
}

// ---- files ----

TEST_F(Rooms, FilesSetAndCloseTheirRoomsAndLeaveThoseOfCommandsAlone) {
  done("set-room club games=club-*");
  read_files({{"final", {"games=final-*", "max-moves=9"}}, {"club", {"games=k-*"}}});
  EXPECT_THAT(server.notes(), Contains(HasSubstr("the file of the room club is not used: a command has made a room")));
  EXPECT_THAT(server.admin("room club").rows, ElementsAre(ElementsAre("games", "club-*")));
  EXPECT_THAT(refused("set-room final max-moves=1"), HasSubstr("change rooms/final.toml, then reload"));
  EXPECT_THAT(refused("close-room final"), HasSubstr("rooms/final.toml"));
  const std::size_t rows = server.journal().size();
  read_files({{"final", {"games=final-*", "max-moves=9"}}});
  EXPECT_EQ(server.journal().size(), rows) << "nothing has changed";
  read_files({{"final", {"games=final-*", "max-moves=10"}}});
  EXPECT_EQ(facts<core::RoomSet>().back().settings.back(), "max-moves=10");
  read_files({}, {"final"});
  EXPECT_TRUE(server.admin("room final").ok) << "a file with a fault changes nothing";
  read_files({});
  EXPECT_FALSE(server.admin("room final").ok);
  EXPECT_TRUE(server.admin("room club").ok);
}

TEST_F(Rooms, FilesMayExchangeTheirClaims) {
  read_files({{"a", {"games=x-*"}}, {"b", {"games=y-*"}}});
  read_files({{"a", {"games=y-*"}}, {"b", {"games=x-*"}}});
  EXPECT_THAT(server.admin("room a").rows, ElementsAre(ElementsAre("games", "y-*")));
  EXPECT_THAT(server.admin("room b").rows, ElementsAre(ElementsAre("games", "x-*")));
  read_files({{"a", {"games=y-*"}}, {"b", {"games=y-*"}}});
  EXPECT_THAT(server.notes(),
              Contains(HasSubstr("the file of the room b is not used: games: y-* and y-* of the room a")));
  EXPECT_THAT(server.admin("room b").rows, ElementsAre(ElementsAre("games", "x-*")));
}

// ---- after a crash ----

TEST_F(Rooms, RoomsAndWhatGamesWereOpenedWithSurvive) {
  play_room("final games=final-* after-game=stay resume=position visibility=hidden", "final-900-0");
  server.kill();
  EXPECT_TRUE(server.admin("room final").ok);
  server.login_x1("W");
  EXPECT_THAT(ask("W", "%%LIST"), ElementsAre("##[LIST] +OK"));
  const core::GameOpened game = facts_of<core::GameOpened>(server.history()).back();
  for (const char* name : {"A", "B"}) log_in(name, "final-900-0");
  server.agree("A", "B");
  server.forget_heard();
  server.say(game.black.name, "%TORYO");
  EXPECT_TRUE(server.is_open("A") && server.is_open("B"));
  EXPECT_THAT(server.heard("A"), Contains("BEGIN Game_Summary")) << "they play on";
}

}  // namespace
}  // namespace fuhyo::test
