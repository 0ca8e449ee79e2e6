// Addresses and networks that a setting lists: "192.0.2.7", "::1", "10.0.0.0/8". A value; any thread.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace fuhyo::app {

class NetworkList {
 public:
  static std::expected<NetworkList, std::string> parse(const std::vector<std::string>& words);
  bool contains(std::string_view address) const;
  bool empty() const { return v4_.empty() && v6_.empty(); }
  bool operator==(const NetworkList&) const = default;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

std::function<bool(std::string_view)> is_listed_in(NetworkList list);

}  // namespace fuhyo::app
