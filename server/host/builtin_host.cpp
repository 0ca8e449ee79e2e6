#include "server/host/builtin_host.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

#include "engines/usi/process_share.h"
#include "server/core/rooms/rules.h"
#include "server/csa/line_framer.h"

namespace fuhyo::host {
namespace {

constexpr std::int64_t kReconnect_ms = 1'000, kReconnectAfterRefusal_ms = 30'000;
constexpr std::size_t kServerLine = 64 * 1024;  // what the core writes is trusted; this only bounds a mistake

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// Boards of the demonstration, and who plays there: each with another kind of clock.
struct DemoBoard {
  std::string_view game, first, second;
};
constexpr std::array<DemoBoard, 4> kDemoBoards = {{{"demo-180-2F", "Fuhyo_Kamome", "Fuhyo_Chidori"},
                                                   {"demo-60-20", "Fuhyo_Tsubame", "Fuhyo_Hibari"},
                                                   {"demo-300-1F", "Fuhyo_Suzume", "Fuhyo_Mejiro"},
                                                   {"demo-0-30", "Fuhyo_Uguisu", "Fuhyo_Kawasemi"}}};
// Both engines win about as often at it, in games of some 110 moves; no two of 60 began alike.
constexpr std::string_view kDemoLevel = "26";

EngineRunner::Spawn spawner_of(const BuiltinPlayer& player) {
  if (player.spawn) return player.spawn;
  usi::ChildProcess::Options options{.command = player.command,
                                     .working_dir = player.working_dir,
                                     .nice = player.nice,
                                     .threads = player.sandboxed ? player.threads : 0,
                                     .sandbox = player.sandboxed ? std::optional(player.sandbox) : std::nullopt};
  return EngineRunner::child(std::move(options));
}

}  // namespace

std::vector<BuiltinPlayer> each_of(const BuiltinPlayer& player) {
  if (player.count == 1) return {player};
  std::vector<BuiltinPlayer> players(static_cast<std::size_t>(player.count), player);
  for (std::size_t i = 0; i < players.size(); ++i) {
    players[i].name += "-" + std::to_string(i + 1);
    players[i].count = 1;
  }
  return players;
}

std::vector<BuiltinPlayer> demo_players(const std::string& nnue, const std::string& mcts, const std::string& secret,
                                        std::size_t cores) {
  std::vector<BuiltinPlayer> players;
  const std::size_t boards = std::clamp(cores, std::size_t{1}, kDemoBoards.size());
  for (const DemoBoard& board : std::span(kDemoBoards).first(boards)) {
    for (const std::string_view name : {board.first, board.second}) {
      BuiltinPlayer player;
      player.name = name;
      player.password = secret + player.name;
      player.room = core::kDemoRoom;
      player.game = board.game;
      player.command = {mcts.empty() || name == board.first ? nnue : mcts};
      player.options = {{"Threads", "1"}, {"USI_Hash", "16"}, {"Level", std::string(kDemoLevel)}};
      player.nice = 19;  // real games come first
      player.min_move_ms = 1'500;
      player.more_move_ms = 4'000;
      player.rest_ms = 10'000;  // so long the result is seen
      player.gives_way = true;
      players.push_back(std::move(player));
    }
  }
  return players;
}

// ---- the meeting point ----

// Lines of the players on their way to the core, and who is who. Shared by both threads: lines are stamped when they
// are put in and taken out in that order, by a posted task or earlier by a read pass.
struct BuiltinHost::Inbox {
  struct Item {
    core::ConnId conn;
    std::string line;
    core::Instant arrived;
  };
  std::mutex mutex;
  std::deque<Item> items;
  // The rest is the core thread's alone.
  std::unordered_map<core::ConnId, std::size_t> players;
  BuiltinHost* host = nullptr;  // null once the host is gone

