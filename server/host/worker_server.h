// The server's side of its workers (WORKERS.md) as a pure state machine: who they are, what they offer, which of their
// engines run for this server, and what happens when a connection is lost. Connections, time and what the server wants
// go in; lines to send, what engines said, and what ended come out. One thread at a time.
//
// A seat is one engine process elsewhere. Its number is its fencing token: no other process, of this server or of a
// former one, ever has it. Lines for an unknown number, or over a connection that is not the newest of its worker, are
// ignored.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/ids.h"
#include "server/core/logins/penalties.h"
#include "server/host/worker_lines.h"
#include "server/host/worker_offer.h"

namespace fuhyo::host {

enum class WorkerSeat : std::uint64_t {};

constexpr int kWorkerProtocol = 1;

struct WorkerLimits {
  std::int64_t lease_us = 30 * core::kSecond;  // a worker that is away for so long has lost its seats
  std::int64_t ping_us = 5 * core::kSecond;
  std::int64_t silence_us = 15 * core::kSecond;  // three pings without an answer: the connection is dead
  std::int64_t login_us = 10 * core::kSecond;    // from the connection to the first line, the handshake included
  std::int64_t offers_us = 30 * core::kSecond;   // from the first line to "ready"
  std::int64_t refusal_us = core::kSecond;       // a wrong token is answered so long after it came
  // Connections without a name, and those of them from one address; the oldest makes room for the one too many.
  std::size_t strangers = 32, strangers_per_address = 8;
  // Other offers, or those of another process: about six in a row, then one in ten seconds. Each exchanges players.
  std::int64_t offers_cost_us = 10 * core::kSecond, offers_tolerated_us = 50 * core::kSecond;
  std::size_t line_before_login = 256;
  // A "position" of 4096 plies with its number; an engine's own line may have 8 KiB.
  std::size_t line = 32 * 1024;
  std::size_t unread_bytes = 512 * 1024;           // lines of a seat that its worker has not acknowledged
  std::size_t bytes_per_second = 4 * 1024 * 1024;  // of a worker: four engines at their own limit
  core::PenaltyLimits penalties;
};

class WorkerServer {
 public:
  struct Rules {
    // What the worker of this name shows is its token. Constant time.
    std::function<bool(std::string_view name, std::string_view token)> is_token;
    std::function<bool(std::string_view address)> is_spared;  // by the limits per address
  };

  // ---- what comes out ----
  struct Send {
    core::ConnId conn{};
    std::string line;
  };
  struct Close {  // after what was sent
    core::ConnId conn{};
  };
  struct Known {  // who it is has been shown: its lines may be long
    core::ConnId conn{};
  };
  struct Said {  // an engine
    WorkerSeat seat{};
    std::string line;
  };
  struct Ended {  // nothing more is heard of the seat
    WorkerSeat seat{};
    std::string why;
  };
  struct Offered {  // instead of everything that the worker offered before
    std::string worker;
    int threads = 1;  // that may think there at once
    std::vector<WorkerOffer> offers;
  };
  struct Present {  // it is connected and has made its offers, or is away
    std::string worker;
    bool there = false;
  };
  struct Noted {  // for the log
    bool warning = false;
    std::string text;
  };
  using Output = std::variant<Send, Close, Known, Said, Ended, Offered, Present, Noted>;

  struct Row {  // of the table for operators
    std::string name, address;
    bool connected = false;
    core::Instant since, last_heard;  // of the newest connection
    int threads = 1;
    std::size_t seats = 0;
    std::vector<WorkerOffer> offers;
  };

  // `first` is larger than every number of a former server: wall time will do, in microseconds.
  WorkerServer(const WorkerLimits& limits, std::uint64_t first)
      : limits_(limits), last_seat_(first), penalties_(limits.penalties) {}

  // New tokens. A worker that drop() shut out may connect again if its name still has a token. A worker without a token
  // any more is disconnected, and its engines end.
  void change(Rules rules);

