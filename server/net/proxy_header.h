// What a proxy says before anything else on a connection to say whose that is: the PROXY protocol of HAProxy
// (proxy-protocol.txt), version 1 (section 2.1) and version 2 (section 2.2). A value, private to this room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>

namespace fuhyo::net {

class ProxyHeader {
 public:
  // So many more bytes are its own for certain; 0: it is whole.
  std::size_t wanted() const { return wanted_; }
  // At most wanted() bytes, the next ones. False: this is no such header, or a longer one than 536 bytes.
  bool take(std::string_view bytes);
  // Of a whole one. Nothing: the proxy speaks for itself, or knows no address.
  const std::optional<boost::asio::ip::tcp::endpoint>& source() const { return source_; }

 private:
  bool whole(std::string_view line);
  bool take_binary();

  std::string bytes_;
  std::size_t wanted_ = 12;  // where the two versions part
  std::optional<boost::asio::ip::tcp::endpoint> source_;
};

}  // namespace fuhyo::net
