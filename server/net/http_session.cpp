#include "server/net/http_session.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/read_size.hpp>
#include <boost/beast/http.hpp>

#include "engines/shogi/number.h"
#include "server/core/logins/penalties.h"
#include "server/net/await.h"
#include "server/net/endpoint.h"
#include "server/net/feed_json.h"
#include "server/net/http_answers.h"
#include "server/net/http_routes.h"
#include "server/net/packed_stream.h"
#include "server/net/web_guard.h"
#include "server/net/web_socket.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

constexpr std::size_t kEventsPerWrite = 64;
constexpr std::size_t kReadAtOnce = 16 * 1024;
constexpr std::size_t kMaxFilter = 256;  // games of one ?games= list
constexpr std::string_view kEventsPath = "/api/v1/events", kLinesPath = "/api/v1/events.ndjson";

// `secure`: a browser that came over TLS is told to come so from now on. `framed`: other sites may show it as a part
// of their pages. `forms`: it has one that is sent to this server.
template <class Message>
void set_common_headers(Message& message, bool secure, bool framed = false, bool forms = false) {
  if (secure) message.set(http::field::strict_transport_security, "max-age=31536000");
  message.set(http::field::server, "fuhyo");
  if (message.count(http::field::cache_control) == 0) message.set(http::field::cache_control, "no-store");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  constexpr std::string_view kPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
      "manifest-src 'self'; frame-src 'self'; "
      "object-src 'none'; base-uri 'none'; form-action ";
  message.set("Content-Security-Policy",
              fmt::format("{}{}; frame-ancestors {}", kPolicy, forms ? "'self'" : "'none'", framed ? "*" : "'none'"));
}

// Which refusal a request gets that could not be read; nothing if there is nobody to tell.
std::optional<http::status> refusal_of(const error_code& error) {
  if (error == http::error::end_of_stream || error == asio::error::timed_out || error == asio::error::eof ||
      error.category() == asio::error::get_system_category()) {
    return std::nullopt;
  }
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return http::status::request_header_fields_too_large;
  }
  if (error == http::error::body_limit) return http::status::payload_too_large;
  return http::status::bad_request;
}

// "games=7,12"; other keys are ignored. Nothing if the list is malformed.
std::optional<GameFilter> parse_filter(std::string_view query) {
  GameFilter filter;
  while (!query.empty()) {
    std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (!pair.starts_with("games=")) continue;
    pair.remove_prefix(6);
    while (!pair.empty()) {
      const std::string_view item = pair.substr(0, pair.find(','));
      const auto number = shogi::number_of<std::uint64_t>(item);
      if (!number || filter.size() >= kMaxFilter) return std::nullopt;
      filter.insert(core::GameId{*number});
      pair.remove_prefix(std::min(pair.size(), item.size() + 1));
    }
  }
  return filter;
}

void count_answer(http::status status, HttpShared& shared) {
  const unsigned kind = static_cast<unsigned>(status) / 100;
  if (kind >= 1 && kind <= shared.answers.size()) ++shared.answers[kind - 1];
}

// ---- the stream of events ----

// A browser that leaves says nothing: only its end of the stream tells. What it sends meanwhile is thrown away.
asio::awaitable<void> watch_for_end(std::shared_ptr<HttpStream> stream, std::shared_ptr<EventReader> reader) {
  std::array<char, 512> waste;
  error_code error;
  while (!error) {
    std::tie(error, std::ignore) = co_await stream->read_some(asio::buffer(waste));
  }
  reader->gone = true;
  reader->wake.cancel();
}

asio::awaitable<error_code> write_all(HttpStream& stream, std::vector<asio::const_buffer> buffers, HttpShared& shared) {
  co_return co_await stream.write(std::move(buffers), shared.options.write_deadline);
}

asio::awaitable<error_code> write_all(HttpStream& stream, const std::vector<Text>& texts, EventText::Format format,
                                      HttpShared& shared) {
  std::vector<asio::const_buffer> buffers;
  buffers.reserve(texts.size());
  for (const Text& text : texts) buffers.emplace_back(asio::buffer(text->in(format)));
  co_return co_await write_all(stream, std::move(buffers), shared);
}

asio::awaitable<error_code> write_all(HttpStream& stream, const std::string& text, HttpShared& shared) {
  co_return co_await write_all(stream, std::vector<asio::const_buffer>{asio::buffer(text)}, shared);
}

