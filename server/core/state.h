// The whole state of the server, private to this room. Its member functions are spread over sessions.cpp (who is
// connected), logins.cpp, web_logins.cpp and password_checks.cpp (who may be), lobby.cpp (who waits for whom),
// room_keeping.cpp (which rooms there are, and who is in which), buoys.cpp (start positions under a name), rounds.cpp
// (floodgate), events.cpp (tournaments), play.cpp (what happens in games), pause.cpp (games whose clocks stand still),
// absence.cpp (players who are away and come back), recovery.cpp (games that a crash cut off), monitor.cpp (who watches
// games), delayed.cpp (... that are shown with a delay), queries.cpp (%% questions), admin/ (what whoever runs the
// server asks for), figures.cpp (all of it in numbers).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <expected>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/core/accounts.h"
#include "server/core/comments.h"
#include "server/core/conduct.h"
#include "server/core/delay_line.h"
#include "server/core/effects.h"
#include "server/core/event_view.h"
#include "server/core/fair_queue.h"
#include "server/core/figures.h"
#include "server/core/floodgate/history.h"
#include "server/core/floodgate/pairing.h"
#include "server/core/game.h"
#include "server/core/limits.h"
#include "server/core/rooms/rooms.h"
#include "server/core/running_event.h"
#include "server/core/server.h"
#include "server/core/start_position.h"
#include "server/core/timers.h"
#include "server/core/turn_clock.h"
#include "server/csa/command.h"
#include "server/csa/format.h"
#include "server/csa/game_name.h"

namespace fuhyo::core {

enum class Phase : std::uint8_t { before_login, connected, game_waiting, agree_waiting, start_waiting, game, finished };
std::string_view to_string(Phase phase);  // shogi-server's word

// A token bucket: `per_s` tokens a second, at most `burst`.
class Bucket {
 public:
  Bucket(double per_s, double burst, Instant now) : per_s_(per_s), burst_(burst), tokens_(burst), at_(now) {}
  void take(Instant now, double tokens = 1) {
    refill(now);
    tokens_ -= tokens;
  }
  // Microseconds until the budget is not overdrawn; 0 or less: it is not.
  std::int64_t wait_us(Instant now) {
    refill(now);
    return static_cast<std::int64_t>(-tokens_ / per_s_ * 1e6);
  }
  void give_back() { tokens_ = std::min(burst_, tokens_ + 1); }

 private:
  void refill(Instant now) {
    tokens_ = std::min(burst_, tokens_ + static_cast<double>(now - at_) / 1e6 * per_s_);
    at_ = now;
  }
  double per_s_, burst_, tokens_;
  Instant at_;
};

// A line (or the end of the connection) that waits: for the journal, or for its sender's turn.
struct Waiting {
  ConnId conn{};
  shogi::Color side = shogi::BLACK;  // of the sender
  std::string line;
  Instant arrived;
  bool gone = false;      // not a line: the connection ended
  bool given_up = false;  // not even that: nobody waits for the player any more
  std::string why;
};

// A LOGIN line that is not yet answered.
struct LoginUnderWay {
  csa::Login login;
  bool crlf = false;
  Instant since;
  std::optional<csa::Secret> trip;
  csa::GameName game;  // CSA mode: what it asks for
  csa::Turn turn = csa::Turn::any;
};

// A password that waits for its slow hash to be compared. Without a credential it is wrong, and takes as long.
struct PasswordCheck {
  std::optional<ConnId> conn;        // of the session that logs in
  std::optional<std::uint64_t> web;  // or the token of a web login
  std::string name, credential, proof, hash;
  csa::Secret secret;
};

struct WebLoginUnderWay {
  WebLogin asked;
  Instant since;
};

// How often the log is told of refusals: once a minute, and how many there were since.
class Refusals {
 public:
  bool tell(Instant now) {
    if (told_ && now - *told_ < 60 * kSecond) {
      ++silent_;
      return false;
    }
    told_ = now;
    return true;
  }
  std::string untold() {
    const std::size_t count = std::exchange(silent_, 0);
    return count == 0 ? std::string() : fmt::format(" ({} refusals in the minute before)", count);
  }

