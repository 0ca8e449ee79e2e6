// Addresses that the limits per address spare: "192.0.2.7", "::1", "10.0.0.0/8". A value; any thread.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace fuhyo::app {

class ExemptList {
 public:
  static std::expected<ExemptList, std::string> parse(const std::vector<std::string>& words);
  bool contains(std::string_view address) const;
  bool empty() const { return v4_.empty() && v6_.empty(); }

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

// Whether an address is in such a list. `words` have been parsed before; what cannot be parsed holds nobody.
std::function<bool(std::string_view)> is_listed_in(const std::vector<std::string>& words);

}  // namespace fuhyo::app