asio::awaitable<void> pump(HttpStream& stream, EventReader& reader, EventText::Format format, HttpShared& shared) {
  while (!reader.gone) {
    std::vector<Text> texts;
    if (reader.take_snapshot_demand()) {
      texts.push_back(shared.feed.snapshot(reader.filter(), shared.wall_now()));
    } else if (!reader.idle()) {
      texts = reader.take(kEventsPerWrite);
    } else {
      reader.wake.expires_after(shared.options.comment_every);
      const auto [woken] = co_await reader.wake.async_wait(kAwait);
      if (woken) continue;
      texts.push_back(std::make_shared<const EventText>(tick_event(shared.wall_now())));
    }
    if (co_await write_all(stream, texts, format, shared)) co_return;
  }
}

// Where a reader begins: right after what it has seen, or with a snapshot.
void begin(EventReader& reader, const HttpRequest& request, const Feed& feed) {
  const auto last = shogi::number_of<std::uint64_t>(view_of(request["Last-Event-ID"]));
  const auto missed = last ? feed.since(core::Seq{*last}) : std::nullopt;
  if (!missed) return reader.demand_snapshot();
  for (const FeedEvent& event : *missed) reader.offer(event);
}

// When a browser comes back by itself after its line broke: part of the first event. Readers of a node that died do not
// come all at once.
std::string come_back(EventText::Format format, const HttpShared& shared) {
  if (format.lines) return {};
  return EventText(fmt::format("retry: {}\n", 500 + shared.readers.size() * 7 % 1'000)).in(format);
}

template <class Message>
std::string head_of(const Message& message) {
  std::ostringstream out;
  out << message.base();
  return std::move(out).str();
}

asio::awaitable<void> stream_events(HttpStream stream_in, const HttpRequest& request, GameFilter filter,
                                    EventText::Format format, HttpShared& shared) {
  const auto stream = std::make_shared<HttpStream>(std::move(stream_in));
  http::response<http::empty_body> head{http::status::ok, request.version()};
  set_common_headers(head, stream->secure());
  count_answer(head.result(), shared);
  head.set(http::field::content_type,
           format.lines ? "application/x-ndjson; charset=utf-8" : "text/event-stream; charset=utf-8");
  head.set("X-Accel-Buffering", "no");
  head.set(http::field::vary, "Accept-Encoding");
  if (format.packs) head.set(http::field::content_encoding, "gzip");
  head.keep_alive(false);
  std::string text = head_of(head);
  const bool head_only = request.method() == http::verb::head;
  if (format.packs && !head_only) text += packed_begin();
  if (!head_only) text += come_back(format, shared);
  if (co_await write_all(*stream, text, shared) || head_only) co_return;

  const auto reader = std::make_shared<EventReader>(stream->executor(), std::move(filter), shared.options.reader_bytes);
  const EventReaders::Listed listed(shared.readers, *reader);
  begin(*reader, request, shared.feed);
  asio::co_spawn(stream->executor(), watch_for_end(stream, reader), asio::detached);
  co_await pump(*stream, *reader, format, shared);
  stream->close();  // also ends the watch
}

// Whether the connection may be used again.
asio::awaitable<bool> send(HttpStream& stream, HttpResponse response, bool head_only, HttpShared& shared,
                           bool framed = false) {
  set_common_headers(response, stream.secure(), framed, shared.options.form != nullptr);
  count_answer(response.result(), shared);
  const std::string head = head_of(response);
  std::vector<asio::const_buffer> buffers{asio::buffer(head)};
  if (!head_only) buffers.emplace_back(asio::buffer(response.body()));
  const error_code error = co_await write_all(stream, std::move(buffers), shared);
  co_return !error && response.keep_alive();
}

// An answer of the archive: how much of them may wait for one caller is limited.
asio::awaitable<bool> send_archive(HttpStream& stream, const HttpRequest& request, HttpResponse response,
                                   const std::string& peer, bool head_only, HttpShared& shared) {
  std::shared_ptr<void> room;
  if (response.body().size() > static_cast<std::size_t>(shared.options.socket_bytes)) {
    const std::string address = caller_of(way_of(request, peer, stream.secure(), shared), {}).address;
    const bool spared = shared.options.exempt && shared.options.exempt(address);
    room = shared.unread.admit(core::narrow_network(address), response.body().size(), spared);
    if (!room) {
      response = http_failure(http::status::service_unavailable, request.version(), request.keep_alive());
      response.set(http::field::retry_after, "30");
    }
  }
  co_return co_await send(stream, std::move(response), head_only, shared);
}

// ---- players by WebSocket ----

// A refusal, or the answer that makes a WebSocket of the connection (RFC 6455, section 4.2).
HttpResponse answer_upgrade(const HttpRequest& request, const WebCaller& caller, const HttpShared& shared) {
  const auto no = [&](http::status status) { return http_failure(status, request.version(), request.keep_alive()); };
  const std::string accept = web_socket_accept(only_field(request, "Sec-WebSocket-Key"));
  const bool asks = request.method() == http::verb::get && request.version() >= 11 && !accept.empty() &&
                    http::token_list(request[http::field::connection]).exists("upgrade") &&
                    beast::iequals(request[http::field::upgrade], "websocket");
  if (!asks) return no(http::status::bad_request);
  if (only_field(request, "Sec-WebSocket-Version") != "13") {
    HttpResponse response = no(http::status::upgrade_required);
    response.set(http::field::upgrade, "websocket");
    response.set("Sec-WebSocket-Version", "13");
    return response;
  }
  // A page of another site must not play for who looks at it, nor make its browser a way through a firewall.
  const std::string_view host = view_of(request[http::field::host]);
  if (!is_own_origin(view_of(request["Origin"]), host, caller.secure) || !is_own_host(host, shared.options.hosts)) {
    return no(http::status::forbidden);
  }
  if (shared.players == nullptr) return no(http::status::forbidden);
  if (shared.not_ready() != nullptr) return no(http::status::service_unavailable);
  HttpResponse response{http::status::switching_protocols, request.version()};
  response.set(http::field::upgrade, "websocket");
  response.set(http::field::connection, "Upgrade");
  response.set("Sec-WebSocket-Accept", accept);
  return response;
}

// The connection goes on as a player's.
void seat_player(HttpStream stream, const WebCaller& caller, std::string_view begun, HttpShared& shared) {
  HttpStream::Connection connection = stream.release();
  error_code error;
  const auto port = connection.socket.remote_endpoint(error).port();
  if (error) return;
  const asio::ip::tcp::endpoint peer(asio::ip::make_address(caller.address), port);
  shared.players->adopt(std::move(connection.socket), std::move(connection.tls), to_string(peer), caller.secure, begun);
}

// Looks for lines of a head that go on in the next one (obs-fold): servers do not agree on what they say.
class FoldWatch {
 public:
  bool sees_one(std::string_view head) {
    for (const char c : head) {
      if (line_begins_ && (c == ' ' || c == '\t')) return true;
      line_begins_ = c == '\n';
    }
    return false;
  }

 private:
  bool line_begins_ = false;
};

// Whether the client sends the body only when it is told to go on.
bool expects_a_word(const HttpRequest& request) {
  return request.version() >= 11 && beast::iequals(request[http::field::expect], "100-continue");
}

// Of a request that two servers could read in two ways: then one of them takes a part of it for another request.
std::optional<http::status> fault_of(const HttpRequest& request) {
  const std::size_t codings = request.count(http::field::transfer_encoding), hosts = request.count(http::field::host);
  const bool old = request.version() < 11;
  if (codings > 0 && old) return http::status::bad_request;
  const bool chunked = codings == 1 && beast::iequals(request[http::field::transfer_encoding], "chunked");
  if (codings > 0 && !chunked) return http::status::not_implemented;
  if (hosts > 1 || (hosts == 0 && !old)) return http::status::bad_request;
  if (hosts == 1 && !is_host(view_of(request[http::field::host]))) return http::status::bad_request;
  if (request.count(http::field::expect) > 0 && !expects_a_word(request)) return http::status::expectation_failed;
  return std::nullopt;
}

// What is left in the buffer belongs to the next request. Fields behind the last chunk (trailers) are refused: a proxy
// passes them on behind its own words of who asks, and to the parser they are fields like those of the head.
asio::awaitable<error_code> read_request(HttpStream& stream, beast::flat_buffer& buffer,
                                         http::request_parser<http::string_body>& parser,
                                         std::chrono::milliseconds patience) {
  constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
  bool told = false;
  FoldWatch folds;
  std::ptrdiff_t fields_of_head = 0;
  const auto fields = [&parser] { return std::distance(parser.get().begin(), parser.get().end()); };
  for (;;) {
    error_code error;
    while (buffer.size() > 0 && !parser.is_done()) {
      const bool in_head = !parser.is_header_done();
      const auto bytes = buffer.data();
      const std::size_t taken = parser.put(bytes, error);
      if (in_head && folds.sees_one({static_cast<const char*>(bytes.data()), taken})) co_return http::error::bad_field;
      buffer.consume(taken);
      if (error || taken == 0) break;
      if (in_head && parser.is_header_done()) {
        parser.eager(true);
        fields_of_head = fields();
      }
    }
    if (error && error != http::error::need_more) co_return error;
    if (parser.is_done()) co_return fields() == fields_of_head ? error_code{} : http::error::bad_field;
    if (!told && parser.is_header_done() && expects_a_word(parser.get())) {
      told = true;
      if (const auto failed = co_await stream.write({asio::buffer(kGoOn)}, patience)) co_return failed;
    }
    const std::size_t size = beast::read_size(buffer, kReadAtOnce);
    if (size == 0) co_return http::error::buffer_overflow;
    const auto [failed, count] = co_await stream.read_some(buffer.prepare(size));
    if (failed == asio::error::eof)
      co_return parser.got_some() ? http::error::partial_message : http::error::end_of_stream;
    if (failed) co_return failed;
    buffer.commit(count);
  }
}

}  // namespace

asio::awaitable<void> serve_http(HttpStream stream, const std::string& peer, HttpShared& shared) {
  stream.expires_after(shared.options.handshake_deadline);
  if (co_await stream.handshake()) co_return;
  beast::flat_buffer buffer(shared.options.header_bytes + shared.options.body_bytes);
  for (bool keep = true; keep;) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(shared.options.header_bytes));
    parser.body_limit(shared.options.body_bytes);
    stream.expires_after(shared.options.request_deadline);
    const error_code error = co_await read_request(stream, buffer, parser, shared.options.write_deadline);
    stream.expires_never();
    if (error) {
      if (const auto status = refusal_of(error)) co_await send(stream, http_failure(*status), false, shared);
      break;
    }
    HttpRequest& request = parser.get();
    if (const auto fault = fault_of(request)) {
      co_await send(stream, http_failure(*fault), request.method() == http::verb::head, shared);
      break;
    }
    const bool head_only = request.method() == http::verb::head;
    if (shared.options.form) {
      std::function<void()> taken;
      keep = co_await send(stream, answer_form(request, peer, stream.secure(), shared, taken), head_only, shared);
      if (taken) taken();
      continue;
    }
    const HttpTarget target = target_of(request);
    const HttpRoute* way = find_route(view_of(request.method_string()), target.path);
    if (way == nullptr || (way->signed_in && !shared.web.open())) {
      keep = co_await send(stream, answer_no_way(request, shared), head_only, shared);
    } else if (target.path == kEventsPath || target.path == kLinesPath) {
      auto filter = parse_filter(target.query);
      const EventText::Format format{.lines = target.path == kLinesPath,
                                     .packs = accepts_coding(view_of(request["Accept-Encoding"]), "gzip")};
      if (filter) co_return co_await stream_events(std::move(stream), request, std::move(*filter), format, shared);
      keep = co_await send(stream, http_failure(http::status::bad_request, request.version()), head_only, shared);
    } else if (target.path == kCsaPath) {
      const WebCaller caller = caller_of(way_of(request, peer, stream.secure(), shared), only_field(request, "Host"));
      HttpResponse response = answer_upgrade(request, caller, shared);
      const bool upgrades = response.result() == http::status::switching_protocols;
      keep = co_await send(stream, std::move(response), head_only, shared);
      if (!upgrades || !keep) continue;
      const auto begun = buffer.data();
      co_return seat_player(std::move(stream), caller, {static_cast<const char*>(begun.data()), begun.size()}, shared);
    } else {
      HttpResponse response = co_await answer_request(request, *way, peer, stream.secure(), shared);
      if (ArchiveApi::takes(target.path)) {
        keep = co_await send_archive(stream, request, std::move(response), peer, head_only, shared);
      } else {
        // What a page in a frame can do, it can do anywhere: it shows a game, and takes no login.
        const bool framed = way->page && page_at(target.path).framed;
        keep = co_await send(stream, std::move(response), head_only, shared, framed);
      }
    }
  }
  stream.shut_down_sending();
}

}  // namespace fuhyo::net
