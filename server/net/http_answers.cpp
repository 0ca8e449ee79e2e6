#include "server/net/http_answers.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <openssl/crypto.h>
#include <optional>
#include <utility>
#include <vector>

#include "server/core/logins/penalties.h"
#include "server/net/assets.h"
#include "server/net/cache_times.h"
#include "server/net/rooms_json.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::string_view kHealthPath = "/healthz", kReadyPath = "/readyz", kMetricsPath = "/metrics",
                           kRoomsPath = "/api/v1/rooms";

HttpResponse answer(http::status status, std::string_view content_type, std::string_view body, unsigned version,
                    bool keep) {
  HttpResponse response{status, version};
  response.set(http::field::content_type, beast::string_view(content_type.data(), content_type.size()));
  response.keep_alive(keep);
  response.body() = body;
  response.prepare_payload();
  return response;
}

// ---- the pages ----

HttpResponse answer_asset(const Asset& asset, const HttpRequest& request) {
  const std::string_view wanted = view_of(request["Accept-Encoding"]);
  std::string_view bytes = asset.plain, coding;
  if (!asset.gzip.empty() && accepts_coding(wanted, "gzip")) bytes = asset.gzip, coding = "gzip";
  if (!asset.brotli.empty() && accepts_coding(wanted, "br")) bytes = asset.brotli, coding = "br";
  const bool known = view_of(request["If-None-Match"]).find(asset.etag) != std::string_view::npos;
  HttpResponse response = answer(known ? http::status::not_modified : http::status::ok, asset.content_type,
                                 known ? std::string_view() : bytes, request.version(), request.keep_alive());
  response.set(http::field::etag, asset.etag);
  response.set(http::field::vary, "Accept-Encoding");
  response.set(http::field::cache_control, asset.immutable ? kCachedForEver : kCachedForAMoment);
  if (!coding.empty() && !known) response.set(http::field::content_encoding, coding);
  return response;
}

// ---- requests ----

HttpResponse answer_plain(const HttpRequest& request, HttpShared& shared) {
  const std::string_view path = target_of(request).path;
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
    HttpResponse response = answer(http::status::ok, "application/json",
                                   rooms_json(shared.feed.rooms(), shared.feed.games(), shared.lobby.get(),
                                              shared.options.endpoints, shared.wall_now()),
                                   version, keep);
    response.set(http::field::cache_control, kCachedForAMoment);
    return response;
  }
  if (const Asset* asset = shared.options.assets.find(path)) return answer_asset(*asset, request);
  return http_failure(http::status::not_found, version, keep);
}

// A browser that has the answer already asks whether it still holds.
HttpResponse answer_events(const HttpRequest& request, const HttpTarget& target, HttpShared& shared) {
  EventReply reply =
      shared.events.reply_to(target.path, target.query, shared.feed, shared.lobby.get(), shared.wall_now());
  const bool known =
      !reply.etag.empty() && view_of(request["If-None-Match"]).find(reply.etag) != std::string_view::npos;
  HttpResponse response =
      answer(known ? http::status::not_modified : http::int_to_status(reply.status), reply.content_type,
             known ? std::string_view() : reply.body, request.version(), request.keep_alive());
  if (reply.etag.empty()) return response;
  response.set(http::field::etag, reply.etag);
  response.set(http::field::cache_control, kCachedForAMoment);
  if (!reply.file_name.empty()) {
    response.set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", reply.file_name));
  }
  return response;
}

// The page says itself that there is nothing.
HttpResponse not_found_page(const HttpRequest& request, const HttpShared& shared) {
  const Asset* index = shared.options.assets.find("/");
  return answer(http::status::not_found, index->content_type, index->plain, request.version(), request.keep_alive());
}

// ---- who asks ----

