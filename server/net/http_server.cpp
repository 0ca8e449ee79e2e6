#include "server/net/http_server.h"

#include <atomic>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include "server/core/logins/penalties.h"
#include "server/net/await.h"
#include "server/net/endpoint.h"
#include "server/net/http_answers.h"
#include "server/net/http_session.h"
#include "server/net/http_stream.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kAcceptPause = std::chrono::milliseconds(500);  // after an accept that failed
// Without readers events are not put into words; for this long after the last one they are, so that it can resume.
constexpr std::int64_t kResumable_us = 60 * core::kSecond;

using std::chrono::duration_cast, std::chrono::microseconds;

core::Now machine_now() {
  return {{duration_cast<microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count()},
          {duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()}};
}

// Random ids: nodes that start at the same time, and one that starts twice, must not take each other's for their own.
Feed::Options feed_options(const HttpOptions& options) {
  std::random_device random;
  const std::uint64_t first = (std::uint64_t{random()} << 32 | random()) >> 12;
  return {.comments = options.comments,
          .delays = options.delays,
          .commentator = options.archive.commentator,
          .first_id = first};
}

}  // namespace

struct HttpServer::State {
  State(HttpOptions&& options, Feed&& feed)
      : shared{.web = WebApi(options.web),
               .archive = ArchiveApi(options.archive, options.comments, options.warn),
               .events = TournamentApi(options.zone),
               .unread = UnreadAnswers(options.unread_bytes, options.unread_bytes_per_address),
               .options = std::move(options),
               .feed = std::move(feed),
               .readers = {},
               .lobby = {},
               .players = nullptr,
               .wall_now = [this] { return now().wall; },
               .healthy = [this] { return healthy.load(std::memory_order_relaxed); },
               .not_ready = [this] { return not_ready.load(std::memory_order_relaxed); },
               .trouble = [this] { return trouble.load(std::memory_order_relaxed); },
               .figures = [this] { return figures(); }} {
    shared.archive.ask_on(archive_thread.get_executor());
  }

  struct Acceptor {
    tcp::acceptor socket;
    bool secure;
  };

  core::Now now() const { return shared.options.now(); }
  std::expected<std::vector<std::string>, std::string> listen(std::string_view address, bool secure);
  asio::awaitable<void> accept(Acceptor& acceptor);
  asio::awaitable<void> serve(HttpStream stream, std::string address);
  asio::awaitable<LocalAnswer> get(HttpRequest request);
  void admit(tcp::socket socket, bool secure);
  bool crowded(const std::string& address) const;
  void take_published();
  void offer(const std::vector<FeedEvent>& events);
  core::Commentator* commentator() const { return shared.options.archive.commentator.get(); }
  void say(core::GameId game, std::int32_t ply);
  void await_release();
  void release();
  bool nobody_reads();
  HttpFigures figures();

  HttpShared shared;
  std::shared_ptr<const TlsPair> pair;
  std::map<std::string, std::size_t> per_network;  // what one machine has
  std::size_t connections = 0;
  std::uint64_t refused_connections = 0, facts_never_shown = 0;
  std::optional<core::Instant> last_reader;
  std::atomic<bool> healthy{true};
  std::atomic<const char*> not_ready{nullptr}, trouble{nullptr};

  std::mutex mutex;  // of what follows
  std::vector<core::Transaction> published;
  std::size_t published_facts = 0, lost_facts = 0;

  // After all that sessions use: what is left of them goes with it.
  asio::io_context io{1};
  asio::steady_timer release_timer{io};  // what waits in the feed
  std::optional<core::Instant> awaited;  // ... until then
  std::vector<Acceptor> acceptors;
  std::unique_ptr<CsaCrossing> players;
  std::thread thread;
  asio::thread_pool archive_thread{1};
};

HttpServer::HttpServer(HttpOptions options, const core::Recovery& recovered) {
  if (!options.now) options.now = machine_now;
  Feed feed(feed_options(options), recovered, options.now());
  state_ = std::make_shared<State>(std::move(options), std::move(feed));
  if (state_->commentator() == nullptr) return;
  state_->commentator()->tell([state = state_.get()](core::GameId game, std::int32_t ply) {
    asio::post(state->io, [state, game, ply] { state->say(game, ply); });
  });
}

HttpServer::~HttpServer() {
  if (state_->commentator() != nullptr) state_->commentator()->tell({});
  state_->io.stop();
  if (state_->thread.joinable()) state_->thread.join();
}

