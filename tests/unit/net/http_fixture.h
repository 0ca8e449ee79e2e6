// A web server on loopback, and one request after another to it.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/json.hpp>

#include "server/net/endpoint.h"
#include "server/net/http_server.h"
#include "tests/support/patience.h"

namespace fuhyo::net {

namespace beast = boost::beast;
namespace http = beast::http;
namespace json = boost::json;
using Response = http::response<http::string_body>;
using Headers = std::map<std::string, std::string>;

// Whose X-Forwarded-For is believed, or who is exempt.
inline bool everybody(std::string_view) { return true; }

class HttpFixture : public testing::Test {
 protected:
  void TearDown() override { server.reset(); }  // before what its callbacks use

  void start(HttpOptions options, const core::Recovery& recovered = {}) {
    make(std::move(options), recovered);
    address = server->listen("127.0.0.1:0").value().front();
    server->start();
  }
  // What a test does not mean to happen after some time does not.
  void make(HttpOptions options, const core::Recovery& recovered = {}) {
    for (auto* time : {&options.handshake_deadline, &options.request_deadline, &options.write_deadline,
                       &options.comment_every, &options.web.patience}) {
      if (*time >= std::chrono::seconds(1)) *time = test::kPatience;
    }
    server = std::make_unique<HttpServer>(std::move(options), recovered);
  }

  // On a connection of its own. What was published before has come to the server's thread before it. Of an answer
  // without an end the head alone. A header without a value is not sent.
  Response request(std::string_view method, std::string_view target, const Headers& headers = {},
                   const std::string& body = {}) {
    http::request<http::string_body> message;
    message.version(11);
    message.method_string(beast::string_view(method.data(), method.size()));
    message.target(beast::string_view(target.data(), target.size()));
    message.set(http::field::host, "shogi.example:8080");
    for (const auto& [name, value] : headers) {
      value.empty() ? static_cast<void>(message.erase(name)) : message.set(name, value);
    }
    message.body() = body;
    message.prepare_payload();
    boost::asio::io_context io;
    beast::tcp_stream stream(io);
    stream.connect(resolve(address)->front());
    http::write(stream, message);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.skip(method == "HEAD");
    beast::error_code error;
    http::read_header(stream, buffer, parser, error);
    const auto type = parser.get()[http::field::content_type];
    const bool endless = type.starts_with("text/event-stream") || type.starts_with("application/x-ndjson");
    if (!error && !endless) http::read(stream, buffer, parser, error);
    EXPECT_FALSE(error) << target << ": " << error.message();
    return parser.release();
  }
  Response get(std::string_view target, const Headers& headers = {}) { return request("GET", target, headers); }
  unsigned status(std::string_view target) { return get(target).result_int(); }

  json::value ok(std::string_view target) {
    const Response response = get(target);
    EXPECT_EQ(response.result_int(), 200u) << target << response.body();
    EXPECT_EQ(response[http::field::content_type], "application/json") << target;
    return json::parse(response.body());
  }
  // The words of a refusal.
  std::string refused(std::string_view target, unsigned with_status) {
    const Response response = get(target);
    EXPECT_EQ(response.result_int(), with_status) << target;
    return std::string(json::parse(response.body()).at("error").as_string());
  }

  std::string address;
  std::unique_ptr<HttpServer> server;
};

}  // namespace fuhyo::net
