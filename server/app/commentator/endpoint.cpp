#include "server/app/commentator/endpoint.h"

#include <array>
#include <fmt/format.h>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "engines/shogi/number.h"
#include "server/app/join/server_stream.h"

namespace fuhyo::app {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Answer = std::expected<EndpointAnswer, std::string>;

constexpr auto kLook = std::chrono::milliseconds(100);  // how often it looks whether it is wanted any more

JoinOptions server_of(const Persona& persona) {
  JoinOptions server;
  server.host = persona.host;
  server.port = persona.port;
  server.tls = persona.tls;
  server.tls_ca = persona.ca_file;
  return server;
}

std::string request_of(const Persona& persona, std::string_view body) {
  const bool bare = persona.host.find(':') == std::string::npos;
  const std::string key = persona.key.empty() ? "" : fmt::format("Authorization: Bearer {}\r\n", persona.key);
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}:{}\r\n{}Content-Type: application/json\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      persona.path, bare ? persona.host : fmt::format("[{}]", persona.host), persona.port, key, body.size(), body);
}

class Exchange {
 public:
  Exchange(asio::io_context& io, const JoinOptions& server, std::string request)
      : server_(server), resolver_(io), stream_(io, server), request_(std::move(request)) {
    parser_.body_limit(kMostAnswer);
    parser_.eager(true);
  }

  void begin() {
    if (auto fine = stream_.set_up(); !fine) return fail(fine.error());
    resolver_.async_resolve(server_.host, server_.port, [this](error_code error, const auto& found) {
      if (error) return fail(error.message());
      asio::async_connect(stream_.socket(), found, [this](error_code refused, const auto&) {
        if (refused) return fail(refused.message());
        stream_.greet([this](const std::string& why_not) { why_not.empty() ? write() : fail(why_not); });
      });
    });
  }
  const std::optional<Answer>& answer() const { return answer_; }

 private:
  void fail(std::string why) { answer_ = std::unexpected(std::move(why)); }

  void write() {
    stream_.write(asio::buffer(request_), [this](error_code error, std::size_t) {
      if (error) return fail(error.message());
      read();
    });
  }

  void read() {
    stream_.read_some(asio::buffer(bytes_), [this](error_code error, std::size_t count) {
      error_code wrong;
      if (error && error != asio::error::eof) return fail(error.message());
      if (error) {
        parser_.put_eof(wrong);
      } else {
        take(count, wrong);
      }
      if (wrong && wrong != http::error::need_more) return fail(wrong.message());
      if (parser_.is_done()) return finish();
      if (error) return fail("the answer breaks off");
      read();
    });
  }

  void take(std::size_t count, error_code& wrong) {
    buffer_.commit(asio::buffer_copy(buffer_.prepare(count), asio::buffer(bytes_, count)));
    buffer_.consume(parser_.put(buffer_.data(), wrong));
  }

  void finish() {
    EndpointAnswer found{.status = parser_.get().result_int(), .body = std::move(parser_.get().body())};
    std::string_view after = parser_.get()[http::field::retry_after];
    found.retry_after_s = shogi::take_number<std::int64_t>(after).value_or(0);  // a date counts as nothing
    answer_ = std::move(found);
  }

  const JoinOptions& server_;
  asio::ip::tcp::resolver resolver_;
  ServerStream stream_;
  std::string request_;
  std::array<char, 16 * 1024> bytes_{};
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::string_body> parser_;
  std::optional<Answer> answer_;
};

}  // namespace

Answer ask_endpoint(const Persona& persona, std::string_view body, const std::atomic<bool>& gone) {
  const JoinOptions server = server_of(persona);
  asio::io_context io{1};  // what is under way when it is given up goes with it
  Exchange exchange(io, server, request_of(persona, body));
  exchange.begin();
  const auto until = std::chrono::steady_clock::now() + persona.patience;
  while (!exchange.answer()) {
    if (gone) return std::unexpected("it is not wanted any more");
    if (std::chrono::steady_clock::now() >= until) return std::unexpected("it has not answered in time");
    io.run_one_for(kLook);
  }
  return *exchange.answer();
}

}  // namespace fuhyo::app
