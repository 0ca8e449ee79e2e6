#include "server/net/http_session.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <openssl/crypto.h>
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

#include "server/core/logins/penalties.h"
#include "server/net/assets.h"
#include "server/net/await.h"
#include "server/net/endpoint.h"
#include "server/net/feed_json.h"
#include "server/net/http_routes.h"
#include "server/net/packed_stream.h"
#include "server/net/rooms_json.h"
#include "server/net/web_guard.h"
#include "server/net/web_socket.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t kEventsPerWrite = 64;
constexpr std::size_t kReadAtOnce = 16 * 1024;
constexpr std::size_t kMaxFilter = 256;  // games of one ?games= list
constexpr std::string_view kEventsPath = "/api/v1/events", kLinesPath = "/api/v1/events.ndjson",
                           kHealthPath = "/healthz", kReadyPath = "/readyz", kMetricsPath = "/metrics",
                           kRoomsPath = "/api/v1/rooms";

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// `secure`: a browser that came over TLS is told to come so from now on. `framed`: other sites may show it as a part
// of their pages.
template <class Message>
void set_common_headers(Message& message, bool secure, bool framed = false) {
  if (secure) message.set(http::field::strict_transport_security, "max-age=31536000");
  message.set(http::field::server, "fuhyo");
  if (message.count(http::field::cache_control) == 0) message.set(http::field::cache_control, "no-store");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  constexpr std::string_view kPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
      "manifest-src 'self'; frame-src 'self'; "
      "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ";
  message.set("Content-Security-Policy", fmt::format("{}{}", kPolicy, framed ? "*" : "'none'"));
}

Response answer(http::status status, std::string_view content_type, std::string_view body, unsigned version,
                bool keep) {
  Response response{status, version};
  response.set(http::field::content_type, beast::string_view(content_type.data(), content_type.size()));
  response.keep_alive(keep);
  response.body() = body;
  response.prepare_payload();
  return response;
}