// Metrics are for operators. A request from an unknown proxy has no known address.
HttpResponse answer_metrics(const HttpRequest& request, const std::string& peer, bool tls, HttpShared& shared) {
  const auto refused = [&](std::string_view why) {
    return answer(http::status::forbidden, "text/plain; charset=utf-8", why, request.version(), request.keep_alive());
  };
  const WebCaller caller = caller_of(way_of(request, peer, tls, shared), {});
  if (shared.options.metrics_from) {
    if (!caller.known || !shared.options.metrics_from(caller.address)) {
      return refused("figures are not given to this address (metrics-networks)\n");
    }
    // No browser leaves the host out.
    const std::string_view host = view_of(request[http::field::host]);
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
std::string site_of(const HttpRequest& request, bool tls, bool from_proxy, const std::vector<std::string>& hosts) {
  const bool secure = tls || (from_proxy && view_of(request["X-Forwarded-Proto"]) == "https");
  std::string_view host = view_of(request[http::field::host]);
  if (!hosts.empty() && !is_listed(host, hosts)) host = hosts.front();
  return fmt::format("{}://{}", secure ? "https" : "http", host);
}

asio::awaitable<HttpResponse> answer_archive(const HttpRequest& request, const HttpTarget& target, const WebWay& way,
                                             HttpShared& shared) {
  const ArchiveReply reply = co_await shared.archive.reply_to(
      target.path, target.query, site_of(request, way.tls, way.from_proxy, shared.options.hosts),
      core::narrow_network(caller_of(way, {}).address), shared.feed, shared.wall_now());
  HttpResponse response = answer(http::int_to_status(reply.status), reply.content_type, reply.body, request.version(),
                                 request.keep_alive());
  if (!reply.file_name.empty()) {
    response.set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", reply.file_name));
  }
  if (!reply.cached.empty()) response.set(http::field::cache_control, reply.cached);
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

asio::awaitable<HttpResponse> answer_page(const HttpRequest& request, const PagePath& page, const WebWay& way,
                                          HttpShared& shared) {
  const std::string_view path = target_of(request).path;
  const Asset& index = *shared.options.assets.find("/");
  const Asset* own = shared.options.assets.find(path);
  if (own != nullptr && own != &index) co_return answer_asset(*own, request);
  const PageLanguage language = language_of(view_of(request["Accept-Language"]));
  const auto told = co_await about(page, language, way, shared);
  if (told && !told->found) co_return not_found_page(request, shared);
  if (!told || told->title.empty()) co_return answer_asset(index, request);
  const std::string site = site_of(request, way.tls, way.from_proxy, shared.options.hosts);
  HttpResponse response = answer(http::status::ok, index.content_type, page_html(index.plain, *told, site, path),
                                 request.version(), request.keep_alive());
  response.set(http::field::cache_control, kCachedForAMoment);
  response.set(http::field::vary, "Accept-Language");
  co_return response;
}

// ---- the web login ----

HttpResponse web_response(const WebReply& reply, const HttpRequest& request) {
  HttpResponse response = answer(http::int_to_status(reply.status), "application/json", reply.json, request.version(),
                                 request.keep_alive());
  if (reply.json.empty()) response.erase(http::field::content_type);
  if (!reply.set_cookie.empty()) response.set(http::field::set_cookie, reply.set_cookie);
  if (reply.retry_after_s > 0) response.set(http::field::retry_after, fmt::to_string(reply.retry_after_s));
  return response;
}

asio::awaitable<HttpResponse> answer_web(HttpRequest& request, const HttpRoute& route, const std::string& peer,
                                         bool tls, HttpShared& shared) {
  const std::string_view host = only_field(request, "Host");
  const WebRequest asked{.route = route,
                         .head = {.method = view_of(request.method_string()),
                                  .content_type = only_field(request, "Content-Type"),
                                  .origin = view_of(request["Origin"]),
                                  .host = host,
                                  .fetch_site = view_of(request["Sec-Fetch-Site"])},
                         .cookie = only_field(request, "Cookie"),
                         .csrf = only_field(request, "X-Fuhyo-CSRF"),
                         .caller = caller_of(way_of(request, peer, tls, shared), host),
                         .body = request.body()};
  const WebReply reply = co_await shared.web.reply_to(asked);
  OPENSSL_cleanse(request.body().data(), request.body().size());  // a password may have been in it
  co_return web_response(reply, request);
}

}  // namespace

std::string_view only_field(const HttpRequest& request, std::string_view name) {
  return request.count(name) == 1 ? view_of(request[name]) : std::string_view{};
}

bool accepts_coding(std::string_view list, std::string_view coding) {
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

HttpTarget target_of(const HttpRequest& request) {
  const std::string_view target = view_of(request.target());
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

WebWay way_of(const HttpRequest& request, const std::string& peer, bool tls, const HttpShared& shared) {
  const auto for_lines = request.equal_range("X-Forwarded-For");
  return {.peer = peer,
          .tls = tls,
          .from_proxy = shared.options.web.proxy && shared.options.web.proxy(peer),
          .forwarded = request.count("X-Forwarded-For") + request.count("X-Forwarded-Proto") +
                           request.count("Forwarded") + request.count("Via") >
                       0,
          .forwarded_for =
              for_lines.first == for_lines.second ? std::string_view{} : view_of(std::prev(for_lines.second)->value()),
          .forwarded_proto = only_field(request, "X-Forwarded-Proto")};
}

HttpResponse http_failure(http::status status, unsigned version, bool keep) {
  return answer(status, "text/plain; charset=utf-8", fmt::format("{}\n", view_of(http::obsolete_reason(status))),
                version, keep);
}

HttpResponse answer_no_way(const HttpRequest& request, const HttpShared& shared) {
  const std::string_view path = target_of(request).path;
  const std::string methods = allowed_methods(path, shared.web.open());
  if (methods.empty()) {
    const bool reads = view_of(request["Accept"]).contains("text/html") && !path.starts_with("/api/");
    if (reads) return not_found_page(request, shared);
    return http_failure(http::status::not_found, request.version(), request.keep_alive());
  }
  HttpResponse response = http_failure(http::status::method_not_allowed, request.version(), request.keep_alive());
  response.set(http::field::allow, methods);
  return response;
}

HttpResponse answer_form(const HttpRequest& request, const std::string& peer, bool tls, HttpShared& shared,
                         std::function<void()>& taken) {
  const auto no = [&](http::status status) { return http_failure(status, request.version(), request.keep_alive()); };
  const std::string_view host = only_field(request, "Host"), path = target_of(request).path;
  const bool posted = request.method() == http::verb::post;
  if (!caller_of(way_of(request, peer, tls, shared), host).local ||
      !is_own_origin(view_of(request["Origin"]), host, tls)) {
    return no(http::status::forbidden);
  }
  if (!posted && request.method() != http::verb::get && request.method() != http::verb::head) {
    return no(http::status::method_not_allowed);
  }
  const Asset* asset = posted ? nullptr : shared.options.assets.find(path);
  if (asset != nullptr && (asset->immutable || path == "/icon.svg")) return answer_asset(*asset, request);
  const std::string_view sent = posted ? std::string_view(request.body()) : std::string_view();
  std::optional<FormReply> reply = shared.options.form({.path = path, .sent = sent, .posted = posted});
  if (!reply) return no(http::status::not_found);
  taken = std::move(reply->taken);
  return answer(http::status::ok, "text/html; charset=utf-8", reply->html, request.version(), request.keep_alive());
}

asio::awaitable<HttpResponse> answer_request(HttpRequest& request, const HttpRoute& route, const std::string& peer,
                                             bool tls, HttpShared& shared) {
  if (route.signed_in) co_return co_await answer_web(request, route, peer, tls, shared);
  const HttpTarget target = target_of(request);
  if (target.path == kMetricsPath) co_return answer_metrics(request, peer, tls, shared);
  const WebWay way = way_of(request, peer, tls, shared);
  if (ArchiveApi::takes(target.path)) co_return co_await answer_archive(request, target, way, shared);
  if (TournamentApi::takes(target.path)) co_return answer_events(request, target, shared);
  if (route.page) co_return co_await answer_page(request, page_at(target.path), way, shared);
  co_return answer_plain(request, shared);
}

}  // namespace fuhyo::net
