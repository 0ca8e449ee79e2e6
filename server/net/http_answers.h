// What a request over HTTP is answered with; streams of events and WebSockets are http_session.cpp's. On the web
// thread; private to this room.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http.hpp>

#include "server/net/http_routes.h"
#include "server/net/http_session.h"
#include "server/net/web_guard.h"

namespace fuhyo::net {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;
using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

inline std::string_view view_of(boost::beast::string_view text) { return {text.data(), text.size()}; }
// The value of a header that is there once; empty if it is not, or more often: nobody of ours sends it twice.
std::string_view only_field(const HttpRequest& request, std::string_view name);
// Whether a list like "gzip, br;q=0.5" holds the coding, and does not refuse it.
bool accepts_coding(std::string_view list, std::string_view coding);

struct HttpTarget {
  std::string_view path, query;
};
HttpTarget target_of(const HttpRequest& request);

// `peer`: the address at the other end of the connection; `tls`: it came under TLS.
WebWay way_of(const HttpRequest& request, const std::string& peer, bool tls, const HttpShared& shared);

// A status and its words.
HttpResponse http_failure(boost::beast::http::status status, unsigned version = 11, bool keep = false);
// No such route, or not with this method. Browsers get a page with links.
HttpResponse answer_no_way(const HttpRequest& request, const HttpShared& shared);
// Of a server that is a form. `taken`: what to call when the answer is sent, or cannot be; may be left empty.
HttpResponse answer_form(const HttpRequest& request, const std::string& peer, bool tls, HttpShared& shared,
                         std::function<void()>& taken);
// By the route that the request has. The body of one with a login is wiped.
boost::asio::awaitable<HttpResponse> answer_request(HttpRequest& request, const HttpRoute& route,
                                                    const std::string& peer, bool tls, HttpShared& shared);

}  // namespace fuhyo::net
