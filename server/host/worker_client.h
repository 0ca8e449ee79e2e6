// The worker's side of WORKERS.md as a pure state machine: offers its engines, runs those that it is told to, and keeps
// them for the time of the lease when the connection is lost. Lines, time and what engines say go in; lines to send and
// what is to be done with engines come out. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/ids.h"
#include "server/host/worker_lines.h"
#include "server/host/worker_offer.h"

namespace fuhyo::host {

class WorkerClient {
 public:
  using Seat = std::uint64_t;  // a number of the server's

  struct Config {
    std::string name, token;
    std::string session;  // of this process alone: a random word
    int threads = 1;      // that may think here at once
    std::vector<WorkerOffer> offers;
  };

  // ---- what comes out ----
  struct Send {
    std::string line;
  };
  struct Hangup {  // connect again after a while
    std::string why;
  };
  struct Refused {  // for good
    std::string why;
  };
  struct Told {  // for the log of the worker
    std::string text;
  };
  struct Start {
    Seat seat = 0;
    int engine = 0;
  };
  struct ToEngine {
    Seat seat = 0;
    std::string line;
  };
  struct End {  // kills the engine; nothing is heard of it any more
    Seat seat = 0;
    std::string why;
  };
  using Output = std::variant<Send, Hangup, Refused, Told, Start, ToEngine, End>;

  explicit WorkerClient(Config config) : config_(std::move(config)) {}

  // ---- the connection ----
  void connected(core::Instant now);
  void disconnected(core::Instant now);
  void line(std::string_view text, core::Instant now);
  void tick(core::Instant now);  // a few times a second
  void leave();                  // for good: ends its engines, and tells the server

  // ---- engines ----
  void engine_line(Seat seat, std::string_view text);
  void engine_ended(Seat seat, std::string_view why);

  std::vector<Output> take() { return std::exchange(outputs_, {}); }
  bool welcomed() const { return welcomed_; }  // over this connection
  std::size_t seats() const { return seats_.size(); }

  // Lines of an engine that the server has not acknowledged; beyond this the engine is ended.
  static constexpr std::size_t kUnheardBytes = 512 * 1024;

 private:
  struct Engine {
    bool heard = false;      // the server listens: it has started or kept it over this connection
    std::uint64_t over = 0;  // the number of the line that tells its end
    WorkerLines lines;
  };

  void send(std::string line) { outputs_.push_back(Send{std::move(line)}); }
  bool known(std::string_view word, std::string_view rest);
  bool welcome(std::string_view rest);
  bool refused(std::string_view why);
  bool start(std::string_view rest);
  bool keep(Seat seat, Engine& engine, std::string_view rest);
  bool hear(Seat seat, Engine& engine, std::string_view rest);
  bool acknowledged(Seat seat, Engine& engine, std::string_view rest);
  void say(Seat seat, const Engine& engine, const WorkerLines::Line& line);
  void end_all(const std::string& why);

  const Config config_;
  std::map<Seat, Engine> seats_;
  bool connected_ = false, welcomed_ = false, ever_welcomed_ = false;
  core::Instant heard_, lost_;
  std::int64_t lease_us_ = 0, ping_us_ = 5 * core::kSecond;
  std::vector<Output> outputs_;
};

}  // namespace fuhyo::host