  void drain(core::InputSink& sink) {
    while (true) {
      std::optional<Item> item;
      {
        const std::lock_guard lock(mutex);
        if (items.empty()) return;
        item = std::move(items.front());
        items.pop_front();
      }
      if (!players.contains(item->conn)) continue;  // closed meanwhile
      sink.deliver(core::ClientLine{.conn = item->conn, .text = std::move(item->line), .arrived = item->arrived});
    }
  }
};

// ---- the host's thread ----

class BuiltinHost::Worker {
 public:
  Worker(std::vector<BuiltinPlayer> players, Hooks hooks, std::shared_ptr<Inbox> inbox,
         std::shared_ptr<CpuScheduler> seats)
      : hooks_(std::move(hooks)), inbox_(std::move(inbox)), seats_(std::move(seats)), configs_(std::move(players)) {}
  ~Worker() {
    post([this] { closing_ = true; });
    if (thread_.joinable()) thread_.join();
  }

  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      queue(std::move(task));
    }
    wake_.notify_one();
  }

  ThinkingTimes::Summary thinking_times() const {
    const std::lock_guard lock(figures_mutex_);
    return times_.summary();
  }
  State state() const {
    const std::lock_guard lock(figures_mutex_);
    return state_;
  }

  // On the host's thread from here on.
  void server_bytes(std::size_t index, core::ConnId conn, const std::string& bytes);
  void server_closed(std::size_t index, core::ConnId conn, const std::string& why);
  void opened(std::size_t index, core::ConnId conn);
  void set_real_games(bool any);

 private:
  struct Player {
    Player(const BuiltinPlayer& from, Bridge::Config config, EngineRunner::Post post, EngineRunner::Events events)
        : settings(from),
          bridge(std::move(config)),
          engine(spawner_of(from), std::move(post), std::move(events), from.restart_ms) {}
    BuiltinPlayer settings;
    Bridge bridge;
    EngineRunner engine;
    csa::LineFramer framer{kServerLine};
    core::ConnId conn{};
    bool online = false;
    CpuScheduler::Id seat = 0;
    ThinkingTimes game_times;  // of the game at hand
    std::int64_t connect_at = usi::kForever;
    std::string fault;  // why its engine does not start
  };

  // With mutex_ held.
  void queue(std::function<void()> task) {
    if (tasks_.empty()) waiting_since_ = now_ms();
    tasks_.push_back(std::move(task));
  }
  void run();
  void run_tasks();
  std::int64_t deadline() const;
  void tick();
  void add(const BuiltinPlayer& settings);
  void connect(std::size_t index);
  void hang_up(std::size_t index, const std::string& why, std::int64_t again_in_ms);
  void flush(std::size_t index);
  void review_seats();
  bool may_enter(const Player& player) const;
  bool is_reachable() const { return !seats_ || seats_->is_open(); }  // the machine of the engines is there
  void keep_to_cores(Player& player);
  void serve(std::size_t index, bool open);
  void take_seat(std::size_t index, const Bridge::SeatWanted& wanted);
  void game_over(std::size_t index, const Bridge::Ended& ended);
  void note_thought(std::size_t index, const Bridge::Thought& thought);
  void note_state();
  void carry_out(std::size_t index, Bridge::Output& output);
  void log(std::size_t index, bool warning, const std::string& text) {
    hooks_.log(warning, "built-in player " + players_[index]->settings.name + ": " + text);
  }

  Hooks hooks_;
  std::shared_ptr<Inbox> inbox_;
  const std::shared_ptr<CpuScheduler> seats_;  // null: everybody has one
  std::vector<BuiltinPlayer> configs_;
  std::vector<std::unique_ptr<Player>> players_;
  bool real_games_ = false;
  bool closing_ = false;
  std::optional<core::Instant> read_at_;  // of what an engine said, while it is acted on
  bool review_posted_ = false;            // guarded by mutex_

  mutable std::mutex figures_mutex_;
  ThinkingTimes times_;
  State state_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::int64_t waiting_since_ = 0;  // the first of tasks_
  std::thread thread_;
};

