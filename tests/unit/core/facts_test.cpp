// Payloads of the journal: what was once written stays readable, and what is damaged is refused with its reason.
#include "server/core/facts.h"

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

using namespace std::string_literals;

constexpr Wall kAt{1'782'909'296'123'456};

// Below, what each version of the journal brought, as it stands in tests/golden/facts. Released: never edited, only
// added to. The first: one fact of every kind, every field set, every byte that needs an escape.
std::vector<Fact> version_1() {
  GameOpened opened{.game = GameId{42},
                    .room = "main",
                    .csa_id = "wcsc+final-900-5F+black+white+20260701123456",
                    .game_name = "final-900-5F",
                    .black = {.name = "black", .id = "black+0123456789abcdef0123456789abcdef"},
                    .white = {.name = "white", .id = "", .builtin = true},
                    .time = {.total_s = 900, .byoyomi_s = 10, .increment_s = 5, .least_s = 1, .stopwatch_s = 60},
                    .max_moves = 256,
                    .start_sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                    .preset_moves = {"+7776FU,T1", "-3334FU,T2"},
                    .at = kAt,
                    .local_time = "2026/07/01 21:34:56",
                    .rated = true};
  GameOpened plain = opened;
  plain.preset_moves.clear();
  plain.rated = false;
  plain.room = "";
  return {
      opened,
      plain,
      GameStarted{.game = GameId{42}, .at = Wall{-1}},
      GameRejected{
          .game = GameId{42}, .by = "the Server (timed out)", .at = Wall{7}, .local_time = "2026/07/01 21:34:56"},
      MoveMade{.game = GameId{std::numeric_limits<std::uint64_t>::max()},
               .ply = 3,
               .csa = "+8822UM",
               .spent_s = 12,
               .remaining_s = -1,
               .at = Wall{1'782'909'300'000'000},
               .comment = "* -30 +2726FU\ttab \\ back\r\n\0nul \xff\xfe"s},
      RecordNote{.game = GameId{42}, .text = "Deferred +7776FU"},
      GameEnded{.game = GameId{42},
                .kind = EndKind::illegal_move,
                .outcome = Outcome::white_wins,
                .plies = 7,
                .line = "+0059FU",
                .spent_s = 3,
                .reason = "two pawns at 5i: +0059FU",
                .final_board = "P1-KY-KE\nP2 * \n+\n",
                .at = Wall{1'782'909'310'000'000},
                .local_time = "2026/07/01 21:35:10"},
  };
}

// What came with version 2 of GameOpened, and the kinds that came after it.
std::vector<Fact> version_2() {
  GameOpened opened = std::get<GameOpened>(version_1().front());
  opened.black_rate = 2781;
  opened.white_rate = -12;
  opened.preset_spent = true;
  const BuoySet buoy{.name = "buoy_tsec1-1500-0",
                     .owner = "host",
                     .count = 2,
                     .start_sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                     .moves = {"+7776FU,T1", "-3334FU,T2"},
                     .set = "tsec",
                     .title = "横歩取り",
                     .comment = "tab\t and\nline",
                     .at = kAt};
  BuoySet bare = buoy;
  bare.moves.clear();
  bare.set = bare.title = bare.comment = "";
  return {opened, buoy, bare, BuoyDeleted{.name = "buoy_tsec1-1500-0", .by = "", .at = Wall{7}}};
}

// What came with version 3 of GameOpened, the end by adjudication, and the kinds that came after it.
std::vector<Fact> version_3() {
  GameOpened opened = std::get<GameOpened>(version_2().front());
  opened.preset_free = 1;
  return {opened,
          GameEnded{.game = GameId{42},
                    .kind = EndKind::adjudicated,
                    .outcome = Outcome::draw,
                    .plies = 7,
                    .line = "",
                    .spent_s = 0,
                    .reason = "both agreed",
                    .final_board = "P1-KY-KE\n+\n",
                    .at = kAt,
                    .local_time = "2026/07/01 21:35:10"},
          GamePaused{.game = GameId{42}, .used_us = 12'345'678'901, .by = "host", .why = "power cut", .at = kAt},
          GameResumed{.game = GameId{42}, .by = "host", .at = kAt},
          NameForbidden{.name = "mallory", .by = "host", .why = "two\tmachines", .at = kAt},
          NameAllowed{.name = "mallory", .by = "host", .at = kAt},
          AdminActed{.who = "host",
                     .via = "127.0.0.1:50312",
                     .act = "pause 42 停電",
                     .why = "停電",
                     .outcome = "game 42 is paused",
                     .at = kAt,
                     .local_time = "2026/07/01 21:35:10"}};
}

// The kinds that came with floodgate rounds.
std::vector<Fact> version_4() {
  return {PositionSetLoaded{.name = "tsec", .by = "host", .text = "startpos | 平手\n+7776FU\n", .at = kAt},
          PositionSetLoaded{.name = "tsec", .by = "host", .text = "", .at = kAt},
          RoundHeld{.group = "floodgate-300-10F",
                    .number = 5'000'000'000,
                    .games = {"a+1 b+2", "c+3 d+4"},
                    .sat_out = {"e+5"},
                    .at = kAt},
          RoundHeld{.group = "floodgate-300-10F", .number = 1, .at = kAt}};
}

// What came with version 4 of GameOpened, and two more kinds.
std::vector<Fact> version_5() {
  GameOpened opened = std::get<GameOpened>(version_3().front());
  opened.resume = ResumeRule::position;
  opened.grace_s = 60;
  GameOpened verdict = opened;
  verdict.resume = ResumeRule::adjudicate;
  GameOpened aborted = opened;
  aborted.resume = ResumeRule::abort;
  aborted.grace_s = 0;
  return {opened, verdict, aborted,
          GameSuspended{.game = GameId{42}, .used_us = 7'400'001, .why = "the server\tstopped", .at = Wall{-1}},
          GameContinued{.game = GameId{42}, .at = kAt}};
}

// The kinds that came with accounts.
std::vector<Fact> version_6() {
  const auto credential = [](std::string id, CredentialKind kind, std::string hash, std::string label,
                             Wall made = kAt) {
    return Credential{
        .id = std::move(id), .kind = kind, .hash = std::move(hash), .label = std::move(label), .made = made};
  };
  const AccountSet account{
      .name = "alice",
      .id = "alice+AbCdEf0123",
      .role = "host",
      .credentials = {credential("t1", CredentialKind::token, "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY", "engine\tat home"),
                      credential("p2", CredentialKind::password, "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", ""),
                      credential("t3", CredentialKind::trip, "x", "claimed"),
                      credential("l4", CredentialKind::legacy, "d41d8cd98f00b204e9800998ecf8427e", "players.yaml",
                                 Wall{-1})},
      .issued = 5'000'000'000,
      .second_factor = 7,
      .by = "root",
      .why = "club\nmember",
      .made = kAt,
      .at = kAt};
  AccountSet bare = account;
  bare.role = "player";
  bare.credentials.clear();
  bare.second_factor = 0;
  return {account, bare, AccountDeleted{.name = "alice", .by = "root", .why = "left", .at = kAt}};
}

// The kind that came with the fingerprint of the key.
std::vector<Fact> version_7() { return {KeyKept{.fingerprint = "b613679a0814d9ec772f95d778c35fc5", .at = kAt}}; }

// What came with version 5 of GameOpened, and the kinds that came with rooms.
std::vector<Fact> version_8() {
  GameOpened late = std::get<GameOpened>(version_5().front());
  late.showing = SpectatorDelay{.seconds = 60};
  late.stays = true;
  GameOpened hidden = late;
  hidden.room = "final";
  hidden.showing = SpectatorDelay{.hidden = true};
  GameOpened plain = late;
  plain.showing.reset();
  plain.stays = false;
  return {late,
          hidden,
          plain,
          RoomSet{.name = "final",
                  .settings = {"games=final-*", "title-ja=決勝", "players=ann,bob"},
                  .of_file = true,
                  .by = "file",
                  .at = kAt},
          RoomSet{.name = "final", .settings = {}, .of_file = false, .by = "host", .why = "tab\t", .at = kAt},
          RoomClosed{.name = "final", .by = "host", .why = "the day is over", .at = kAt}};
}

// The kinds that came with events.
std::vector<Fact> version_9() {
  using namespace tournament;
  const DivisionKey key{.stage = 1, .division = 2};
  const GameKey game{.division = key, .round = 3, .board = 4, .game = 2, .attempt = 5};
  const auto decided = [&](Decision decision) {
    return TournamentDecided{.event = "denryu-2026",
                             .decision = std::move(decision),
                             .number = 28,
                             .starts = Wall{1'782'909'300'000'000},
                             .taken_back = false,
                             .by = "host",
                             .why = "a\ttab",
                             .at = kAt};
  };
  const auto phase = [](TournamentPhase now, std::string by, std::string why = "") {
    return TournamentPhaseSet{
        .event = "denryu-2026", .phase = now, .by = std::move(by), .why = std::move(why), .at = kAt};
  };
  const RoundPaired round{
      .division = key,
      .round = 3,
      .pairings = {{.black = "a", .white = "b", .games = 2, .position = 7}, {.black = "c", .white = "d"}},
      .byes = {{.player = "e", .kind = ByeKind::walkover, .instead_of = "f"},
               {.player = "g", .kind = ByeKind::bye},
               {.player = "h", .kind = ByeKind::rest}},
      .manual = true};
  TournamentDecided taken_back = decided(round);
  taken_back.taken_back = true;
  return {
      TournamentSet{.name = "denryu-2026", .text = "name\tdenryu-2026\n", .by = "host", .at = kAt},
      phase(TournamentPhase::announced, "host"),
      phase(TournamentPhase::running, "host"),
      phase(TournamentPhase::paused, "host", "lunch"),
      phase(TournamentPhase::over, "server"),
      decided(Entered{{.player = "a", .title = {.ja = "水匠", .en = "Suisho"}, .seed = 1, .rate = 4500, .stage = 1}}),
      decided(Withdrawn{.player = "a", .stage = 1, .from = 4, .until = 6}),
      decided(Returned{.player = "a", .stage = 1, .from = 5}),
      decided(DivisionFormed{.division = key, .members = {{.player = "a", .lot = 2}, {.player = "b", .lot = 1}}}),
      decided(Joined{.division = key, .member = {.player = "z", .lot = -4}, .from = 3}),
      decided(round),
      taken_back,
      decided(GameResult{.game = game,
                         .black = "a",
                         .white = "b",
                         .outcome = Outcome::white_wins,
                         .how = How::play,
                         .end = EndKind::time_up,
                         .plies = 117,
                         .record = "fuhyo+denryu-2026-900-5F+a+b+20260701123456"}),
      decided(GameResult{
          .game = game, .black = "a", .white = "b", .outcome = Outcome::none, .how = How::forfeit, .plies = 0}),
      TournamentGame{.game = GameId{42}, .event = "denryu-2026", .key = game},
  };
}

// What came with version 6 of GameOpened.
std::vector<Fact> version_10() {
  GameOpened opened = std::get<GameOpened>(version_8().front());
  opened.white_time = TimeRule{.total_s = 120, .byoyomi_s = 1, .increment_s = 2, .least_s = 3, .stopwatch_s = 4};
  return {opened};
}

// The game of version 10, once with each of these.
template <class Field, class Value>
std::vector<Fact> games_with(Field GameOpened::* field, std::initializer_list<Value> values) {
  std::vector<Fact> facts;
  for (const Value value : values) {
    GameOpened opened = std::get<GameOpened>(version_10().front());
    opened.*field = value;
    facts.emplace_back(opened);
  }
  return facts;
}

// What came with version 7 of GameOpened: every rule of declaration.
std::vector<Fact> version_11() {
  using enum shogi::DeclarationRule;
  return games_with(&GameOpened::declaration, {POINTS_27, POINTS_27_H, POINTS_24, POINTS_24_H, TRY, NONE});
}

// The kind that came with the deletion of events.
std::vector<Fact> version_12() {
  return {TournamentDeleted{.event = "denryu-2026", .by = "host", .why = "a\ttrial", .at = kAt}};
}

// What came with version 2 of TournamentDecided.
std::vector<Fact> version_13() {
  using namespace tournament;
  const DivisionKey key{.stage = 1, .division = 2};
  TournamentDecided decided{
      .event = "denryu-2026",
      .decision = GameResult{.game = {.division = key, .round = 3, .board = 4, .game = 2, .attempt = 5},
                             .black = "a",
                             .white = "b",
                             .outcome = Outcome::draw,
                             .how = How::play,
                             .end = EndKind::sennichite,
                             .plies = 71,
                             .record = "fuhyo+denryu-2026-900-5F+a+b+20260701123456",
                             .id = GameId{42}},
      .by = "server",
      .why = {},
      .at = kAt};
  TournamentDecided left = decided;
  left.decision = Withdrawn{.player = "a", .stage = 1, .from = 3, .until = 4};
  return {decided, left};
}

// What came with version 8 of GameOpened: when others read what players say.
std::vector<Fact> version_14() {
  return games_with(&GameOpened::comments, {Comments::never, Comments::after, Comments::live});
}

// What came with version 9 of GameOpened: by whose rules it is judged.
std::vector<Fact> version_15() {
  return games_with(&GameOpened::rulebook, {Rulebook::shogi_server, Rulebook::official});
}

// What came with version 3 of TournamentDecided: the groups of an entrant.
std::vector<Fact> version_16() {
  using namespace tournament;
  TournamentDecided decided{
      .event = "denryu-2026",
      .decision = Entered{{.player = "a", .title = {.ja = "水匠", .en = "Suisho"}, .groups = {"lab", "club"}}},
      .number = 3,
      .by = "host",
      .why = {},
      .at = kAt};
  TournamentDecided alone = decided;
  std::get<Entered>(alone.decision).entrant.groups.clear();
  return {decided, alone};
}

// What a round owes.
std::vector<Fact> version_17() {
  return {
      RoundOwes{.group = "floodgate-300-10F",
                .games = {{.black = "B+1", .white = "A+0", .round = 7}, {.black = "D+3", .white = "C+2", .round = 6}},
                .players = {"E+4"},
                .at = kAt},
      RoundOwes{.group = "floodgate-300-10F", .at = kAt}};
}

// What was said of a move, known later.
std::vector<Fact> version_18() {
  return {CommentAdded{.game = GameId{42}, .ply = 7, .comment = "* 30\t-3334FU", .at = kAt}};
}

struct Version {
  std::vector<Fact> facts;
  std::size_t as_written;  // from which line on they are still written so
};

// By the numbers of their files, from 1 on.
const std::vector<Version>& versions() {
  static const std::vector<Version> all = {
      {version_1(), 99}, {version_2(), 1},  {version_3(), 1},  {version_4(), 0},  {version_5(), 3},  {version_6(), 0},
      {version_7(), 0},  {version_8(), 3},  {version_9(), 14}, {version_10(), 1}, {version_11(), 6}, {version_12(), 0},
      {version_13(), 2}, {version_14(), 3}, {version_15(), 0}, {version_16(), 0}, {version_17(), 0}, {version_18(), 0}};
  return all;
}

std::vector<Fact> every_fact() {
  std::vector<Fact> facts;
  for (const Version& version : versions()) facts.insert(facts.end(), version.facts.begin(), version.facts.end());
  return facts;
}

std::vector<EncodedFact> golden(const std::string& name) {
  std::ifstream file(FUHYO_SOURCE_DIR "/tests/golden/facts/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::vector<EncodedFact> lines;
  for (std::string text; std::getline(file, text);) {
    std::istringstream in(text);
    EncodedFact line;
    in >> line.kind >> line.version;
    in.ignore();
    std::getline(in, line.payload);
    lines.push_back(line);
  }
  return lines;
}

std::string refusal(std::uint16_t kind, std::uint16_t version, std::string_view payload) {
  const auto fact = decode(kind, version, payload);
  EXPECT_FALSE(fact.has_value()) << payload;
  return fact ? "" : fact.error();
}

void expect_back(const EncodedFact& encoded, const Fact& fact) {
  const auto back = decode(encoded.kind, encoded.version, encoded.payload);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(*back, fact) << encoded.payload;
}

class FactsOfVersion : public testing::TestWithParam<std::size_t> {};

TEST_P(FactsOfVersion, StayReadable) {
  const auto& [facts, as_written] = versions().at(GetParam() - 1);
  const std::vector<EncodedFact> lines = golden(fmt::format("version_{}.tsv", GetParam()));
  ASSERT_EQ(lines.size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    expect_back(lines[i], facts[i]);
    const EncodedFact encoded = encode(facts[i]);
    EXPECT_EQ(encoded.kind, lines[i].kind) << "the number of a kind never changes";
    if (i < as_written) continue;
    EXPECT_EQ(encoded.payload, lines[i].payload);
    EXPECT_EQ(encoded.version, lines[i].version);
  }
}

INSTANTIATE_TEST_SUITE_P(Released, FactsOfVersion, testing::Range<std::size_t>(1, versions().size() + 1),
                         [](const auto& version) { return fmt::format("{}", version.param); });

TEST(Facts, EveryDecisionOfAnEventHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  std::size_t decisions = 0;
  for (const Fact& fact : version_9()) {
    const auto* decided = std::get_if<TournamentDecided>(&fact);
    if (decided == nullptr || decided->taken_back) continue;
    ++decisions;
    keys.insert(keyed_fact_of(fact)->key);
  }
  EXPECT_EQ(decisions, 8u);
  EXPECT_THAT(keys, ElementsAre("tournament/denryu-2026/entry/a", "tournament/denryu-2026/formed/1/2",
                                "tournament/denryu-2026/joined/1/2/z", "tournament/denryu-2026/result/1/2/3/4/2/5",
                                "tournament/denryu-2026/returned/1/a", "tournament/denryu-2026/round/1/2/3",
                                "tournament/denryu-2026/withdrawn/1/a"))
      << "the later one of two results of the same game counts";
}

TEST(Facts, KeyedFactHoldsUntilItsKeyIsDeleted) {
  const std::pair<Fact, KeyedFact> cases[] = {
      {BuoySet{.name = "buoy_a-1-1"}, {"buoy/buoy_a-1-1", false}},
      {BuoyDeleted{.name = "buoy_a-1-1"}, {"buoy/buoy_a-1-1", true}},
      {PositionSetLoaded{.name = "s", .text = "startpos"}, {"set/s", false}},
      {PositionSetLoaded{.name = "s"}, {"set/s", true}},
      {RoundHeld{.group = "floodgate-1-1"}, {"round/floodgate-1-1", false}},
      {RoundOwes{.group = "floodgate-1-1"}, {"owed/floodgate-1-1", false}},
      {NameForbidden{.name = "x"}, {"forbid/x", false}},
      {NameAllowed{.name = "x"}, {"forbid/x", true}},
      {AccountSet{.name = "alice"}, {"account/alice", false}},
      {AccountDeleted{.name = "alice"}, {"account/alice", true}},
      {RoomSet{.name = "final"}, {"room/final", false}},
      {RoomClosed{.name = "final"}, {"room/final", true}},
      {TournamentSet{.name = "cup"}, {"tournament/cup/event", false}},
      {TournamentPhaseSet{.event = "cup"}, {"tournament/cup/phase", false}},
      {TournamentDecided{.event = "cup", .decision = tournament::RoundPaired{}, .taken_back = true},
       {"tournament/cup/round/0/0/1", true}},
      {TournamentDeleted{.event = "cup"}, {"tournament/cup/", true, true}},
      {KeyKept{.fingerprint = "x"}, {"key", false}}};
  for (const auto& [fact, keyed] : cases) EXPECT_EQ(keyed_fact_of(fact), keyed) << keyed.key;
  EXPECT_EQ(keyed_fact_of(TournamentGame{.event = "cup"}), std::nullopt) << "goes with its game";
  for (const Fact& fact : version_1()) EXPECT_FALSE(keyed_fact_of(fact).has_value());
}

TEST(Facts, EveryKindHasAGoldenLineAndIsReadBackFromOneLineWithoutNul) {
  std::vector<bool> seen(std::variant_size_v<FactVariant>);
  for (const Fact& fact : every_fact()) {
    seen[fact.index()] = true;
    const EncodedFact encoded = encode(fact);
    expect_back(encoded, fact);
    EXPECT_EQ(encoded.payload.find_first_of(std::string_view("\n\r\0", 3)), std::string::npos);
  }
  EXPECT_THAT(seen, Each(true));
}

TEST(Facts, EveryEndAndOutcomeSurvives) {
  for (int kind = 0; kind <= static_cast<int>(EndKind::adjudicated); ++kind) {
    for (int outcome = 0; outcome <= static_cast<int>(Outcome::none); ++outcome) {
      GameEnded ended;
      ended.kind = EndKind(kind);
      ended.outcome = Outcome(outcome);
      expect_back(encode(ended), ended);
    }
  }
}

TEST(Facts, EveryTruncationIsRefusedOrIsAnotherWholeFact) {
  for (const Fact& fact : version_1()) {
    const EncodedFact encoded = encode(fact);
    for (std::size_t size = 0; size < encoded.payload.size(); ++size) {
      const auto back = decode(encoded.kind, encoded.version, std::string_view(encoded.payload).substr(0, size));
      if (back)
        EXPECT_NE(*back, fact);  // a shorter last field
      else
        EXPECT_THAT(back.error(), HasSubstr("field"));
    }
  }
}

TEST(Facts, AMissingFieldIsNamed) {
  EXPECT_EQ(refusal(4, 1, "42\t3"), "MoveMade (kind 4) version 1: field 3 (csa) is missing");
  EXPECT_EQ(refusal(2, 1, ""), "GameStarted (kind 2) version 1: field 1 (game) '' is not a number in range");
}

TEST(Facts, GarbageIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal(2, 1, "x\t5"), "GameStarted (kind 2) version 1: field 1 (game) 'x' is not a number in range");
  EXPECT_EQ(refusal(2, 1, "-1\t5"), "GameStarted (kind 2) version 1: field 1 (game) '-1' is not a number in range");
  EXPECT_EQ(refusal(2, 1, "1\t5\t"), "GameStarted (kind 2) version 1: more than 2 fields");
  EXPECT_THAT(refusal(5, 1, "1\ta\\x"), HasSubstr("field 2 (text) 'a\\x' has a broken escape"));
  EXPECT_THAT(refusal(5, 1, "1\ta\\"), HasSubstr("broken escape"));
  EXPECT_THAT(refusal(4, 1, "1\t2147483648\t+7776FU\t0\t0\t0\t"), HasSubstr("field 2 (ply) '2147483648'"));
  EXPECT_THAT(refusal(6, 1, "1\twon\tdraw\t0\t\t0\t\t\t0\t"), HasSubstr("field 2 (kind) 'won' is not a known word"));
  EXPECT_THAT(refusal(6, 1, "1\ttoryo\tblack\t0\t\t0\t\t\t0\t"), HasSubstr("field 3 (outcome) 'black'"));
}

TEST(Facts, ADamagedCountAsksForNoMemory) {
  std::string payload = encode(version_2()[2]).payload;  // ends in the count of moves, 0
  ASSERT_EQ(payload.back(), '0');
  payload.back() = '9';
  EXPECT_THAT(refusal(7, 1, payload), HasSubstr("(moves) is missing"));
  EXPECT_THAT(refusal(7, 1, payload + "999999999999999999"), HasSubstr("(moves) is missing"));
}

TEST(Facts, UnknownKindAndNewerVersionSaySo) {
  EXPECT_THAT(refusal(0, 1, ""), HasSubstr("unknown kind 0"));
  EXPECT_THAT(refusal(999, 1, ""), HasSubstr("unknown kind 999"));
  EXPECT_EQ(refusal(4, 2, ""), "MoveMade (kind 4): version 2 is not one that this program reads (1 to 1)");
  EXPECT_THAT(refusal(4, 0, ""), HasSubstr("version 0"));
}

template <class... F>
std::vector<Fact> one_of_each(std::variant<F...>*) {
  return {F{}...};
}

TEST(Facts, GameOfEveryKind) {
  for (Fact& fact : one_of_each(static_cast<Fact*>(nullptr))) {
    bool of_a_game = false;
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.game; }) {
            f.game = GameId{9};
            of_a_game = true;
          }
        },
        fact);
    EXPECT_EQ(game_of(fact), of_a_game ? GameId{9} : GameId{}) << fact.index();
    const bool stands = keyed_fact_of(fact).has_value();
    EXPECT_EQ(of_a_game || stands, !std::holds_alternative<AdminActed>(fact)) << fact.index();
    EXPECT_FALSE(of_a_game && stands) << fact.index();
  }
}

TEST(Facts, SummaryTypesAreShogiServersAndOneOfOurs) {
  const std::vector<std::string_view> expected = {
      "toryo",      "abnormal",   "time up",         "kachi",     "illegal kachi", "illegal move", "oute_kaihimore",
      "uchifuzume", "sennichite", "oute_sennichite", "max_moves", "chudan",        "adjudicated"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(summary_type(EndKind(i)), expected[i]);
}

}  // namespace
}  // namespace fuhyo::core
