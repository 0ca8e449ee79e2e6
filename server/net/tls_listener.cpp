#include "server/net/tls_listener.h"

#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

namespace fuhyo::net {

namespace asio = boost::asio;

TlsListener::TlsListener(core::InputSink& sink, const core::Limits& limits, std::string room,
                         std::shared_ptr<const TlsPair> pair, Hooks hooks, const CsaDeadlines& deadlines)
    : CsaCrossing(io_, sink, limits, std::move(room), std::move(hooks), deadlines) {
  listener().use(std::move(pair));
}

TlsListener::~TlsListener() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
}

std::expected<std::vector<std::string>, std::string> TlsListener::listen(std::string_view address) {
  return listener().listen(address);
}

void TlsListener::expect_proxy_header(std::function<bool(std::string_view address)> from) {
  listener().expect_proxy_header(std::move(from));
}

void TlsListener::start() {
  thread_ = std::thread([this] {
    const auto work = asio::make_work_guard(io_);
    io_.run();
  });
}

void TlsListener::use(std::shared_ptr<const TlsPair> pair) {
  asio::post(io_, [this, pair = std::move(pair)] { listener().use(pair); });
}

void TlsListener::stop_accepting() {
  asio::post(io_, [this] { listener().stop_accepting(); });
}

}  // namespace fuhyo::net