  // ---- connections ----
  void opened(core::ConnId conn, std::string address, core::Instant now);
  void line(core::ConnId conn, std::string_view text, core::Instant now);
  void bad_input(core::ConnId conn, std::string_view why, core::Instant now);  // a line too long
  void closed(core::ConnId conn, core::Instant now);
  void tick(core::Instant now);  // a few times a second

  // ---- what the server wants ----
  // Starts an engine there. Fails while the worker is not connected.
  std::expected<WorkerSeat, std::string> start(const std::string& worker, int engine);
  // False: it has ended.
  bool write(WorkerSeat seat, std::string_view line);
  void end(WorkerSeat seat);  // Ended does not follow
  // For its log: one line.
  void tell(const std::string& worker, std::string_view text);
  // Its seats end, and it stays away until change(). False: there is no such worker.
  bool drop(const std::string& worker);

  std::vector<Output> take() { return std::exchange(outputs_, {}); }
  std::vector<Row> rows() const;  // by name

 private:
  struct Peer {
    std::string address, worker;  // worker: empty before it has shown who it is
    core::Instant opened, heard, pinged;
    std::optional<core::Instant> refuse_at;
    bool ready = false;    // it has said its offers
    bool leaving = false;  // told to go: its lines are ignored
    std::vector<WorkerOffer> offers;
    std::set<WorkerSeat> held;  // that it has named after a reconnection
    std::size_t bytes = 0;      // in the second that began at `window`
    core::Instant window;
  };
  struct Worker {
    std::optional<core::ConnId> conn;  // nothing: away since `lost`
    std::string session, token, address;
    core::Instant since, heard, lost;
    core::Instant offers_paid;  // when its offers may be others again without being counted
    int threads = 1;
    bool offered = false;  // in this session
    std::vector<WorkerOffer> offers;
  };
  struct Seat {
    std::string worker;
    int engine = 0;
    bool told = false;  // "start" was sent over the connection that stands
    WorkerLines lines;
  };

  void send(core::ConnId conn, std::string line) { outputs_.push_back(Send{conn, std::move(line)}); }
  void note(bool warning, std::string text) { outputs_.push_back(Noted{warning, std::move(text)}); }
  void refuse(core::ConnId conn, Peer& peer, std::string_view why);
  void fault(core::ConnId conn, Peer& peer, std::string_view why);
  bool is_spared(const std::string& address) const { return rules_.is_spared && rules_.is_spared(address); }
  bool floods(Peer& peer, std::size_t bytes, core::Instant now) const;
  void make_room(const std::string& address);

  void log_in(core::ConnId conn, Peer& peer, std::string_view rest, core::Instant now);
  void welcome(core::ConnId conn, Peer& peer, std::string name, std::string session, core::Instant now);
  void cut_off(const std::string& name, const Worker& worker);
  bool offer(Peer& peer, std::string_view rest);
  bool hold(core::ConnId conn, Peer& peer, std::string_view rest);
  bool ready(core::ConnId conn, Peer& peer, std::string_view rest, core::Instant now);
  bool may_change_offers(Worker& worker, core::Instant now) const;
  bool of_seat(core::ConnId conn, Peer& peer, std::string_view word, std::string_view rest);
  bool numbered(core::ConnId conn, WorkerSeat number, Seat& seat, std::string_view word, std::string_view rest);
  bool known(core::ConnId conn, Peer& peer, std::string_view word, std::string_view rest, core::Instant now);
  void good_bye(core::ConnId conn, Peer& peer, core::Instant now);
  void look_at(core::ConnId conn, Peer& peer, core::Instant now);

  void tell(core::ConnId conn, WorkerSeat number, Seat& seat);  // "start" with all that waits
  void lost(const std::string& name, core::Instant now);
  void end_seats(const std::string& worker, const std::string& why);

  const WorkerLimits limits_;
  Rules rules_;
  std::map<core::ConnId, Peer> peers_;
  std::map<std::string, Worker, std::less<>> workers_;
  std::map<WorkerSeat, Seat> seats_;
  std::set<std::string, std::less<>> dropped_;
  std::uint64_t last_seat_;
  core::Penalties penalties_;
  std::vector<Output> outputs_;
};

}  // namespace fuhyo::host
