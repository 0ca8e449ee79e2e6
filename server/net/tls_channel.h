// One TLS connection over a socket that does not block: OpenSSL directly on the descriptor. Its own buffers are given
// back whenever they are empty, so that a connection at rest costs a third of one that goes through memory.
// Private to this room. One thread at a time; the socket belongs to the caller and outlives the channel. A peer that
// has gone makes the kernel raise SIGPIPE, which the process has to ignore.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <boost/system/error_code.hpp>

struct ssl_st;
struct ssl_ctx_st;

namespace fuhyo::net {

class TlsChannel {
 public:
  // The server's side of a connection whose peer is yet to speak.
  TlsChannel(ssl_ctx_st& context, int descriptor);
  ~TlsChannel();
  TlsChannel(const TlsChannel&) = delete;
  TlsChannel& operator=(const TlsChannel&) = delete;

  // Each of these does what it can without waiting. would_block: try again when the socket can be read, or, if
  // waits_to_write(), written. Any other error is the end of the channel; fault() says what was wrong.
  void handshake(boost::system::error_code& error);
  // One record at most. eof: the peer has said, or shown, that it sends no more.
  std::size_t read_some(std::span<char> into, boost::system::error_code& error);
  // What is tried again after would_block has to begin with the same bytes.
  std::size_t write_some(std::string_view bytes, boost::system::error_code& error);
  // Tells the peer that nothing more will come.
  void finish(boost::system::error_code& error);

  bool waits_to_write() const { return waits_to_write_; }
  std::string fault() const;  // "wrong version number"; empty: nothing that TLS knows of

 private:
  boost::system::error_code outcome(int result);

  struct Free {
    void operator()(ssl_st* ssl) const;
  };
  std::unique_ptr<ssl_st, Free> ssl_;
  unsigned long fault_ = 0;  // of OpenSSL
  bool waits_to_write_ = false;
};

}  // namespace fuhyo::net
