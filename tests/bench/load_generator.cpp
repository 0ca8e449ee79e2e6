// Load for any server of the CSA protocol, this one or shogi-server: games, held connections, idle round trips.
//   bench_load --port N [option value]...
//   --host H          address of the server (127.0.0.1)
//   --pairs N         games at once (10)
//   --plies N         plies of a game, even, at most 180 (160)
//   --rounds N        games that each pair plays, one after the other (1)
//   --mode M          csa: LOGIN name game,trip (the default); x1: LOGIN name pw x1 and %%GAME; raw: never logs in
//   --hold N          no games: log in N connections, hold them, report memory a connection (use a fresh server)
//   --tls yes         speaks TLS, and believes anybody; resume: goes on with the session of a first connection (HTTP)
//   --web-socket P    players connect by a WebSocket, which the server upgrades P to (a Fuhyo: /api/v1/csa of its page)
//   --handshakes N    no games: N connections, one after the other in each of --at-once threads, closed after the TLS
//                     handshake
//   --readers N --http-port N   with --pairs 1: so many readers of a Fuhyo's stream of events follow the game
//   --moves FILE      a line for each move: number of the game, nanoseconds of the steady clock when it was to be sent
//   --follow N        no games: N readers of the stream of events of a Fuhyo's page at --port, who come back when they
//                     are cut; `ready` when all of them follow. Figures once standard input has ended, which says
//                     how many moves each has to have
//   --path P          of the stream (/api/v1/events); /api/v1/events?games=1,2 is of these games alone
//   --accept C, --back-ms N   a coding that they take (gzip, br); within how long they come back (1000)
//   --arrivals FILE   of them: 16 bytes for each move that one has, the id of its event and the steady clock's ns
//   --ping N          no games: N blank lines, one after the other, on an idle connection
//   --gap-ms N        pause before each of them (60)
//   --game G, --name P, --total S, --byo S   game name and player name prefixes, time control (load, L, 3600, 60)
//   --pace-ms N       from the arrival of a move to the answer (0)
//   --apart-ms N      between the first moves of two games of the first round (a thousandth of the pace)
//   --at-once N       pairs in the middle of logging in at a time (32)
//   --per-address N   connections from one source address, on loopback (20000)
//   --pid P           process of the server: its memory and processor time
//   --dir FOLDER      where the server keeps its data: what fdatasync costs there
//   --setup S, --limit S   longest time to begin and to play (120, 300)
// Prints a line for people on stderr and one of JSON on stdout. moves/s counts from the first move to the last end of a
// game. The cost of an fdatasync in --dir is measured right before and right after, and belongs to the figures of any
// server that makes moves durable. Knows nothing of this project's server.
#include <csignal>
#include <sys/resource.h>
#include <time.h>
#include <tuple>

#include "tests/bench/disk_probe.h"
#include "tests/bench/flags.h"
#include "tests/bench/load_followers.h"
#include "tests/bench/load_handshakes.h"
#include "tests/bench/load_readers.h"
#include "tests/bench/server_process.h"

