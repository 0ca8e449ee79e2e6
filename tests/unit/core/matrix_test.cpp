// Every command in every state: what is answered, and which state follows. The table is the specification.
#include <array>
#include <map>

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

enum State { CONNECTED, GAME_WAITING, AGREE_WAITING, START_WAITING, GAME_MINE, GAME_THEIRS };
constexpr std::array kNames{"connected", "game_waiting", "agree_waiting", "start_waiting", "game", "game"};

// Brings A (Black) into the state; B is the other player, W a watcher.
std::string bring(VirtualServer& server, State state) {
  server.login_x1({"A", "B", "W"});
  std::string id;
  if (state >= GAME_WAITING) server.say("A", "%%GAME m-300-10 +");
  if (state >= AGREE_WAITING) server.say("B", "%%GAME m-300-10 -");
  for (const std::string& line : server.heard("A")) {
    if (line.starts_with("Game_ID:")) id = line.substr(8);
  }
  if (state >= START_WAITING) server.say("A", "AGREE");
  if (state >= GAME_MINE) server.say("B", "AGREE");
  if (state == GAME_THEIRS) server.say("A", "+7776FU");
  server.forget_heard();
  return id;
}

std::string state_of(VirtualServer& server, const std::string& client) {
  server.heard("W");
  server.say("W", "%%WHO");
  for (const std::string& line : server.heard("W")) {
    if (!line.starts_with("##[WHO] " + client + "+")) continue;
    const std::size_t begin = line.find(" x1 ") + 4;
    return line.substr(begin, line.find(' ', begin) - begin);
  }
  return "gone";
}

struct Case {
  State state;
  std::string line;
  Lines answer;       // to A; "<id>" stands for the game id
  std::string after;  // A's state; "" = unchanged
};

std::string wrong(State state, std::string_view command, std::string_view valid) {
  return fmt::format("##[ERROR] you are in {} status. {} is valid in {} status", kNames[state], command, valid);
}

// The rows of one state.
struct Cases {
  State state;
  std::vector<Case>& all;

  void add(std::string line, Lines answer, std::string after = "") {
    all.push_back({state, std::move(line), std::move(answer), std::move(after)});
  }
  bool playing() const { return state >= GAME_MINE; }
};

void add_questions(Cases cases) {
  cases.add("", {""});
  cases.add(" ", {});
  cases.add("\t ", {});
  cases.add("%%%X", {});
  cases.add("foo", {"##[ERROR] unknown command: foo"});
  cases.add("LOGIN A pwA x1", {"##[ERROR] unknown command: LOGIN A..."});
  cases.add("CHALLENGE", {"CHALLENGE ACCEPTED"});
  cases.add("%%VERSION", {"##[VERSION] Shogi Server revision 20201206", "##[VERSION] +OK"});
  cases.add("%%GAME x-1-1", {"##[ERROR] A turn identifier is required: %%GAME x-1-1"});
}

void add_lobby(Cases cases) {
  if (cases.state <= GAME_WAITING) {
    cases.add("%%GAME", {}, "connected");
    cases.add("%%GAME other-300-10 *", {}, "game_waiting");
    cases.add("%%CHALLENGE other-300-10 -", {"##[ERROR] can't find rival for other-300-10"}, "connected");
    cases.add("%%GAME foo +", {"##[ERROR] bad game name: foo.",
                               "##[ERROR] game name should consist of three parts like game-1500-60."});
    cases.add("%%GAME x-900-00 +", {"##[ERROR] bad game name: x-900-00.",
                                    "##[ERROR] game name should consist of three parts like game-1500-60."});
    cases.add("%%GAME hclance_x-300-10 *", {"##[ERROR] Random turn preference is not allowed for handicapped games"});
    cases.add("%%GAME floodgate-300-10 +",
              {"##[ERROR] You are not allowed to specify TEBAN + for the game floodgate-300-10"});
    cases.add("%%GAME floodgate-300-10 *", {}, "game_waiting");
    cases.add("%%GAME buoy_none-300-10 +", {}, "game_waiting");
  } else {
    const std::string refused = wrong(cases.state, "GAME", "connected or game_waiting");
    cases.add("%%GAME", {refused});
    cases.add("%%GAME other-300-10 -", {refused});
    cases.add("%%CHALLENGE other-300-10 -", {refused});
  }
}