void BuiltinHost::Worker::run() {
  for (const BuiltinPlayer& settings : configs_) add(settings);
  for (std::size_t i = 0; i < players_.size(); ++i) {
    players_[i]->engine.start(now_ms());
    connect(i);
    flush(i);
  }
  while (!closing_) {
    {
      const auto until = std::chrono::steady_clock::time_point(
          std::chrono::milliseconds(std::min(deadline(), now_ms() + std::int64_t{60'000})));
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, until, [this] { return !tasks_.empty(); });
    }
    run_tasks();
    tick();
  }
  if (seats_) {
    for (const auto& player : players_) seats_->leave(player->seat);
  }
  players_.clear();  // kills the engines
}

void BuiltinHost::Worker::run_tasks() {
  std::deque<std::function<void()>> tasks;
  std::int64_t since = 0;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
    since = waiting_since_;
  }
  if (tasks.empty()) return;
  const std::int64_t now = now_ms();
  for (const auto& player : players_) player->bridge.woke_late(now - since, now);
  for (const auto& task : tasks) {
    if (closing_) return;
    task();
  }
}

std::int64_t BuiltinHost::Worker::deadline() const {
  std::int64_t at = usi::kForever;
  const bool reachable = is_reachable();
  for (const auto& player : players_) {
    at = std::min({at, player->bridge.deadline(), player->connect_at});
    if (reachable) at = std::min(at, player->engine.deadline());
  }
  return at;
}

void BuiltinHost::Worker::tick() {
  const bool reachable = is_reachable();
  for (std::size_t i = 0; i < players_.size(); ++i) {
    Player& player = *players_[i];
    const std::int64_t now = now_ms();
    player.bridge.tick(now);
    if (reachable) player.engine.tick(now);
    if (now >= player.connect_at) connect(i);
    flush(i);
  }
  note_state();
}

void BuiltinHost::Worker::add(const BuiltinPlayer& settings) {
  const std::size_t index = players_.size();
  Bridge::Config config{.name = settings.name,
                        .password = settings.password,
                        .mode = Bridge::Mode::x1,
                        .game = settings.game,
                        .turn = settings.turn,
                        .engine = {.options = settings.options,
                                   .ponder = settings.ponder,
                                   .usiok_ms = settings.usiok_ms,
                                   .readyok_ms = settings.readyok_ms},
                        .ponder = settings.ponder,
                        .comments = settings.comments,
                        .keep_alive_ms = 0,  // no line between us that could die unnoticed
                        .unlimited = settings.unlimited,
                        .min_move_ms = settings.min_move_ms,
                        .more_move_ms = settings.more_move_ms,
                        .rest_ms = settings.rest_ms,
                        .needs_seat = seats_ != nullptr,
                        .greeting = settings.greeting,
                        .level_by_game = settings.level_by_game};
  EngineRunner::Events events;
  events.started = [this, index] {
    players_[index]->fault.clear();
    players_[index]->bridge.engine_started(now_ms());
  };
  events.line = [this, index](const std::string& line) {
    players_[index]->bridge.engine_line(line, now_ms());
    flush(index);
  };
  events.closed = [this, index](const std::string& why) {
    players_[index]->bridge.engine_closed(why, now_ms());
    flush(index);
  };
  events.not_started = [this, index](const std::string& why) {
    players_[index]->fault = why;
    log(index, true, why);
  };
  players_.push_back(std::make_unique<Player>(
      settings, std::move(config),
      // What an engine says has arrived when it was read from its pipe, not when this thread comes to it.
      [this](std::function<void()> task) {
        post([this, act = std::move(task), read = hooks_.clock()] {
          read_at_ = read;
          act();
          read_at_.reset();
        });
      },
      std::move(events)));
  if (!seats_) return;
  const auto changed = [this] {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(review_posted_, true)) return;
      queue([this] { review_seats(); });
    }
    wake_.notify_one();
  };
  const bool is_group = settings.game.starts_with("floodgate-");
  players_.back()->seat = seats_->join(settings.name,
                                       {.threads = settings.threads,
                                        .ponders = settings.ponder,
                                        .group = is_group ? settings.game : std::string(),
                                        .gives_way = settings.gives_way},
                                       changed);
  keep_to_cores(*players_.back());
}

// Where the engines have groups they are held to their share by these, and run where there is room.
void BuiltinHost::Worker::keep_to_cores(Player& player) {
  if (!player.settings.sandboxed || usi::share_support().processor) return;
  player.engine.bind(seats_->cores(player.seat, player.settings.threads));
}

// Others have taken seats, or given them up.
void BuiltinHost::Worker::review_seats() {
  {
    const std::lock_guard lock(mutex_);
    review_posted_ = false;
  }
  for (std::size_t i = 0; i < players_.size(); ++i) {
    Player& player = *players_[i];
    keep_to_cores(player);
    // Before it may agree: by the first move both players know.
    player.bridge.set_may_ponder(seats_->may_ponder(player.seat), now_ms());
    if (seats_->is_seated(player.seat)) player.bridge.seat(now_ms());
    player.bridge.set_open(may_enter(player), now_ms());
    flush(i);
  }
  note_state();
}

// The core is told what it plays besides, or that it plays nothing for the time being.
void BuiltinHost::Worker::serve(std::size_t index, bool open) {
  const Player& player = *players_[index];
  if (player.settings.serves.empty()) return;
  hooks_.post_to_core(
      [inbox = inbox_, conn = player.conn, games = open ? player.settings.serves : std::vector<std::string>{}] {
        if (inbox->host == nullptr) return;
        inbox->drain(inbox->host->sink_);
        if (inbox->players.contains(conn)) inbox->host->sink_.deliver(core::Serves{.conn = conn, .games = games});
      });
}