namespace {

using namespace fuhyo::bench;

struct Options {
  Target target;
  GameOptions games;
  int hold = 0;
  int ping = 0;
  int handshakes = 0;
  int readers = 0, http_port = 0;
  FollowOptions follow;
  std::string moves, arrivals;  // files
  int gap_ms = 60;              // servers answer only so many lines a second of an idle client
  int pid = 0;
  std::string folder;  // of the disk probe
};

Options parse(int argc, char** argv) {
  Options o;
  const auto mode = [&](std::string_view text) {
    o.games.mode = text == "x1" ? Mode::x1 : text == "raw" ? Mode::raw : Mode::csa;
    return o.games.mode != Mode::csa || text == "csa";
  };
  const auto tls = [&](std::string_view text) {
    o.target.resume = text == "resume";
    return o.target.tls = text == "yes" || o.target.resume;
  };
  take_flags(argc, argv,
             {{"--port", o.target.port},
              {"--host", o.target.host},
              {"--pairs", o.games.pairs},
              {"--plies", o.games.plies},
              {"--rounds", o.games.rounds},
              {"--mode", mode},
              {"--hold", o.hold},
              {"--tls", tls},
              {"--web-socket", o.target.web_socket},
              {"--handshakes", o.handshakes},
              {"--readers", o.readers},
              {"--http-port", o.http_port},
              {"--moves", o.moves},
              {"--follow", o.follow.followers},
              {"--path", o.follow.path},
              {"--accept", o.follow.accept},
              {"--back-ms", o.follow.back_ms},
              {"--arrivals", o.arrivals},
              {"--ping", o.ping},
              {"--gap-ms", o.gap_ms},
              {"--game", o.games.game},
              {"--name", o.games.name},
              {"--total", o.games.total_s},
              {"--byo", o.games.byoyomi_s},
              {"--pace-ms", o.games.pace_ms},
              {"--apart-ms", o.games.apart_ms},
              {"--at-once", o.games.at_once},
              {"--per-address", o.target.per_address},
              {"--pid", o.pid},
              {"--dir", o.folder},
              {"--setup", o.games.setup_s},
              {"--limit", o.games.limit_s}});
  if (o.games.plies % 2 != 0 || o.games.plies > 180) fail("--plies is even and at most 180 (fourfold repetition)");
  if (o.target.per_address == 0 || o.games.at_once <= 0) fail("--per-address and --at-once are at least 1");
  if (o.readers > 0 && (o.games.pairs != 1 || o.games.rounds != 1 || o.http_port == 0)) {
    fail("--readers goes with one game, and with --http-port");
  }
  return o;
}

void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

double own_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string json(const Percentiles& p) {
  return fmt::format(R"({{"p50": {:.3f}, "p90": {:.3f}, "p99": {:.3f}, "max": {:.3f}}})", p.p50_ms, p.p90_ms, p.p99_ms,
                     p.max_ms);
}

std::string json(const std::optional<ServerProcess>& p) {
  if (!p) return "null";
  return fmt::format(R"({{"rss_kib": {}, "peak_kib": {}, "threads": {}, "fds": {}, "cpu_s": {:.2f}}})", p->rss_kib,
                     p->peak_kib, p->threads, p->descriptors, p->cpu_s);
}

std::string json(const std::map<std::string, int>& errors) {
  std::string text;
  for (const auto& [what, count] : errors) {
    std::string plain;
    for (const char c : what) plain += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '?' : c;
    text += fmt::format(R"({}"{}": {})", text.empty() ? "" : ", ", plain, count);
  }
  return "{" + text + "}";
}

// The disk before and after what is measured.
class DiskProbe {
 public:
  explicit DiskProbe(const std::string& folder) : folder_(folder) { take(); }
  Percentiles finish() {
    take();
    return percentiles(times_ms_);
  }

 private:
  void take() {
    if (folder_.empty()) return;
    for (const double time : probe_fdatasync(folder_, 200)) times_ms_.push_back(time);
  }
  std::string folder_;
  std::vector<double> times_ms_;
};

std::string json(const ReaderFigures& f, int readers) {
  return fmt::format(
      R"({{"count": {}, "delivered": {}, "missed": {}, "snapshots": {}, "closed": {}, "each_ms": {}, "last_ms": {}}})",
      readers, f.each_ms.size(), f.moves_missed, f.snapshots, f.closed, json(percentiles(f.each_ms)),
      json(percentiles(f.last_ms)));
}

void write(const std::string& file, std::string_view bytes) {
  if (file.empty()) return;
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) fail("cannot write " + file);
}

std::string lines_of(const std::vector<SentMove>& moves) {
  std::string lines;
  for (const SentMove& move : moves) lines += fmt::format("{} {}\n", move.game, to_ns(move.due));
  return lines;
}