 private:
  std::optional<Instant> told_;
  std::size_t silent_ = 0;
};

struct Session {
  ConnId conn{};
  Door door = Door::csa;
  std::string home;  // the room that its door leads to: kMainRoom, but for built-in players
  std::string room;  // where it is: it hears what is said there
  std::string peer, address;
  std::string network;  // what one machine has: shares are counted by it
  bool secure = false;  // as in Opened
  Phase phase = Phase::before_login;
  bool x1 = false;
  std::string name;
  std::string id;  // name+trip hash; the name alone without a trip
  bool has_trip = false;
  std::uint64_t login_order = 0;
  int login_tries = 0;
  std::optional<LoginUnderWay> login;     // while it is being looked at
  std::deque<Line> held;                  // lines that came meanwhile
  Instant since;                          // of its login
  bool account = false;                   // it has shown a secret of the account of its name
  std::string trip_proof;                 // keyed hash of its trip: by this it may claim its name
  bool parting = false;                   // it has said LOGOUT, or its line is gone: nothing follows
  bool given_over = false;                // somebody with the same secret takes its place
  std::optional<Instant> commands_until;  // so long does its one-time code hold
  csa::GameName wanted;                   // the game that it waits for or plays
  csa::Turn wish = csa::Turn::any;        // the colour that it asked for
  csa::Turn turn = csa::Turn::any;        // ... and the one that it has in its game
  GameId game{};
  std::deque<Waiting> deferred;  // lines sent before its turn
  std::size_t queued = 0;        // its lines that are deferred or in the game's inbox
  Bucket bucket;
  bool throttled = false;
  Role role = Role::player;
  Instant rests_until;                  // no game of an event begins for it before
  bool for_restart = false;             // it waits for a game that is to go on, not for a rival
  bool by_token = false;                // it came back to its game by the token of the Game_Summary
  int estimated_rate = 0;               // what shogi-server's pairing takes an unrated player for
  std::vector<std::string> serves;      // as in Serves
  std::optional<csa::GameName> awaits;  // as in Awaits
  std::set<GameId> monitors;            // games that it watches, in one way or both
  std::optional<Instant> waits_since;   // for the game that it wants, however often it was asked for
};

// Who watches a game, of each kind in the order in which they asked.
struct Watchers {
  std::vector<ConnId> board;   // %%MONITORON: the board after each move
  std::vector<ConnId> record;  // %%MONITOR2ON: the lines of the record
};

struct Table {
  Game game;
  std::array<ConnId, 2> seats{};  // ConnId{}: the player is away
  std::array<bool, 2> agreed{};   // to begin, or to go on
  bool started = false;
  TurnClock turn;  // of the turn that is under way
  bool paused = false;
  bool suspended = false;       // the server had ended; no clock runs until both players are back
  bool awaits_verdict = false;  // ... which they may not before whoever runs the server says so
  // Of a player who has come back: moves that his summary knew, and seconds of the turn under way that its Total_Time
  // left out.
  std::array<std::size_t, 2> told_plies{};
  std::array<std::int32_t, 2> told_s{};
  // While set, a move of this game is on its way to the disk: no clock of it runs, and lines of both players wait.
  std::optional<Seq> pending;
  std::deque<Waiting> inbox;
  std::uint64_t read_pass = 0;  // token of the pass that was asked for at the deadline; 0: none
  RunningRecord record;         // what the record file holds behind its head
  std::uint64_t round = 0;      // of its floodgate group; 0: of none
  std::optional<EventGame> event;
  Watchers watchers;
};

// A game that is shown with a delay, as far as it has been shown. It may be over, and its table gone.
struct DelayedGame {
  Game game;
  RunningRecord record;  // as of a Table
  Watchers watchers;
};

// What a watcher gets to see.
struct Scene {
  const Game& game;
  const RunningRecord& record;
  Watchers& watchers;
};

// A floodgate group and how far it has come.
struct RoundGroup {
  floodgate::Group told;
  floodgate::History history;
  std::uint64_t round = 0;     // number of the newest
  std::uint64_t timer = 0;     // id of its timer
  std::optional<Wall> due;     // of the next round
  std::set<std::string> owed;  // ids of players whom the newest round has given no game
  // Second games of pairs, to be played when both wait again, or one whom a built-in player comes back to.
  std::vector<OwedGame> returns;
};

struct PositionSet {
  std::string by;
  std::vector<StartPosition> positions;  // not empty
};

// What a game starts from where it is not what its name says.
struct GamePlan {
  StartPosition start;
  std::int32_t max_moves = 0;
  std::int32_t least_time_per_move_s = 0;
  bool preset_spent = false;
  ResumeRule resume = ResumeRule::abort;
  std::int32_t grace_s = 0;
  std::array<std::optional<TimeRule>, 2> time;  // of Black and White, instead of that of the game name
  std::optional<SpectatorDelay> showing;
  std::optional<Comments> comments;
  bool rated = true, stays = false;
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  Rulebook rulebook = Rulebook::shogi_server;
};

// A game that goes on from one of its moves as soon as both its players are there.
struct Restart {
  GameOpened opened;  // as it will be, but for its number and times
  Instant since;
  std::optional<EventGame> event = {};
};

// Who asked for what the shell is doing.
struct AdminAsker {
  std::string who, via;
  Role role = Role::admin;
  std::optional<ConnId> conn;       // of a session
  std::uint64_t token = 0;          // of the administration socket, or the web
  bool confirmed = true;            // as in AdminLine
  std::string_view word = "ADMIN";  // behind which he is answered: a literal
};

// A game that is over, as far as it can be restarted.
struct RecentGame {
  GameOpened opened;
  std::vector<std::string> moves;
  std::optional<EventGame> event = {};
};

// Who waits for one game of one room, by the colour wished and then by login order, in which pairing goes.
struct WaitingList {
  std::map<csa::Turn, std::map<std::uint64_t, ConnId>> by_turn;
};

// 0: it has none.
std::size_t count_of(const std::unordered_map<std::string, std::size_t>& counts, const std::string& key);
void count_down(std::unordered_map<std::string, std::size_t>& counts, const std::string& key);

struct Server::State {
  State(const Limits& limits_in, Rules rules_in, const Recovery& recovered);