void BuiltinHost::Worker::take_seat(std::size_t index, const Bridge::SeatWanted& wanted) {
  Player& player = *players_[index];
  const bool seated = seats_->claim(player.seat, wanted.game_id, wanted.opponent, wanted.goes_on);
  keep_to_cores(player);
  player.bridge.set_may_ponder(seats_->may_ponder(player.seat), now_ms());
  if (seated) player.bridge.seat(now_ms());
}

void BuiltinHost::Worker::game_over(std::size_t index, const Bridge::Ended& ended) {
  Player& player = *players_[index];
  log(index, false, ended.game_id + ": " + ended.result + (ended.reason.empty() ? "" : " " + ended.reason));
  if (const auto times = player.game_times.summary(); times.moves > 0) log(index, false, to_text(times));
  player.game_times.clear();
  if (seats_) seats_->release(player.seat);
}

void BuiltinHost::Worker::note_thought(std::size_t index, const Bridge::Thought& thought) {
  players_[index]->game_times.add(thought);
  const std::lock_guard lock(figures_mutex_);
  times_.add(thought);
}

void BuiltinHost::Worker::note_state() {
  const Player& player = *players_.front();
  const bool enters = may_enter(player);
  const std::lock_guard lock(figures_mutex_);
  using enum core::EngineState;
  if (player.bridge.in_game()) {
    state_ = {.is = plays, .fault = {}};
  } else if (!is_reachable()) {
    state_ = {.is = waits_for_a_seat, .fault = {}};
  } else if (!player.online || !player.fault.empty()) {
    state_ = {.is = away, .fault = player.fault};
  } else {
    state_ = {.is = !player.bridge.logged_in() ? its_engine_gets_ready
                    : enters                   ? in_the_lobby
                                               : waits_for_a_seat,
              .fault = {}};
  }
}

void BuiltinHost::Worker::connect(std::size_t index) {
  Player& player = *players_[index];
  player.connect_at = usi::kForever;
  hooks_.post_to_core([inbox = inbox_, index, settings = player.settings] {
    if (inbox->host == nullptr) return;
    BuiltinHost& host = *inbox->host;
    const core::ConnId conn = host.sink_.open(host, core::ConnectionKind::builtin, settings.room, settings.name, true);
    if (!settings.game.empty()) host.sink_.deliver(core::Awaits{.conn = conn, .game = settings.game});
    inbox->players.emplace(conn, index);
    host.worker_->post([worker = host.worker_.get(), index, conn] { worker->opened(index, conn); });
  });
}

void BuiltinHost::Worker::opened(std::size_t index, core::ConnId conn) {
  Player& player = *players_[index];
  player.conn = conn;
  player.online = true;
  player.framer = csa::LineFramer(kServerLine);
  player.bridge.connected(now_ms());
  flush(index);
}

void BuiltinHost::Worker::server_bytes(std::size_t index, core::ConnId conn, const std::string& bytes) {
  Player& player = *players_[index];
  if (!player.online || player.conn != conn) return;
  player.framer.feed(bytes, [&](std::string_view line, bool) { player.bridge.server_line(line, now_ms()); });
  flush(index);
}

void BuiltinHost::Worker::server_closed(std::size_t index, core::ConnId conn, const std::string& why) {
  Player& player = *players_[index];
  if (!player.online || player.conn != conn) return;
  player.online = false;
  player.bridge.disconnected(why, now_ms());
  player.connect_at = now_ms() + kReconnectAfterRefusal_ms;  // the server had a reason; it may be shutting down
  flush(index);
}

void BuiltinHost::Worker::hang_up(std::size_t index, const std::string& why, std::int64_t again_in_ms) {
  Player& player = *players_[index];
  if (!std::exchange(player.online, false)) return;
  player.bridge.disconnected(why, now_ms());
  player.connect_at = now_ms() + again_in_ms;
  hooks_.post_to_core([inbox = inbox_, conn = player.conn, why] {
    if (inbox->host == nullptr) return;
    inbox->drain(inbox->host->sink_);
    if (inbox->players.erase(conn) != 0) inbox->host->sink_.deliver(core::Closed{conn, why});
  });
}

void BuiltinHost::Worker::set_real_games(bool any) {
  if (std::exchange(real_games_, any) == any) return;
  for (std::size_t i = 0; i < players_.size(); ++i) {
    players_[i]->bridge.set_open(may_enter(*players_[i]), now_ms());
    flush(i);
  }
}