Response failure(http::status status, unsigned version = 11, bool keep = false) {
  return answer(status, "text/plain; charset=utf-8", fmt::format("{}\n", view(http::obsolete_reason(status))), version,
                keep);
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

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Target {
  std::string_view path, query;
};
Target split(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
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
      const auto number = parse_number(item);
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

// Whether a list like "gzip, br;q=0.5" holds the coding, and does not refuse it.
bool accepts(std::string_view list, std::string_view coding) {
  while (!list.empty()) {
    std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    const std::string_view parameters = item.substr(std::min(item.size(), item.find(';')));
    item.remove_suffix(parameters.size());
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item != coding) continue;
    const std::size_t quality = parameters.find("q=");
    return quality == std::string_view::npos ||
           parameters.find_first_of("123456789", quality) != std::string_view::npos;
  }
  return false;
}

// ---- the stream of events ----

// Keeps the reader on the list while its stream is open.
class Listed {
 public:
  Listed(std::set<EventReader*>& readers, EventReader& reader) : readers_(readers), reader_(reader) {
    readers_.insert(&reader_);
  }
  ~Listed() { readers_.erase(&reader_); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  std::set<EventReader*>& readers_;
  EventReader& reader_;
};

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
void begin(EventReader& reader, const Request& request, const Feed& feed) {
  const auto last = parse_number(view(request["Last-Event-ID"]));
  const auto missed = last ? feed.since(core::Seq{*last}) : std::nullopt;
  if (!missed) return reader.demand_snapshot();
  for (const FeedEvent& event : *missed) reader.offer(event);
}

template <class Message>
std::string head_of(const Message& message) {
  std::ostringstream out;
  out << message.base();
  return std::move(out).str();
}

asio::awaitable<void> stream_events(HttpStream stream_in, const Request& request, GameFilter filter,
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
  if (format.packs && request.method() != http::verb::head) text += packed_begin();
  if (co_await write_all(*stream, text, shared) || request.method() == http::verb::head) co_return;

  const auto reader = std::make_shared<EventReader>(stream->executor(), std::move(filter), shared.options.reader_bytes);
  const Listed listed(shared.readers, *reader);
  begin(*reader, request, shared.feed);
  asio::co_spawn(stream->executor(), watch_for_end(stream, reader), asio::detached);
  co_await pump(*stream, *reader, format, shared);
  stream->close();  // also ends the watch
}

// ---- the pages ----

Response file(const Asset& asset, const Request& request) {
  const std::string_view wanted = view(request["Accept-Encoding"]);
  std::string_view bytes = asset.plain, coding;
  if (!asset.gzip.empty() && accepts(wanted, "gzip")) bytes = asset.gzip, coding = "gzip";
  if (!asset.brotli.empty() && accepts(wanted, "br")) bytes = asset.brotli, coding = "br";
  const bool known = view(request["If-None-Match"]).find(asset.etag) != std::string_view::npos;
  Response response = answer(known ? http::status::not_modified : http::status::ok, asset.content_type,
                             known ? std::string_view() : bytes, request.version(), request.keep_alive());
  response.set(http::field::etag, asset.etag);
  response.set(http::field::vary, "Accept-Encoding");
  response.set(http::field::cache_control, asset.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (!coding.empty() && !known) response.set(http::field::content_encoding, coding);
  return response;
}

// ---- requests ----

Response route(const Request& request, HttpShared& shared) {
  const std::string_view path = split(view(request.target())).path;
  const unsigned version = request.version();
  const bool keep = request.keep_alive();
  if (path == kHealthPath || path == kReadyPath) {
    const char* const fault = !shared.healthy()    ? "the store is away\n"
                              : path == kReadyPath ? shared.not_ready()
                                                   : nullptr;
    const char* const trouble = shared.trouble();
    return answer(fault == nullptr ? http::status::ok : http::status::service_unavailable, "text/plain; charset=utf-8",
                  fault != nullptr     ? fault
                  : trouble != nullptr ? trouble
                                       : "ok\n",
                  version, keep);
  }
  if (path == kRoomsPath) {
    return answer(http::status::ok, "application/json",
                  rooms_json(shared.feed.rooms(), shared.feed.games(), shared.lobby.get(), shared.options.endpoints,
                             shared.wall_now()),
                  version, keep);
  }
  if (const Asset* asset = shared.options.assets.find(path)) return file(*asset, request);
  return failure(http::status::not_found, version, keep);
}

// A browser that has the answer already asks whether it still holds.
Response answer_events(const Request& request, const Target& target, HttpShared& shared) {
  EventReply reply =
      shared.events.reply_to(target.path, target.query, shared.feed, shared.lobby.get(), shared.wall_now());
  const bool known = !reply.etag.empty() && view(request["If-None-Match"]).find(reply.etag) != std::string_view::npos;
  Response response = answer(known ? http::status::not_modified : http::int_to_status(reply.status), reply.content_type,
                             known ? std::string_view() : reply.body, request.version(), request.keep_alive());
  if (reply.etag.empty()) return response;
  response.set(http::field::etag, reply.etag);
  response.set(http::field::cache_control, "no-cache");
  if (!reply.file_name.empty()) {
    response.set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", reply.file_name));
  }
  return response;
}

// The page says itself that there is nothing.
Response not_found_page(const Request& request, const HttpShared& shared) {
  const Asset* index = shared.options.assets.find("/");
  Response response =
      answer(http::status::not_found, index->content_type, index->plain, request.version(), request.keep_alive());
  response.set(http::field::cache_control, "no-cache");
  return response;
}

// No such route, or not with this method. Browsers get a page with links.
Response no_way(const Request& request, const HttpShared& shared) {
  const std::string_view path = split(view(request.target())).path;
  const std::string methods = allowed_methods(path, shared.web.open());
  if (methods.empty()) {
    const bool reads = view(request["Accept"]).contains("text/html") && !path.starts_with("/api/");
    if (reads) return not_found_page(request, shared);
    return failure(http::status::not_found, request.version(), request.keep_alive());
  }
  Response response = failure(http::status::method_not_allowed, request.version(), request.keep_alive());
  response.set(http::field::allow, methods);
  return response;
}

// ---- who asks ----

// The value of a header that is there once; empty if it is not, or more often: nobody of ours sends it twice.
std::string_view only(const Request& request, beast::string_view name) {
  return request.count(name) == 1 ? view(request[name]) : std::string_view{};
}

WebWay way_of(const Request& request, const std::string& peer, bool tls, const HttpShared& shared) {
  const auto for_lines = request.equal_range("X-Forwarded-For");
  return {.peer = peer,
          .tls = tls,
          .from_proxy = shared.options.web.proxy && shared.options.web.proxy(peer),
          .forwarded = request.count("X-Forwarded-For") + request.count("X-Forwarded-Proto") +
                           request.count("Forwarded") + request.count("Via") >
                       0,
          .forwarded_for =
              for_lines.first == for_lines.second ? std::string_view{} : view(std::prev(for_lines.second)->value()),
          .forwarded_proto = only(request, "X-Forwarded-Proto")};
}

// Metrics are for operators. A request from an unknown proxy has no known address.
Response answer_metrics(const Request& request, const std::string& peer, bool tls, HttpShared& shared) {
  const auto refused = [&](std::string_view why) {
    return answer(http::status::forbidden, "text/plain; charset=utf-8", why, request.version(), request.keep_alive());
  };
  const WebCaller caller = caller_of(way_of(request, peer, tls, shared), {});
  if (shared.options.metrics_from) {
    if (!caller.known || !shared.options.metrics_from(caller.address)) {
      return refused("figures are not given to this address (metrics-networks)\n");
    }
    // No browser leaves the host out.
    const std::string_view host = view(request[http::field::host]);
    if (!host.empty() && !is_own_host(host, shared.options.hosts)) {
      return refused("figures are not given under this name (web-host)\n");
    }
  }
  std::string text = web_metrics(shared.healthy(), shared.figures());
  if (shared.options.metrics) text += shared.options.metrics();
  return answer(http::status::ok, kMetricsType, text, request.version(), request.keep_alive());
}

// ---- the archive ----

// Where the caller finds this server.
std::string site_of(const Request& request, bool tls, bool from_proxy, const std::vector<std::string>& hosts) {
  const bool secure = tls || (from_proxy && view(request["X-Forwarded-Proto"]) == "https");
  std::string_view host = view(request[http::field::host]);
  if (!hosts.empty() && !is_listed(host, hosts)) host = hosts.front();
  return fmt::format("{}://{}", secure ? "https" : "http", host);
}

asio::awaitable<Response> answer_archive(const Request& request, const Target& target, const WebWay& way,
                                         HttpShared& shared) {
  const ArchiveReply reply = co_await shared.archive.reply_to(
      target.path, target.query, site_of(request, way.tls, way.from_proxy, shared.options.hosts),
      core::narrow_network(caller_of(way, {}).address), shared.feed, shared.wall_now());
  Response response = answer(http::int_to_status(reply.status), reply.content_type, reply.body, request.version(),
                             request.keep_alive());
  if (!reply.file_name.empty()) {
    response.set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", reply.file_name));
  }
  // Too much is asked, or the answer is still made.
  if (reply.status == 503 || reply.status == 429 || reply.status == 202) response.set(http::field::retry_after, "1");
  co_return response;
}

// ---- what pages are about ----

bool is_told_of(const core::Rooms& rooms, std::string_view name) {
  const core::Room* room = rooms.find(name);
  return name == core::kMainRoom || (room != nullptr && !room->rules.hidden());
}

PageAbout about_event_at(const PagePath& page, PageLanguage language, HttpShared& shared) {
  const core::EventView::Shown* shown = shared.feed.events().find(page.name);
  if (shown == nullptr || !is_shown(*shown)) return {.found = false};
  const std::string path = fmt::format("/api/v1/tournaments/{}/tables.html", page.name);
  const std::string_view query = language == PageLanguage::ja ? "lang=ja" : "lang=en";
  const EventReply tables = shared.events.reply_to(path, query, shared.feed, nullptr, shared.wall_now());
  return about_event(shown->event, tables.status == 200 ? tables.body : std::string_view{}, language);
}

// Nothing: that cannot be said at present.
asio::awaitable<std::optional<PageAbout>> about(const PagePath& page, PageLanguage language, const WebWay& way,
                                                HttpShared& shared) {
  using enum PagePath::Kind;
  if (page.kind == list) co_return PageAbout{};
  if (page.kind == none) co_return PageAbout{.found = false};
  if (page.kind == room) co_return PageAbout{.found = is_told_of(shared.feed.rooms(), page.name)};
  if (page.kind == event) co_return about_event_at(page, language, shared);
  co_return co_await shared.archive.about(page, language, core::narrow_network(caller_of(way, {}).address), shared.feed,
                                          shared.wall_now());
}

asio::awaitable<Response> answer_page(const Request& request, const PagePath& page, const WebWay& way,
                                      HttpShared& shared) {
  const PageLanguage language = language_of(view(request["Accept-Language"]));
  const auto told = co_await about(page, language, way, shared);
  if (told && !told->found) co_return not_found_page(request, shared);
  const Asset& index = *shared.options.assets.find("/");
  if (!told || told->title.empty()) co_return file(index, request);
  const std::string site = site_of(request, way.tls, way.from_proxy, shared.options.hosts);
  Response response = answer(http::status::ok, index.content_type,
                             page_html(index.plain, *told, site, split(view(request.target())).path), request.version(),
                             request.keep_alive());
  response.set(http::field::cache_control, "no-cache");
  response.set(http::field::vary, "Accept-Language");
  co_return response;
}

// ---- the web login ----

Response web_response(const WebReply& reply, const Request& request) {
  Response response = answer(http::int_to_status(reply.status), "application/json", reply.json, request.version(),
                             request.keep_alive());
  if (reply.json.empty()) response.erase(http::field::content_type);
  if (!reply.set_cookie.empty()) response.set(http::field::set_cookie, reply.set_cookie);
  if (reply.retry_after_s > 0) response.set(http::field::retry_after, fmt::to_string(reply.retry_after_s));
  return response;
}

asio::awaitable<Response> answer_web(Request& request, const HttpRoute& route, const std::string& peer, bool tls,
                                     HttpShared& shared) {
  const std::string_view host = only(request, "Host");
  const WebRequest asked{.route = route,
                         .head = {.method = view(request.method_string()),
                                  .content_type = only(request, "Content-Type"),
                                  .origin = view(request["Origin"]),
                                  .host = host,
                                  .fetch_site = view(request["Sec-Fetch-Site"])},
                         .cookie = only(request, "Cookie"),
                         .csrf = only(request, "X-Fuhyo-CSRF"),
                         .caller = caller_of(way_of(request, peer, tls, shared), host),
                         .body = request.body()};
  const WebReply reply = co_await shared.web.reply_to(asked);
  OPENSSL_cleanse(request.body().data(), request.body().size());  // a password may have been in it
  co_return web_response(reply, request);
}

// Whether the connection may be used again.
asio::awaitable<bool> send(HttpStream& stream, Response response, bool head_only, HttpShared& shared,
                           bool framed = false) {
  set_common_headers(response, stream.secure(), framed);
  count_answer(response.result(), shared);
  const std::string head = head_of(response);
  std::vector<asio::const_buffer> buffers{asio::buffer(head)};
  if (!head_only) buffers.emplace_back(asio::buffer(response.body()));
  const error_code error = co_await write_all(stream, std::move(buffers), shared);
  co_return !error && response.keep_alive();
}

asio::awaitable<bool> send_archive(HttpStream& stream, const Request& request, const Target& target,
                                   const std::string& peer, bool head_only, HttpShared& shared) {
  const WebWay way = way_of(request, peer, stream.secure(), shared);
  Response response = co_await answer_archive(request, target, way, shared);
  std::shared_ptr<void> room;
  if (response.body().size() > static_cast<std::size_t>(shared.options.socket_bytes)) {
    const std::string address = caller_of(way, {}).address;
    const bool spared = shared.options.exempt && shared.options.exempt(address);
    room = shared.unread.admit(core::narrow_network(address), response.body().size(), spared);
    if (!room) {
      response = failure(http::status::service_unavailable, request.version(), request.keep_alive());
      response.set(http::field::retry_after, "30");
    }
  }
  co_return co_await send(stream, std::move(response), head_only, shared);
}

// ---- players by WebSocket ----

// A refusal, or the answer that makes a WebSocket of the connection (RFC 6455, section 4.2).
Response answer_upgrade(const Request& request, const WebCaller& caller, const HttpShared& shared) {
  const auto no = [&](http::status status) { return failure(status, request.version(), request.keep_alive()); };
  const std::string accept = web_socket_accept(only(request, "Sec-WebSocket-Key"));
  const bool asks = request.method() == http::verb::get && request.version() >= 11 && !accept.empty() &&
                    http::token_list(request[http::field::connection]).exists("upgrade") &&
                    beast::iequals(request[http::field::upgrade], "websocket");
  if (!asks) return no(http::status::bad_request);
  if (only(request, "Sec-WebSocket-Version") != "13") {
    Response response = no(http::status::upgrade_required);
    response.set(http::field::upgrade, "websocket");
    response.set("Sec-WebSocket-Version", "13");
    return response;
  }
  // A page of another site must not play for who looks at it, nor make its browser a way through a firewall.
  const std::string_view host = view(request[http::field::host]);
  if (!is_own_origin(view(request["Origin"]), host, caller.secure) || !is_own_host(host, shared.options.hosts)) {
    return no(http::status::forbidden);
  }
  if (shared.players == nullptr) return no(http::status::forbidden);
  if (shared.not_ready() != nullptr) return no(http::status::service_unavailable);
  Response response{http::status::switching_protocols, request.version()};
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
bool expects_a_word(const Request& request) {
  return request.version() >= 11 && beast::iequals(request[http::field::expect], "100-continue");
}

// Of a request that two servers could read in two ways: then one of them takes a part of it for another request.
std::optional<http::status> fault_of(const Request& request) {
  const std::size_t codings = request.count(http::field::transfer_encoding), hosts = request.count(http::field::host);
  const bool old = request.version() < 11;
  if (codings > 0 && old) return http::status::bad_request;
  const bool chunked = codings == 1 && beast::iequals(request[http::field::transfer_encoding], "chunked");
  if (codings > 0 && !chunked) return http::status::not_implemented;
  if (hosts > 1 || (hosts == 0 && !old)) return http::status::bad_request;
  if (hosts == 1 && !is_host(view(request[http::field::host]))) return http::status::bad_request;
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
      if (const auto status = refusal_of(error)) co_await send(stream, failure(*status), false, shared);
      break;
    }
    Request& request = parser.get();
    if (const auto fault = fault_of(request)) {
      co_await send(stream, failure(*fault), request.method() == http::verb::head, shared);
      break;
    }
    const bool head_only = request.method() == http::verb::head;
    const Target target = split(view(request.target()));
    const HttpRoute* way = find_route(view(request.method_string()), target.path);
    if (way == nullptr || (way->signed_in && !shared.web.open())) {
      keep = co_await send(stream, no_way(request, shared), head_only, shared);
    } else if (way->signed_in) {
      keep =
          co_await send(stream, co_await answer_web(request, *way, peer, stream.secure(), shared), head_only, shared);
    } else if (target.path == kEventsPath || target.path == kLinesPath) {
      auto filter = parse_filter(target.query);
      const EventText::Format format{.lines = target.path == kLinesPath,
                                     .packs = accepts(view(request["Accept-Encoding"]), "gzip")};
      if (filter) co_return co_await stream_events(std::move(stream), request, std::move(*filter), format, shared);
      keep = co_await send(stream, failure(http::status::bad_request, request.version()), head_only, shared);
    } else if (target.path == kCsaPath) {
      const WebCaller caller = caller_of(way_of(request, peer, stream.secure(), shared), only(request, "Host"));
      Response response = answer_upgrade(request, caller, shared);
      const bool upgrades = response.result() == http::status::switching_protocols;
      keep = co_await send(stream, std::move(response), head_only, shared);
      if (!upgrades || !keep) continue;
      const auto begun = buffer.data();
      co_return seat_player(std::move(stream), caller, {static_cast<const char*>(begun.data()), begun.size()}, shared);
    } else if (target.path == kMetricsPath) {
      keep = co_await send(stream, answer_metrics(request, peer, stream.secure(), shared), head_only, shared);
    } else if (ArchiveApi::takes(target.path)) {
      keep = co_await send_archive(stream, request, target, peer, head_only, shared);
    } else if (TournamentApi::takes(target.path)) {
      keep = co_await send(stream, answer_events(request, target, shared), head_only, shared);
    } else if (way->page) {
      // What a page in a frame can do, it can do anywhere: it shows a game, and takes no login.
      const PagePath page = page_at(target.path);
      Response response = co_await answer_page(request, page, way_of(request, peer, stream.secure(), shared), shared);
      keep = co_await send(stream, std::move(response), head_only, shared, page.framed);
    } else {
      keep = co_await send(stream, route(request, shared), head_only, shared);
    }
  }
  stream.shut_down_sending();
}

}  // namespace fuhyo::net