  void begin(Now now_in, Effects& out_in);
  void apply(const Input& input, Now now_in, Effects& out_in);

  // sessions.cpp
  void on(const Opened& e);
  void on(const Line& e);
  void on(const BadInput& e);
  void on(const Closed& e);
  void make_room_for_stranger(const Session& newcomer);
  bool is_throwaway(const Session& s) const;
  bool has_place(const Session& s, bool known);
  bool is_shut_out(const Session& s) const;
  bool is_spared(std::string_view address) const;  // by the limits and costs of an address
  void leave(Session& s, std::string_view why);    // ends what it was doing
  void drop(Session& s, std::string_view why);     // leave, close the connection, forget it
  void forget(ConnId conn);
  bool has_its_share(const Session& s) const;
  void throttle(Session& s);
  void unthrottle(Session& s);
  Session* find(ConnId conn);
  Session* find_name(std::string_view name);

  // logins.cpp
  void log_in(Session& s, const Line& e);
  void hold(Session& s, const Line& e);
  void answer_held(ConnId conn);
  void refuse_plain(Session& s, const LoginUnderWay& login);
  void refuse_login(Session& s, bool crlf, bool hint);
  void turn_out(Session& s, bool crlf);
  void identify(Session& s);
  void prove(Session& s, const AccountSet& account);
  void turn_away(Session& s, bool guilty);
  void refusal_due(ConnId conn);
  void enter(Session& s, const AccountSet* account);
  bool yield_name(const csa::Login& login, const std::string& id, bool owner, Session& newcomer,
                  std::string_view line_end);
  void admit(Session& s, const csa::Login& login, std::string id, bool has_trip);
  const EntryRule* entry_of(std::string_view game_name) const;  // null: no setting is about the name
  bool wants_tls(std::string_view game_name) const;
  AccountPolicy policy_of(std::string_view game_name) const;
  bool reads_along(const Session& s, std::string_view game_name) const;
  bool may_enter(std::string_view name, bool has_account, std::string_view game_name) const;
  bool claim(const Session& s, const std::string& name, std::string proof);
  void modernise(const AccountSet& account, std::string_view credential, const std::string& keyed);
  const AccountSet* renew(AccountSet account, std::string_view credential, const std::string& renewed);
  void keep_account(AccountSet account);
  void on(const AccountsRead& e);
  bool unlock_commands(Session& s, std::string_view text);
  bool is_good_code(const AccountSet& account, std::string_view code);
  Role role_of(const Session& s) const;
  void disown(std::string_view name);
  Instant answer_time(Instant since) const;