bool BuiltinHost::Worker::may_enter(const Player& player) const {
  return (!seats_ || seats_->may_enter(player.seat)) && !(real_games_ && player.settings.gives_way);
}

void BuiltinHost::Worker::flush(std::size_t index) {
  // Carrying out may cause more.
  for (auto outputs = players_[index]->bridge.take(); !outputs.empty(); outputs = players_[index]->bridge.take()) {
    for (Bridge::Output& output : outputs) carry_out(index, output);
  }
}

void BuiltinHost::Worker::carry_out(std::size_t index, Bridge::Output& output) {
  Player& player = *players_[index];
  if (auto* line = std::get_if<Bridge::ToServer>(&output)) {
    if (!player.online) return;
    {
      const std::lock_guard lock(inbox_->mutex);
      inbox_->items.push_back(
          {.conn = player.conn, .line = std::move(line->line), .arrived = read_at_.value_or(hooks_.clock())});
    }
    hooks_.post_to_core([inbox = inbox_] {
      if (inbox->host != nullptr) inbox->drain(inbox->host->sink_);
    });
  } else if (auto* to_engine = std::get_if<Bridge::ToEngine>(&output)) {
    player.engine.write(to_engine->line);
  } else if (std::holds_alternative<Bridge::RestartEngine>(output)) {
    player.engine.restart(now_ms());
  } else if (auto* hangup = std::get_if<Bridge::Hangup>(&output)) {
    hang_up(index, hangup->why, kReconnect_ms);
  } else if (auto* refused = std::get_if<Bridge::Refused>(&output)) {
    log(index, true, refused->why);
    hang_up(index, refused->why, kReconnectAfterRefusal_ms);
  } else if (auto* ended = std::get_if<Bridge::Ended>(&output)) {
    game_over(index, *ended);
  } else if (auto* lobby = std::get_if<Bridge::Lobby>(&output)) {
    serve(index, lobby->open);
  } else if (auto* wanted = std::get_if<Bridge::SeatWanted>(&output)) {
    take_seat(index, *wanted);
  } else if (auto* thought = std::get_if<Bridge::Thought>(&output)) {
    note_thought(index, *thought);
  } else if (auto* text = std::get_if<Bridge::Log>(&output)) {
    log(index, text->warning, text->text);
  }
}

// ---- the core's thread ----

BuiltinHost::BuiltinHost(core::InputSink& sink, std::vector<BuiltinPlayer> players, Hooks hooks,
                         std::shared_ptr<CpuScheduler> seats)
    : sink_(sink),
      inbox_(std::make_shared<Inbox>()),
      worker_(std::make_unique<Worker>(std::move(players), std::move(hooks), inbox_, std::move(seats))) {
  inbox_->host = this;
}

BuiltinHost::~BuiltinHost() {
  inbox_->host = nullptr;
  worker_.reset();
}

void BuiltinHost::start() { worker_->start(); }

ThinkingTimes::Summary BuiltinHost::thinking_times() const { return worker_->thinking_times(); }
BuiltinHost::State BuiltinHost::state() const { return worker_->state(); }

void BuiltinHost::set_real_games(std::size_t count) {
  worker_->post([worker = worker_.get(), count] { worker->set_real_games(count > 0); });
}

void BuiltinHost::write(core::ConnId conn, std::string bytes) {
  const auto it = inbox_->players.find(conn);
  if (it == inbox_->players.end()) return;
  worker_->post([worker = worker_.get(), index = it->second, conn, text = std::move(bytes)] {
    worker->server_bytes(index, conn, text);
  });
}

// Behind the lines: by then the engine has been told, if it is its turn and it was ready.
void BuiltinHost::when_written(core::ConnId conn, std::function<void()> done) {
  if (inbox_->players.contains(conn)) worker_->post(std::move(done));
}

void BuiltinHost::close(core::ConnId conn, std::string_view why) {
  const auto it = inbox_->players.find(conn);
  if (it == inbox_->players.end()) return;
  worker_->post([worker = worker_.get(), index = it->second, conn, reason = std::string(why)] {
    worker->server_closed(index, conn, reason);
  });
  inbox_->players.erase(it);
  sink_.deliver(core::Closed{conn, "closed by the server"});
}

void BuiltinHost::read_pass(core::ConnId conn, std::uint64_t token) {
  inbox_->drain(sink_);
  sink_.deliver(core::ReadPassed{conn, token});
}

}  // namespace fuhyo::host