int play(const Options& options) {
  Target stream = options.target;
  stream.port = options.http_port;
  ReaderLoad readers(stream, options.readers);
  sure(readers.start(options.games.setup_s));
  Poller poller(options.target);
  DiskProbe disk(options.folder);
  const auto idle = look_at(options.pid);
  std::optional<ServerProcess> ready;
  double own_before = 0;
  GameFigures f = GameLoad(poller, options.games).run([&] {
    ready = look_at(options.pid);
    own_before = own_cpu_s();
  });
  const double own_cpu = (own_cpu_s() - own_before) / f.wall_s;
  const ReaderFigures read = readers.finish(f.sent);
  write(options.moves, lines_of(f.sent));
  const auto end = look_at(options.pid);
  const double server_cpu = ready && end ? (end->cpu_s - ready->cpu_s) / f.wall_s : 0;
  const Percentiles sync = disk.finish();
  const std::size_t moves = f.echo_ms.size();
  const double rate = static_cast<double>(moves) / f.wall_s;
  const Percentiles echo = percentiles(std::move(f.echo_ms));
  fmt::print(stderr,
             "{} of {} games, {} moves: {:.0f} moves/s; echo p50 {:.2f} p90 {:.2f} p99 {:.2f} max {:.1f} ms; client cpu"
             " {:.2f}, server cpu {:.2f}; fdatasync p50 {:.2f} p99 {:.2f} ms\n",
             f.finished, options.games.pairs * options.games.rounds, moves, rate, echo.p50_ms, echo.p90_ms, echo.p99_ms,
             echo.max_ms, own_cpu, server_cpu, sync.p50_ms, sync.p99_ms);
  fmt::print(R"({{"pairs": {}, "plies": {}, "rounds": {}, "started": {}, "finished": {}, "setup_s": {:.2f}, )"
             R"("wall_s": {:.3f}, "moves": {}, "moves_per_s": {:.1f}, "echo_ms": {}, "client_cpu": {:.2f}, )"
             R"("server_cpu": {:.2f}, "server": {{"idle": {}, "ready": {}, "end": {}}}, "fdatasync_ms": {}, )"
             R"("readers": {}, "errors": {}}})"
             "\n",
             options.games.pairs, options.games.plies, options.games.rounds, f.started, f.finished, f.setup_s, f.wall_s,
             moves, rate, json(echo), own_cpu, server_cpu, json(idle), json(ready), json(end), json(sync),
             json(read, options.readers), json(f.errors));
  return f.finished == options.games.pairs * options.games.rounds ? 0 : 1;
}

int follow(const Options& options) {
  FollowOptions how = options.follow;
  how.setup_s = options.games.setup_s;
  FollowLoad load(options.target, how);
  sure(load.start());
  fmt::print("ready\n");
  std::fflush(stdout);
  std::atomic<bool> ends{false};
  std::string told;
  std::thread waits([&ends, &told] {
    for (char some = 0; read(STDIN_FILENO, &some, 1) > 0;) told += some;
    ends = true;
  });
  load.follow(ends);
  waits.join();
  std::uint64_t moves = 0;
  std::from_chars(told.data(), told.data() + told.size(), moves);
  load.wait_for(moves);
  const FollowFigures f = load.finish();
  static_assert(sizeof(Arrival) == 16);
  write(options.arrivals, {reinterpret_cast<const char*>(f.moves.data()), f.moves.size() * sizeof(Arrival)});
  fmt::print(R"({{"followers": {}, "delivered": {}, "twice": {}, "snapshots": {}, "cuts": {}, "refused": {}, )"
             R"("away": {}, "bytes": {}, "cpu_s": {:.2f}, "back_ns": [{}]}})"
             "\n",
             how.followers, f.moves.size(), f.twice, f.snapshots, f.cuts, f.refused, f.away, f.bytes, own_cpu_s(),
             fmt::join(f.back_ns, ", "));
  return 0;
}

// Waits for an answer on one connection.
class Answer : public LineHandler {
 public:
  Answer(Poller& poller, Connection& connection) : poller_(poller), id_(connection.id()) {}
  bool wait(std::string_view start, bool whole, int limit_ms) {
    start_ = start;
    whole_ = whole;
    got_ = false;
    const auto began = Clock::now();
    while (!got_ && !lost_ && Clock::now() - began < std::chrono::milliseconds(limit_ms)) poller_.poll(*this, 100);
    return got_;
  }

 private:
  void line(Connection& connection, std::string_view text) override {
    if (connection.id() != id_) return;
    got_ = got_ || (whole_ ? text == start_ : text.starts_with(start_));
  }
  void closed(Connection& connection) override { lost_ = lost_ || connection.id() == id_; }

  Poller& poller_;
  std::uint64_t id_;
  std::string_view start_;
  bool whole_ = false, got_ = false, lost_ = false;
};