  // password_checks.cpp
  std::string proof_of(const AccountSet& account, std::string_view credential, std::string_view shown) const;
  bool is_right_at_once(const AccountSet& account, const Credential& password, const csa::Secret& shown) const;
  PasswordCheck check_of(const AccountSet& account, const Credential& password, const csa::Secret& shown) const;
  void check_password(PasswordCheck check, std::string_view address);
  void check_next();
  bool is_still_to_check(const PasswordCheck& check);
  void leave_unchecked(const PasswordCheck& check, std::int64_t wait_us);
  void on(const PasswordChecked& e);
  void judge(const PasswordCheck& check, const PasswordChecked& e);

  // web_logins.cpp
  void on(const WebLogin& e);
  std::int64_t wait_us(const WebLogin& e) const;
  void prove_web(const WebLogin& e);
  void admit_web(std::uint64_t token, const AccountSet& account);
  void admit_web(std::uint64_t token, const std::string& name, Role role);
  void put_off_web(std::uint64_t token, std::int64_t us);
  void refuse_web(std::uint64_t token, bool guilty);
  void on(const PasswordChosen& e);

  // serving.cpp
  void on(const Serves& e);
  void on(const Awaits& e);
  bool is_served(const Session& guest, const Session& by) const;
  Session* server_of(const Session& guest);
  void take_over_wish(Session& player, const Session& guest);
  Session* filler_of(const csa::GameName& group, std::string_view id = {});

  // lobby.cpp
  void want(Session& s, const csa::Game& g);
  void wait_for(Session& s, const csa::GameName& name, csa::Turn turn, bool challenge);
  void stop_waiting(Session& s);
  void enter_queue(Session& s);  // the session waits for what it wants
  void leave_queue(Session& s);  // it is connected again; nothing happens to one that does not wait
  Session* rival_of(const Session& s);
  Session* rival_in(const WaitingList& list, csa::Turn turn);
  bool cools_down(const Session& s) const;  // nobody is paired with it for a while
  void cool_down(Session& s);               // ... which it hears, and then is
  void notice_neighbours(const Session& black, const Session& white, const GameOpened& opened);
  void pair(Session& rival, Session& mover);
  void pair_everybody();
  bool pairs_directly(const Session& s) const;
  bool may_enter_builtin(const Session& s, std::string_view game_name) const;
  GamePlan plan_of(const Session& s) const;  // of what it wants, in the room where it is
  std::optional<StartPosition> room_start(const RoomRules& room) const;
  // "buoy NAME", "set NAME N", or what read_start_position() reads.
  std::expected<StartPosition, std::string> start_position(std::string_view text) const;
  GameOpened open_game(const Session& black, const Session& white, GamePlan plan);
  Table& begin_game(Session& black, Session& white, GameOpened opened, PairedBy by);
  csa::Summary summary_of(const Game& game) const;
  void send_summaries(const Table& table);

  // room_keeping.cpp
  std::string room_for(const Session& s, std::string_view game_name) const;
  bool may_see(const Session& s, const GameOpened& opened) const;
  bool may_see(const Session& s, const Room& room) const;
  bool may_see(const Session& s, const Session& other) const;  // that he has to do with a game
  void on(const RoomsRead& e);
  void set_room(RoomSet fact);
  void close_room(RoomClosed fact);
  // Appends it; who waits is where the rooms say then.
  void change_rooms(const std::string& name, const Fact& fact);
  void wait_again(const std::vector<ConnId>& conns);
  void room_command(Session& s, const Line& e, const csa::RoomCommand& c);
  // Its games, as far as `viewer` may see them (null: all), and who waits.
  std::pair<std::size_t, std::size_t> crowd_of(std::string_view room, const Session* viewer = nullptr) const;
  void list_rooms(Session& s);
  void show_room(Session& s, std::string_view name);
  void join_room(Session& s, std::string_view name);

