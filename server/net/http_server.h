// The web side on a thread of its own, by HTTP and HTTPS: GET /healthz, /readyz, /metrics (metrics_text.h),
// /api/v1/events (feed.h), the pages (assets.h), the archive (archive_api.h), and the web login (web_api.h). It is fed
// by committed transactions through a bounded queue and cannot slow the game down: readers that do not keep up lose
// their queue and get a fresh snapshot.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/journal.h"
#include "server/core/lobby/waiter.h"
#include "server/net/archive_api.h"
#include "server/net/assets.h"
#include "server/net/csa_crossing.h"
#include "server/net/feed.h"
#include "server/net/rooms_json.h"
#include "server/net/web_options.h"

namespace fuhyo::net {

class TlsPair;

// What a form is asked for, by a browser of this machine.
struct FormRequest {
  std::string_view path, sent;  // of what is posted; else empty
  bool posted = false;
};
struct FormReply {
  std::string html;
  std::function<void()> taken = nullptr;  // called when the browser has it, or has gone
};

struct HttpOptions {
  std::function<core::Now()> now;  // empty: by this machine's clocks. For this server's thread
  std::size_t header_bytes = 8 * 1024;
  std::size_t body_bytes = 64 * 1024;
  std::chrono::milliseconds handshake_deadline{5'000};  // of TLS
  std::chrono::milliseconds request_deadline{15'000};   // for the header and body to arrive; also idle keep-alive
  std::chrono::milliseconds write_deadline{30'000};     // a reader that takes next to nothing for so long is gone
  std::chrono::milliseconds comment_every{15'000};      // keeps proxies from closing a quiet stream
  std::size_t connections_per_address = 64;
  std::size_t connections = 10'000;
  std::size_t reader_bytes = 1024 * 1024;  // queued for one reader of events; beyond it: dropped, and one snapshot
  int socket_bytes = 256 * 1024;           // what the kernel may hold for one connection beside that
  // Of answers that are larger than that, not taken yet: in all, and of one address.
  std::size_t unread_bytes = std::size_t{256} << 20, unread_bytes_per_address = std::size_t{64} << 20;
  // From the store to this thread; beyond it facts are lost to spectators. What waits to be shown is DelayLine's.
  std::size_t queued_facts = 200'000;
  std::function<bool(std::string_view address)> exempt;  // from connections_per_address
  std::function<void(std::string_view text)> warn;       // called on this server's thread
  Assets assets = Assets::embedded();                    // the pages
  core::Comments comments = core::Comments::after;       // of players, to spectators
  core::DelayRules delays{};                             // of games that spectators see later than their players
  PlayerEndpoints endpoints;                             // of this program; none on a web node
  core::TimeZone zone;                                   // in which timetables of events are written
  WebOptions web;                                        // without a log_in nobody can log in
  // Hosts by which this server is asked for, in links to it the first one; empty: what a request says stands in links.
  std::vector<std::string> hosts;
  // Who may read /metrics, by the address as far as it is known and by a host that is ours (is_own_host() of
  // web_guard.h); empty: everybody. Called on this server's thread.
  std::function<bool(std::string_view address)> metrics_from;
  // The families beside those of web_metrics(). Called on this server's thread; must not block.
  std::function<std::string()> metrics;
  ArchiveOptions archive;  // without a catalogue there is nothing but the feed
  // Answers everything but styles and the icon, in place of all that this server has. Only a browser of this machine
  // that asks by such a name, from no other site's page, gets that far. Nothing: there is no such page. Called on this
  // server's thread.
  std::function<std::optional<FormReply>(const FormRequest&)> form;
};

// What a request without a connection is answered.
struct LocalAnswer {
  unsigned status = 0;
  std::string body;
};

class HttpServer {
 public:
  HttpServer(HttpOptions options, const core::Recovery& recovered);
  ~HttpServer();  // ends every connection at once
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Before start(): binds every address of "HOST:PORT" (port 0: a free one) and returns them as they are.
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address);
  // The same for HTTPS; use() has to be called before start().
  std::expected<std::vector<std::string>, std::string> listen_tls(std::string_view address);
  // The same: players may come by WebSockets (kCsaPath of http_routes.h), and are seated in the room. The thread that
  // calls is the core's, and so is the one that destroys this; `sink` outlives it.
  CsaCrossing& take_players(core::InputSink& sink, const core::Limits& limits, std::string room,
                            std::function<void(std::function<void()>)> post_to_core);
  void start();

  // After start(), any thread but this server's, which it waits for: what a browser of this machine is answered that
  // asks for this. `host`: the one of links in the answer; `language`: as of Accept-Language.
  LocalAnswer get(std::string_view target, std::string_view host, std::string_view language);

  // Any thread; none of them blocks.
  void use(std::shared_ptr<const TlsPair> pair);  // for handshakes to come
  void publish(const std::vector<core::Transaction>& transactions);
  void set_healthy(bool healthy);
  void set_not_ready(const char* why);  // /readyz says so from now on; a line that is never gone
  void set_trouble(const char* what);   // said instead of "ok"; a line that is never gone; null: none
  // Facts are missing between what was published and what will be: every reader gets a snapshot of this.
  void restart(core::Recovery recovered);
  // Who waits for games now. Before the first call that is unknown, as on a web node.
  void show_lobby(std::vector<core::Waiter> waiters);
  // The built-in players that play on request, now.
  void show_engines(std::vector<ServingEngine> engines);
  // The core's answers to the requests of WebOptions. Answers with other tokens are ignored.
  void answer(core::WebLoginAnswer answer);
  void answer(core::AdminReply answer);
  // Ends the web sessions of the name: its secret or its role has changed.
  void end_web_sessions(std::string name);
  // Who is logged in (empty name: everybody). The table comes on this server's thread.
  void list_web_sessions(std::string name, std::function<void(core::AdminResult)> take);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace fuhyo::net
