// Between a server and its workers (server/host/WORKERS.md), with either end gone mad. Each line of the input is an
// act: its first byte says of whom, the rest what. Whatever comes, no seat is heard before its start or after its end,
// nothing is said to who has been closed, and no line holds a line end.

#include <map>
#include <set>
#include <string>
#include <variant>

#include "server/host/worker_client.h"
#include "server/host/worker_server.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace core = fuhyo::core;
namespace host = fuhyo::host;

constexpr std::size_t kActs = 400;

bool is_line(std::string_view text) { return text.find('\n') == std::string_view::npos; }

// The server's side; connections 'a' and 'b' are two programs that may be workers.
class ServerSide {
 public:
  ServerSide() : server_({}, 1'000) {
    server_.change(
        {.is_token = [](std::string_view name, std::string_view token) { return name == "lab" && token == "t"; },
         .is_spared = {}});
  }

  void say(char who, std::string_view text) {
    auto [at, fresh] = open_.try_emplace(who, core::ConnId{last_ + 1});
    if (fresh) server_.opened(core::ConnId{++last_}, who == 'a' ? "192.0.2.1" : "192.0.2.2", now_);
    server_.line(at->second, text, now_);
  }
  void hang_up(char who) {
    const auto at = open_.find(who);
    if (at == open_.end()) return;
    server_.closed(at->second, now_);
    open_.erase(at);
  }
  void pass(std::size_t seconds) {
    now_ = now_ + static_cast<std::int64_t>(seconds) * core::kSecond;
    server_.tick(now_);
  }
  void start(int engine) {
    const auto seat = server_.start("lab", engine);
    if (!seat) return require(!seat.error().empty(), "a refusal says why");
    require(ever_.insert(*seat).second, "no number is given twice");
    seats_.insert(*seat);
  }
  void write(std::string_view text) {
    if (!seats_.empty()) server_.write(*seats_.begin(), text);
  }
  void end() {
    if (seats_.empty()) return;
    server_.end(*seats_.begin());
    seats_.erase(seats_.begin());
  }
  void drop() { server_.drop("lab"); }
  void check() {
    for (const host::WorkerServer::Output& output : server_.take()) {
      std::visit([this](const auto& o) { on(o); }, output);
    }
    require(server_.rows().size() <= 1, "there is one worker at most: nobody else has a token");
  }

 private:
  void on(const host::WorkerServer::Send& o) {
    require(is_line(o.line), "a line is one");
    require(!closed_.contains(o.conn), "nothing is said behind the end");
  }
  void on(const host::WorkerServer::Close& o) {
    require(closed_.insert(o.conn).second, "a connection is closed once");
    std::erase_if(open_, [&](const auto& at) { return at.second == o.conn; });
    server_.closed(o.conn, now_);
  }
  void on(const host::WorkerServer::Said& o) {
    require(seats_.contains(o.seat), "only seats that are seated are heard");
  }
  void on(const host::WorkerServer::Ended& o) { require(seats_.erase(o.seat) == 1, "a seat ends once"); }
  void on(const host::WorkerServer::Offered& o) {
    require(o.worker == "lab" && o.offers.size() <= host::kMostOffers, "offers are a worker's");
  }
  void on(const auto&) {}  // known, present, noted

  host::WorkerServer server_;
  core::Instant now_{1'000 * core::kSecond};
  std::uint64_t last_ = 0;
  std::map<char, core::ConnId> open_;
  std::set<core::ConnId> closed_;
  std::set<host::WorkerSeat> seats_, ever_;
};

// The worker's side.
class ClientSide {
 public:
  void hear(std::string_view text) { client_.line(text, now_); }
  void connect() { client_.connected(now_); }
  void lose() { client_.disconnected(now_); }
  void pass(std::size_t seconds) {
    now_ = now_ + static_cast<std::int64_t>(seconds) * core::kSecond;
    client_.tick(now_);
  }
  void engine(std::string_view text) {
    if (!engines_.empty()) client_.engine_line(*engines_.begin(), text);
  }
  void engine_ends(std::string_view why) {
    if (engines_.empty()) return;
    const auto seat = *engines_.begin();
    engines_.erase(engines_.begin());
    client_.engine_ended(seat, why);
  }
  void check() {
    for (const host::WorkerClient::Output& output : client_.take()) {
      std::visit([this](const auto& o) { on(o); }, output);
    }
    require(engines_.size() <= host::kMostWorkerSeats, "nobody makes it start engines without end");
  }

 private:
  void on(const host::WorkerClient::Send& o) { require(is_line(o.line), "a line is one"); }
  void on(const host::WorkerClient::Start& o) {
    require(o.engine == 0, "what is started was offered");
    require(engines_.insert(o.seat).second, "a seat starts once");
  }
  void on(const host::WorkerClient::ToEngine& o) { require(is_line(o.line), "an engine is told lines"); }
  void on(const host::WorkerClient::End& o) { engines_.erase(o.seat); }
  void on(const host::WorkerClient::Hangup& o) { require(!o.why.empty(), "a hang-up has a reason"); }
  void on(const host::WorkerClient::Refused&) {}
  void on(const host::WorkerClient::Told&) {}

  host::WorkerClient client_{{.name = "lab",
                              .token = "t",
                              .session = "s",
                              .threads = 2,
                              .offers = {{.engine = 0, .nps = 1'000, .line = "name=lab-1 game=club-900-5F"}}}};
  core::Instant now_{1'000 * core::kSecond};
  std::set<host::WorkerClient::Seat> engines_;
};

void act(char who, std::string_view text, ServerSide& server, ClientSide& client) {
  if (who == 'a' || who == 'b') return server.say(who, text);
  if (who == 'A' || who == 'B') return server.hang_up(who == 'A' ? 'a' : 'b');
  if (who == 's') return server.start(static_cast<int>(text.size()));
  if (who == 'w') return server.write(text);
  if (who == 'x') return server.end();
  if (who == 'd') return server.drop();
  if (who == 'h') return client.hear(text);
  if (who == 'c') return client.connect();
  if (who == 'l') return client.lose();
  if (who == 'e') return client.engine(text);
  if (who == 'E') return client.engine_ends(text);
  server.pass(text.size());
  client.pass(text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuhyo::fuzz::text(data, size);
  ServerSide server;
  ClientSide client;
  for (std::size_t acts = 0; !rest.empty() && acts < kActs; ++acts) {
    const std::string_view line = fuhyo::fuzz::take_line(rest);
    if (!line.empty()) act(line.front(), line.substr(1), server, client);
    server.check();
    client.check();
  }
  return 0;
}