  // buoys.cpp
  void set_buoy(Session& s, const csa::SetBuoy& c);
  void set_buoy(Session& s, const csa::SetBuoySfen& c);
  bool may_set_buoy(Session& s, const std::string& name, std::int64_t count);
  void add_buoy(Session& s, std::string name, StartPosition start, std::int64_t count, std::string_view reply);
  void delete_buoy(Session& s, const csa::DeleteBuoy& c);
  void buoy_count(Session& s, const csa::GetBuoyCount& c);
  void list_buoys(Session& s, const csa::Buoys& c);
  void fork(Session& s, const csa::Fork& c);
  void use_up(const std::string& buoy);
  void start_waiting_for(const std::string& buoy, const Session& setter);
  void keep(const Fact& fact);  // what stands from now on
  void on(const SetRead& e);
  std::expected<std::size_t, std::string> load_set(std::string name, std::string text, std::string by);

  // rounds.cpp
  void on(const GroupChanged& e);
  RoundGroup* group_of(std::string_view game_name);
  void look_back(RoundGroup& group, const std::string& game_name);
  void arm(RoundGroup& group);
  void round_timer(std::uint64_t timer);
  std::string rounds_room(std::string_view game_name) const;
  std::vector<Session*> round_players(const std::string& game_name);
  // Why nobody plays with who waits so, however long; empty: somebody may.
  std::string never_paired(const Session& s);
  void tell_never_paired(const Session& s);
  // Who waits for its rounds and is never paired.
  std::size_t tripless(std::string_view game_name);
  // Who is there for a round and in none: why its players are too few, in words.
  std::string left_out(const std::string& game_name);
  floodgate::Entrant entrant(const Session& s) const;
  std::vector<floodgate::Online> bystanders(const std::vector<Session*>& players) const;
  // The number of games; the error says why there is no round.
  std::expected<std::size_t, std::string> hold_round(const std::string& game_name);
  std::size_t seat_round(const std::string& game_name, RoundGroup& group, const floodgate::Pairings& pairings);
  void seat_pair(const std::string& game_name, const floodgate::PairedGame& game, std::uint64_t round);
  void seat_late(const Session& s);
  bool seat_return(const std::string& game_name, RoundGroup& group);
  bool is_played(const OwedGame& owed) const;
  void keep_owed(const std::string& game_name, const RoundGroup& group);
  std::uint64_t round_of(const GameOpened& opened) const;
  void owe_unstarted(const GameOpened& opened);
  void unseated(const Table& table, std::string_view by, const std::array<bool, 2>& agreed);
  bool is_owed(const Session& s);
  void record_round(const Table& table, const GameEnded& ended);