std::expected<std::vector<std::string>, std::string> HttpServer::listen(std::string_view address) {
  return state_->listen(address, false);
}
std::expected<std::vector<std::string>, std::string> HttpServer::listen_tls(std::string_view address) {
  return state_->listen(address, true);
}

std::expected<std::vector<std::string>, std::string> HttpServer::State::listen(std::string_view address, bool secure) {
  const auto endpoints = resolve(address);
  if (!endpoints) return std::unexpected(endpoints.error());
  std::vector<std::string> bound;
  for (const auto& endpoint : *endpoints) {
    auto acceptor = net::listen(io, endpoint);
    if (!acceptor) return std::unexpected(acceptor.error());
    bound.push_back(to_string(acceptor->local_endpoint()));
    acceptors.push_back({std::move(*acceptor), secure});
  }
  return bound;
}

CsaCrossing& HttpServer::take_players(core::InputSink& sink, const core::Limits& limits, std::string room,
                                      std::function<void(std::function<void()>)> post_to_core) {
  state_->players = std::make_unique<CsaCrossing>(
      state_->io, sink, limits, std::move(room),
      CsaCrossing::Hooks{.post_to_core = std::move(post_to_core), .warn = [](std::string_view) {}});
  state_->shared.players = &state_->players->listener();
  return *state_->players;
}

void HttpServer::start() {
  for (State::Acceptor& acceptor : state_->acceptors) {
    asio::co_spawn(state_->io, state_->accept(acceptor), asio::detached);
  }
  state_->thread = std::thread([state = state_.get()] {
    const auto work = asio::make_work_guard(state->io);
    state->await_release();
    state->io.run();
  });
}

LocalAnswer HttpServer::get(std::string_view target, std::string_view host, std::string_view language) {
  HttpRequest request{boost::beast::http::verb::get, target, 11};
  request.set(boost::beast::http::field::host, host);
  request.set(boost::beast::http::field::accept_language, language);
  return asio::co_spawn(state_->io, state_->get(std::move(request)), asio::use_future).get();
}

asio::awaitable<LocalAnswer> HttpServer::State::get(HttpRequest request) {
  const HttpRoute* route = find_route("GET", target_of(request).path);
  HttpResponse response = route == nullptr ? answer_no_way(request, shared)
                                           : co_await answer_request(request, *route, "127.0.0.1", false, shared);
  co_return LocalAnswer{.status = response.result_int(), .body = std::move(response.body())};
}

void HttpServer::use(std::shared_ptr<const TlsPair> pair) {
  asio::post(state_->io, [state = state_.get(), fresh = std::move(pair)] { state->pair = fresh; });
}

void HttpServer::set_healthy(bool healthy) { state_->healthy.store(healthy, std::memory_order_relaxed); }

void HttpServer::set_not_ready(const char* why) { state_->not_ready.store(why, std::memory_order_relaxed); }

void HttpServer::set_trouble(const char* what) { state_->trouble.store(what, std::memory_order_relaxed); }

// ---- the feed ----

void HttpServer::publish(const std::vector<core::Transaction>& transactions) {
  bool wake = false;
  {
    const std::lock_guard lock(state_->mutex);
    wake = state_->published.empty();
    for (const core::Transaction& transaction : transactions) {
      if (state_->published_facts + transaction.size() > state_->shared.options.queued_facts) {
        state_->lost_facts += transaction.size();  // the view goes on without them, see LiveView
        continue;
      }
      state_->published_facts += transaction.size();
      state_->published.push_back(transaction);
    }
    wake = wake && !state_->published.empty();
  }
  if (wake) asio::post(state_->io, [state = state_.get()] { state->take_published(); });
}

void HttpServer::State::take_published() {
  std::vector<core::Transaction> transactions;
  std::size_t lost = 0;
  {
    const std::lock_guard lock(mutex);
    transactions.swap(published);
    published_facts = 0;
    lost = std::exchange(lost_facts, 0);
  }
  const bool silent = nobody_reads();
  const core::Now taken = now();
  for (const core::Transaction& transaction : transactions) offer(shared.feed.apply(transaction, taken, silent));
  lost += shared.feed.take_lost();
  facts_never_shown += lost;
  await_release();
  if (lost > 0 && shared.options.warn) shared.options.warn(fmt::format("web: {} facts were lost to spectators", lost));
}

void HttpServer::State::offer(const std::vector<FeedEvent>& events) {
  for (const FeedEvent& event : events) shared.readers.offer(event);
}

void HttpServer::State::say(core::GameId game, std::int32_t ply) {
  if (nobody_reads()) return;
  if (const auto event = shared.feed.say(game, ply)) offer({*event});
}