bool log_in(Poller& poller, Connection& connection, const Options& options, int number) {
  const std::string name = fmt::format("{}h{}", options.games.name, number);
  if (options.games.mode == Mode::raw) return true;
  connection.send(options.games.mode == Mode::x1 ? fmt::format("LOGIN {} trip x1\n", name)
                                                 : fmt::format("LOGIN {} hold{}-{}-{}-*,trip\n", name, number,
                                                               options.games.total_s, options.games.byoyomi_s));
  const bool x1 = options.games.mode == Mode::x1;
  return Answer(poller, connection).wait(x1 ? "##[LOGIN]" : fmt::format("LOGIN:{} OK", name), false, 20'000);
}

std::vector<double> round_trips(Poller& poller, Connection& connection, int count, int gap_ms) {
  std::vector<double> times_ms;
  Answer answer(poller, connection);
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(gap_ms));
    const auto sent = Clock::now();
    connection.send("\n");
    if (!answer.wait("", true, 5'000)) break;
    times_ms.push_back(ms_since(sent));
  }
  return times_ms;
}

int ping(const Options& options) {
  Poller poller(options.target);
  Connection& connection = *sure(poller.connect());
  if (!log_in(poller, connection, options, 0)) fail("the server did not take the LOGIN");
  const std::vector<double> times = round_trips(poller, connection, options.ping, options.gap_ms);
  const Percentiles trip = percentiles(times);
  fmt::print(stderr, "{} idle round trips: p50 {:.3f} p90 {:.3f} p99 {:.3f} max {:.2f} ms\n", times.size(), trip.p50_ms,
             trip.p90_ms, trip.p99_ms, trip.max_ms);
  fmt::print(R"({{"pings": {}, "round_trip_ms": {}}})"
             "\n",
             times.size(), json(trip));
  return times.size() == static_cast<std::size_t>(options.ping) ? 0 : 1;
}

int hold(const Options& options) {
  Poller poller(options.target);
  const auto before = look_at(options.pid);
  std::vector<Connection*> held;
  std::vector<double> logins_ms;
  std::string failed;
  for (int i = 0; i < options.hold && failed.empty(); ++i) {
    const auto began = Clock::now();
    const auto connection = poller.connect();
    if (!connection)
      failed = connection.error();
    else if (!log_in(poller, **connection, options, i))
      failed = "no answer to LOGIN";
    else
      held.push_back(*connection);
    logins_ms.push_back(ms_since(began));
  }
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const auto after = look_at(options.pid);
  const bool talks = options.games.mode != Mode::raw && !held.empty();
  const Percentiles trip =
      talks ? percentiles(round_trips(poller, *held[held.size() / 2], 50, options.gap_ms)) : Percentiles{};
  const Percentiles login = percentiles(logins_ms);
  const double each_kib =
      before && after ? static_cast<double>(after->rss_kib - before->rss_kib) / static_cast<double>(held.size()) : 0;
  fmt::print(stderr,
             "{} connections held, {:.1f} KiB each; login p50 {:.2f} max {:.1f} ms; round trip p50 {:.3f} ms{}\n",
             held.size(), each_kib, login.p50_ms, login.max_ms, trip.p50_ms, failed.empty() ? "" : "; " + failed);
  fmt::print(R"({{"held": {}, "kib_each": {:.2f}, "login_ms": {}, "round_trip_ms": {}, "before": {}, "after": {}, )"
             R"("errors": {}}})"
             "\n",
             held.size(), each_kib, json(login), json(trip), json(before), json(after),
             json(failed.empty() ? std::map<std::string, int>{} : std::map<std::string, int>{{failed, 1}}));
  return failed.empty() ? 0 : 1;
}

int shake(const Options& options) {
  const auto before = look_at(options.pid);
  const double own_before = own_cpu_s();
  const HandshakeFigures f = measure_handshakes(options.target, options.handshakes, options.games.at_once);
  const double own_cpu = own_cpu_s() - own_before;
  const auto after = look_at(options.pid);
  const double server_cpu = before && after ? after->cpu_s - before->cpu_s : 0;
  const double rate = f.done / f.wall_s;
  const Percentiles each = percentiles(f.times_ms);
  fmt::print(stderr,
             "{} handshakes, {} failed: {:.0f} a second; p50 {:.2f} p99 {:.2f} max {:.1f} ms; processor ms each: server"
             " {:.3f}, client {:.3f}\n",
             f.done, f.failed, rate, each.p50_ms, each.p99_ms, each.max_ms, server_cpu * 1e3 / f.done,
             own_cpu * 1e3 / f.done);
  fmt::print(R"({{"handshakes": {}, "failed": {}, "per_s": {:.1f}, "ms": {}, "server_cpu_ms": {:.4f}, )"
             R"("client_cpu_ms": {:.4f}}})"
             "\n",
             f.done, f.failed, rate, json(each), server_cpu * 1e3 / f.done, own_cpu * 1e3 / f.done);
  return f.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  std::ignore = std::signal(SIGPIPE, SIG_IGN);  // it cannot fail
  raise_descriptor_limit();
  if (options.handshakes > 0) return shake(options);
  if (options.follow.followers > 0) return follow(options);
  if (options.hold > 0) return hold(options);
  if (options.ping > 0) return ping(options);
  if (options.games.mode == Mode::raw) fail("--mode raw goes with --hold");
  return play(options);
}