  // events.cpp
  RunningEvent* event_of(const csa::GameName& name);
  bool is_of_event(const csa::GameName& name) const;
  RunningEvent& event_called(const std::string& name);
  void keep_event(const Fact& fact);
  void begin_events();
  void decide(RunningEvent& event, tournament::Decision decision, std::string_view by, std::string_view why = {},
              Wall starts = {});
  void set_phase(RunningEvent& event, TournamentPhase phase, std::string_view by, std::string_view why);
  void delete_event(const std::string& name, std::string_view by, std::string_view why);  // it has no open game
  Session* waits_for(const RunningEvent& event, std::string_view player);
  bool is_held_back(const RunningEvent& event, std::string_view player);
  bool is_here(const RunningEvent& event, std::string_view player);
  RunningEvent* event_ahead(const Session& s);
  void come_to_event(const Session& s);
  void go_from_event(const Session& s);
  std::expected<std::string, std::string> enter_event(RunningEvent& event, tournament::Entrant entrant,
                                                      std::string_view by);
  void tell_player(std::string_view player, std::string_view text);  // where he is in extended mode
  void run_events();
  void run_event(RunningEvent& event);
  void event_timer(std::uint64_t timer);
  void end_event(RunningEvent& event);
  bool is_early(Instant when);
  bool is_early(Wall when);
  void run_division(RunningEvent& event, tournament::DivisionKey division);
  bool form(RunningEvent& event, tournament::DivisionKey division, std::string_view by);
  std::expected<std::string, std::string> pair_round(RunningEvent& event, tournament::DivisionKey division,
                                                     std::string_view by, Wall start, tournament::Rematches rematches);
  void begin_round(RunningEvent& event, tournament::RoundPaired round, std::string_view by, std::string_view why,
                   Wall start);
  void run_game(RunningEvent& event, const tournament::DueGame& due);
  void seat(RunningEvent& event, const tournament::DueGame& due, Session& black, Session& white);
  static std::int32_t grace_s(const tournament::Terms& terms);
  void begin_event_game(RunningEvent& event, const tournament::GameKey& key, Session& black, Session& white,
                        GameOpened opened);
  void know_again(const Table& table);
  void leave_event(const Table& table);
  void record_event(const Table& table, const GameEnded& ended);
  void count(RunningEvent& event, tournament::GameResult result, std::string_view by, std::string_view why);
  void hold_games(RunningEvent& event);
  void go_on(RunningEvent& event, const AdminAsker& asker, std::string_view why);

  // event_commands.cpp
  void begin_seen_events();
  void see_event(const Fact& fact);
  const RunningEvent& as_seen(const RunningEvent& event);  // by spectators
  bool gives_commands(const Session& s) const;
  void event_command(Session& s, const Line& e, const csa::TournamentCommand& c);
  void on(const TournamentRead& e);
  std::expected<std::string, std::string> announce(const std::string& text, std::string_view by);

  // monitor.cpp
  void show(Session& s, const csa::Show& c);
  void monitor(Session& s, const csa::Monitor& c);
  void stop_monitoring(Session& s);
  csa::Shown shown(const Game& game, std::string last_move, std::int32_t plies) const;
  csa::Shown shown(const Game& game) const;
  void show_line(Table& table, std::string_view line);  // "+7776FU,T3" to all who watch
  void show_comment(Table& table, const std::string& lines);
  void show_end(Table& table, const GameEnded& ended);
  void tell_line(const Scene& scene, std::string_view line);
  void tell_comment(const Scene& scene, const std::string& lines);
  void tell_end(const Scene& scene, const GameEnded& ended);
  Table* find(std::string_view csa_id);
  std::optional<Scene> scene_of(const Session& s, std::string_view csa_id);  // as far as he may see it

  // delayed.cpp
  void begin_delayed();
  void show_late(const std::vector<Journaled>& rows);
  void show_late(const Fact& fact);
  void arm_delays();

  // play.cpp
  void agree(Session& s, const csa::Agree& agree);
  void reject(Session& s, const csa::Reject& reject);
  void start(Table& table);
  void close_unstarted(Table& table, std::string_view by);
  void blame(const Seat& seat);  // that a game counts for nobody
  void release(Session& s, std::string_view why, bool stays = false);
  bool keeps(const Table& table, const Session& s) const;
  void stand_up(Session& s);  // it is in no game any more
  void line_in_game(Session& s, Waiting line);
  void work_off(GameId id);
  void play_line(Table& table, const Waiting& line);
  void play_logout(Table& table, const Waiting& line);
  void defer(Table& table, const Waiting& line);
  // May end the game: `table` is gone then. `arrived`: as of a MoveStamp, of a move.
  void rule(Table& table, Ruling ruling, ConnId sender, std::optional<Instant> arrived = {});
  void echo(const Table& table, shogi::Color side, const Ruling& ruling, std::optional<Instant> arrived);
  void finish(Table& table, GameEnded ended);
  void tell_end(Session& s, const Table& table, const GameEnded& ended, shogi::Color side);
  void remember(const Table& table);  // it can be restarted from a move
  void wait_for_journal(Table& table, Seq seq);
  void resume(Table& table);
  void look_at_flag(GameId id);
  void on(const ReadPassed& e);
  void on(const Woke& e);
  void on(const Durable& e);
  void on(const StoreLost& e);
  void on(const StoreBack& e);
  void on(const RatingsChanged& e);
  void on(const Drain& e);
  void on(const Stalled& e);
  Table* find(GameId id);