void add_agreement(Cases cases) {
  if (cases.state == AGREE_WAITING) {
    cases.add("AGREE", {}, "start_waiting");
    cases.add("AGREE <id>", {}, "start_waiting");
    cases.add("AGREE another-game", {"##[ERROR] AGREE is for another game: another-game"});
    cases.add("REJECT", {"REJECT:<id> by A"}, "connected");
    cases.add("REJECT <id>", {"REJECT:<id> by A"}, "connected");
    cases.add("REJECT another-game", {"##[ERROR] REJECT is for another game: another-game"});
  } else {
    cases.add("AGREE", {wrong(cases.state, "AGREE", "agree_waiting")});
    cases.add("REJECT", {wrong(cases.state, "REJECT", "agree_waiting")});
  }
}

void add_game(Cases cases) {
  if (!cases.playing()) {
    cases.add("+7776FU", {});
    cases.add("%TORYO", {});
    cases.add("%KACHI", {});
  }
  if (cases.state == GAME_MINE) {
    cases.add("+7776FU", {"+7776FU,T0"});
    cases.add("+7776FU,'* 12 -3334FU", {"+7776FU,T0"});
    cases.add("%TORYO", {"%TORYO", "#RESIGN", "#LOSE"}, "connected");
    cases.add("%TORYO,abc", {"%TORYO", "#RESIGN", "#LOSE"}, "connected");
    cases.add("%KACHI", {"%KACHI,T0", "%KACHI", "#ILLEGAL_MOVE", "#LOSE"}, "connected");
    for (const auto* line : {"+7775FU", "-3334FU", "+77", "+7776FU 'x", "+0055FU", "%CHUDAN", "%MATTA"}) {
      cases.add(line, {"#ILLEGAL_MOVE", "#LOSE"}, "connected");
    }
  }
  if (cases.state == GAME_THEIRS) {
    cases.add("+7776FU", {});  // the very move again: forgiven
    cases.add("+2726FU", {});  // kept until its turn
    cases.add("%TORYO", {});
    cases.add("%CHUDAN", {});
  }
}

void add_logout(Cases cases) {
  const Lines lost{"LOGOUT:completed", "%TORYO", "#RESIGN", "#LOSE", "[EOF]"};
  const Lines refused{"LOGOUT:completed", "REJECT:<id> by A", "[EOF]"};
  cases.add("LOGOUT",
            cases.playing()                ? lost
            : cases.state >= AGREE_WAITING ? refused
                                           : Lines{"LOGOUT:completed", "[EOF]"},
            "gone");
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const State state : {CONNECTED, GAME_WAITING, AGREE_WAITING, START_WAITING, GAME_MINE, GAME_THEIRS}) {
    const Cases cases{state, all};
    add_questions(cases);
    add_lobby(cases);
    add_agreement(cases);
    add_game(cases);
    add_logout(cases);
  }
  return all;
}

TEST(Matrix, B7_EveryCommandInEveryState) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(fmt::format("state {} line '{}'", static_cast<int>(c.state), c.line));
    VirtualServer server;
    const std::string id = bring(server, c.state);
    const auto with_id = [&](std::string text) {
      if (const std::size_t at = text.find("<id>"); at != std::string::npos) text.replace(at, 4, id);
      return text;
    };
    server.say("A", with_id(c.line));
    Lines expected;
    for (const std::string& line : c.answer) expected.push_back(with_id(line));
    EXPECT_EQ(server.heard("A"), expected);
    EXPECT_EQ(state_of(server, "A"), c.after.empty() ? kNames[c.state] : c.after);
  }
}

// The other side of a game learns of every way in which A can leave, at once.
TEST(Matrix, TheOpponentHearsAtOnce) {
  const std::map<State, Lines> expected{
      {AGREE_WAITING, {"REJECT:<id> by A"}},
      {START_WAITING, {"REJECT:<id> by A"}},
      {GAME_MINE, {"%TORYO", "#RESIGN", "#WIN"}},
      {GAME_THEIRS, {"%TORYO", "#RESIGN", "#WIN"}},
  };
  for (const auto& [state, lines] : expected) {
    for (const bool logout : {false, true}) {
      VirtualServer server;
      const std::string id = bring(server, state);
      logout ? server.say("A", "LOGOUT") : server.hang_up("A");
      Lines wanted = lines;
      for (std::string& line : wanted) {
        if (const std::size_t at = line.find("<id>"); at != std::string::npos) line.replace(at, 4, id);
      }
      EXPECT_EQ(server.heard("B"), wanted) << "state " << state << " logout " << logout;
      EXPECT_EQ(state_of(server, "B"), "connected");
      EXPECT_EQ(state_of(server, "A"), "gone");
    }
  }
}

}  // namespace
}  // namespace fuhyo::test
