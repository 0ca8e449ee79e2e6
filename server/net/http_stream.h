// The bytes of one HTTP connection, in the clear or under TLS, with a deadline. On the web thread; private to this
// room. Reading and writing may wait at the same time, each once.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/net/tls_channel.h"
#include "server/net/tls_pair.h"

namespace fuhyo::net {

class HttpStream {
 public:
  // `pair`: null for plain HTTP.
  HttpStream(boost::asio::ip::tcp::socket socket, std::shared_ptr<const TlsPair> pair);
  ~HttpStream();
  HttpStream(HttpStream&&) noexcept;
  HttpStream& operator=(HttpStream&&) = delete;

  bool secure() const;
  boost::asio::any_io_executor executor();

  // To be done first. Nothing in the clear.
  boost::asio::awaitable<boost::system::error_code> handshake();
  // eof: the peer sends no more.
  boost::asio::awaitable<std::pair<boost::system::error_code, std::size_t>> read_some(boost::asio::mutable_buffer into);
  // All of it, each 256 KiB within `patience` from when the kernel takes no more; what it takes at once costs no timer.
  // There is no other deadline after a wait.
  boost::asio::awaitable<boost::system::error_code> write(std::vector<boost::asio::const_buffer> buffers,
                                                          std::chrono::milliseconds patience);

  // Whatever waits when the time is over fails with timed_out, and so does all that comes later.
  void expires_after(std::chrono::milliseconds time);
  void expires_never();
  // Tells the peer that nothing more will come.
  void shut_down_sending();
  void close();  // ends what waits
  // Gives the connection away: nothing may wait, and nothing is done with this any more.
  struct Connection {
    boost::asio::ip::tcp::socket socket;
    std::unique_ptr<TlsChannel> tls;  // null: plain HTTP
  };
  Connection release();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace fuhyo::net