  // absence.cpp
  bool may_come_back(const Table& table) const;
  bool is_away(const Table& table, shogi::Color side) const;
  // Not `told`: somebody takes his seat at once.
  void step_away(Table& table, shogi::Color side, bool told = true);
  void tell_of(Table& table, std::string text, std::string_view to_players);
  void forget_absences(const Table& table);
  std::optional<std::pair<GameId, shogi::Color>> seat_for(const Session& s);
  // Whether a game waits for who logs in under that name.
  bool is_awaited(const Session& s, std::string_view name, std::string_view id, bool has_trip) const;
  bool come_back(Session& s);  // true: it is seated in the game that waits for it
  void sit_down(Table& table, shogi::Color side, Session& s);
  void returned(Table& table, shogi::Color side);
  void rejoin(Table& table, shogi::Color side);
  void begin_again(Table& table, shogi::Color side, const Session& s);
  std::string standing_summary(Table& table, shogi::Color side);
  std::string token_for(const Table& table, shogi::Color side) const;  // empty: none is told
  bool is_token_of(std::string_view reconnect, std::string_view name);
  void absence_due(std::uint64_t seat);
  void give_up_on(Table& table, shogi::Color side, const std::string& why);
  void window_due(GameId id);
  void suspend(Table& table, std::string why);
  void continue_game(Table& table);
  void let_go_on(Table& table);
  void await_players(Table& table);
  void revive(Table& table);
  void on(const Stop& e);

  // recovery.cpp
  void rebuild_games();
  void end_interrupted(const Table& table);

  // pause.cpp
  void pause(Table& table, const AdminAsker& asker, std::string_view why);
  void go_on(Table& table, const AdminAsker& asker, std::string_view why);
  void play_line_in_pause(Table& table, const Waiting& line);
  void notice(const Table& table, std::string_view text);  // to players in extended mode

  // admin/
  struct Desk;
  void on(const AdminLine& e);
  void on(const HostDone& e);
  void on(const StopFile& e);
  void on(const HostCounter& e);
  void admin(Session& s, const Line& e, std::string_view text, std::string_view word = "ADMIN");
  void admin(const AdminAsker& asker, std::string_view line);
  void ask_host(const AdminAsker& asker, const AdminVerb& verb, std::string_view text, std::string_view rest);
  void write_down(const AdminAsker& asker, std::string_view act, std::string_view why, std::string_view outcome);
  void answer(const AdminAsker& asker, AdminResult result);
  void change_rules(Rules rules_in);
  bool awaits_restart(const Session& s) const;
  void begin_restarts();
  void hold_for_restart(const Restart& restart, GameId former);
  void give_up_restart(const Restart& restart);

  // queries.cpp
  void command(Session& s, const Line& e);
  void log_out(Session& s, const Line& e);
  void list(Session& s);
  void who(Session& s);
  void rating(Session& s);
  void chat(Session& s, const csa::Chat& c);

  // figures.cpp
  Figures figures() const;
  void count_refusal(Refusal why) { ++refused_by[static_cast<std::size_t>(why)]; }

  // effects. Outward ones are gated by the newest seq of the whole core, filled in when the step is complete.
  void send(ConnId conn, std::string bytes);
  void send_list(Session& s, std::string bytes);      // to who asked for it, at his cost
  void send_ungated(ConnId conn, std::string bytes);  // only what reads no shared state
  void close(ConnId conn, std::string_view why);
  Seq append(Fact fact);
  void note(Note::Level level, std::string text);
  void complete_step();
  std::string local_time(Wall at) const;
  std::string local_time() const { return local_time(now.wall); }
  std::string local_date(Wall wall) const;  // "YYYY-MM-DD"
  std::string game_stamp();
  std::uint64_t random();