void HttpServer::State::await_release() {
  const auto next = shared.feed.next_release();
  if (next == std::exchange(awaited, next)) return;
  release_timer.cancel();
  if (!next) return;
  release_timer.expires_after(microseconds(next->us - now().mono.us));
  release_timer.async_wait([this](error_code cancelled) {
    if (!cancelled) release();
  });
}

void HttpServer::State::release() {
  awaited.reset();
  offer(shared.feed.release(now(), nobody_reads()));
  await_release();
}

bool HttpServer::State::nobody_reads() {
  const core::Instant at = now().mono;
  if (!shared.readers.empty()) last_reader = at;
  return !last_reader || at.us - last_reader->us > kResumable_us;
}

HttpFigures HttpServer::State::figures() {
  HttpFigures figures{.connections = connections,
                      .readers = shared.readers.size(),
                      .crowded = refused_connections,
                      .answers = shared.answers,
                      .lost_facts = facts_never_shown};
  const std::lock_guard lock(mutex);
  figures.waiting_facts = published_facts;
  return figures;
}

void HttpServer::restart(core::Recovery recovered) {
  asio::post(state_->io, [state = state_.get(), recovered = std::move(recovered)] {
    state->take_published();
    state->shared.feed = Feed(feed_options(state->shared.options), recovered, state->now());
    state->await_release();
    state->shared.readers.demand_snapshots();
  });
}

void HttpServer::show_lobby(std::vector<core::Waiter> waiters) {
  auto lobby = std::make_shared<const std::vector<core::Waiter>>(std::move(waiters));
  asio::post(state_->io, [state = state_.get(), lobby = std::move(lobby)] { state->shared.lobby = lobby; });
}

void HttpServer::show_engines(std::vector<ServingEngine> engines) {
  asio::post(state_->io, [state = state_.get(), engines = std::move(engines)] {
    state->shared.options.endpoints.engines = engines;
  });
}

// ---- the web login ----

void HttpServer::answer(core::WebLoginAnswer answer) {
  asio::post(state_->io, [state = state_.get(), answer = std::move(answer)] { state->shared.web.answer(answer); });
}

void HttpServer::answer(core::AdminReply answer) {
  asio::post(state_->io, [state = state_.get(), answer = std::move(answer)] { state->shared.web.answer(answer); });
}

void HttpServer::end_web_sessions(std::string name) {
  asio::post(state_->io, [state = state_.get(), name = std::move(name)] { state->shared.web.close_all_of(name); });
}

void HttpServer::list_web_sessions(std::string name, std::function<void(core::AdminResult)> take) {
  asio::post(state_->io, [state = state_.get(), name = std::move(name), take = std::move(take)] {
    take(state->shared.web.logins(name));
  });
}

// ---- connections ----

asio::awaitable<void> HttpServer::State::accept(Acceptor& acceptor) {
  for (;;) {
    tcp::socket socket(io);
    const auto [error] = co_await acceptor.socket.async_accept(socket, kAwait);
    if (error == asio::error::operation_aborted) co_return;
    if (!error) {
      admit(std::move(socket), acceptor.secure);
      continue;
    }
    asio::steady_timer rest(io, kAcceptPause);  // most likely out of descriptors: no busy loop
    co_await rest.async_wait(kAwait);
  }
}

void HttpServer::State::admit(tcp::socket socket, bool secure) {
  error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  std::string address = peer.address().to_string();
  if (crowded(address)) {  // closed without a word: an answer would cost more than the refusal saves
    ++refused_connections;
    return;
  }
  socket.set_option(tcp::no_delay(true), error);
  socket.set_option(tcp::socket::send_buffer_size(shared.options.socket_bytes), error);
  HttpStream stream(std::move(socket), secure ? pair : nullptr);
  asio::co_spawn(io, serve(std::move(stream), std::move(address)), asio::detached);
}

bool HttpServer::State::crowded(const std::string& address) const {
  if (connections >= shared.options.connections) return true;
  if (shared.options.exempt && shared.options.exempt(address)) return false;
  const auto it = per_network.find(core::narrow_network(address));
  return it != per_network.end() && it->second >= shared.options.connections_per_address;
}

asio::awaitable<void> HttpServer::State::serve(HttpStream stream, std::string address) {
  const std::string network = core::narrow_network(address);
  ++connections;
  ++per_network[network];
  co_await serve_http(std::move(stream), address, shared);
  --connections;
  const auto it = per_network.find(network);
  if (--it->second == 0) per_network.erase(it);
}

}  // namespace fuhyo::net