  Limits limits;
  Rules rules;
  std::vector<Journaled> interrupted;  // facts of games that a crash cut off; used up by begin()
  Seq newest{}, durable{};
  std::uint64_t last_game = 0, last_stamp = 0, logins = 0, rng = 0, passes = 0, hash = 0;
  bool store_away = false, draining = false, drained = false, stopping = false;
  bool stopped = false;                               // by the file STOP
  std::map<std::string, std::string> host_counters;   // what the shell knows, for `counters`
  std::array<std::uint64_t, kRefusals> refused_by{};  // for Figures, as the two that follow
  std::array<std::uint64_t, kPairedBy> pairings_by{};
  Histogram waits_of_paired{Histogram::waits_us()};

  std::unordered_map<ConnId, Session> sessions;
  std::unordered_map<std::string, ConnId> names;
  std::map<std::uint64_t, ConnId> by_login;                            // login order: pairing and %%WHO go by it
  std::map<std::pair<std::string, std::string>, WaitingList> waiting;  // by room and full game name
  std::map<GameId, Table> tables;
  Rooms rooms;
  std::uint64_t lobby_changes = 0;  // how often the answer to Server::lobby() has changed
  std::map<std::string, BuoySet, std::less<>> buoys;
  std::unordered_map<std::string, std::size_t> buoys_of;    // by owner
  std::unordered_map<std::string, std::size_t> buoys_from;  // by network, of owners without accounts; since the start
  std::unordered_map<std::string, std::string> buoy_networks;  // of those: the network by name
  std::shared_ptr<const PlayerRatings> ratings;                // not null
  std::map<std::string, PositionSet, std::less<>> sets;
  std::map<std::string, RoundGroup, std::less<>> groups;      // by game name
  std::map<std::string, RoundHeld, std::less<>> last_rounds;  // by group: what stood at the start
  std::map<std::string, RoundOwes, std::less<>> last_owed;    // by group: the newest
  std::vector<PastGame> past;                                 // what stood at the start
  DelayLine delays;
  std::map<GameId, DelayedGame> delayed_games;  // open, or over and not yet shown to the end
  std::unordered_map<std::string, std::size_t> per_network, unknown_per_network;
  std::size_t unknown = 0;           // connections before login
  std::map<ConnId, bool> strangers;  // those of them that came from outside, the oldest first: whether one has spoken
  Instant full_until;                // so long no place is looked for
  Penalties penalties;
  Conduct conduct;
  Refusals refusals;
  Accounts accounts;
  ProvenPasswords proven;
  FairQueue<PasswordCheck> checks;
  std::optional<PasswordCheck> checking;  // its hash is being compared; its token is the newest
  std::uint64_t check_tokens = 0;
  std::map<std::uint64_t, WebLoginUnderWay> web_logins;
  std::map<std::string, std::int64_t, std::less<>> code_steps;  // of each account the newest one-time code used
  std::unordered_map<std::string, std::pair<GameId, shogi::Color>> absent;  // seats by who is missing in them
  std::deque<std::pair<Seq, GameId>> pending;  // games whose move is not durable, oldest first
  Timers timers;
  std::map<std::string, RunningEvent, std::less<>> events;  // by name
  std::uint64_t event_timers = 0;                           // the newest id of a timer of one
  EventView seen_events;                                    // ... as spectators know them
  std::vector<Journaled> stored_events;                     // what stood at the start, until then
  bool events_stir = false;                                 // something may be due in one of them
  std::optional<Instant> event_wakes;                       // when the one that is looked at comes next
  std::map<std::string, NameForbidden, std::less<>> forbidden;
  std::string key_fingerprint;  // as the store has it
  std::deque<Restart> restarts;
  std::deque<RecentGame> recent;                      // the newest last
  std::map<std::uint64_t, AdminAsker> asked_of_host;  // by token of the HostDo
  std::uint64_t host_tokens = 0;

  // of the current step
  Now now{};
  Effects* out = nullptr;
  std::size_t first_effect = 0;
  std::optional<Instant> armed;  // what the shell's timer is set to
};

}  // namespace fuhyo::core
