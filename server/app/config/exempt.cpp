#include "server/app/config/exempt.h"

#include <algorithm>
#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>

namespace fuhyo::app {
namespace {

namespace ip = boost::asio::ip;

// Whether `address` lies in the network. The library's own comparison is of whole networks.
template <class Network, class Address>
bool holds(const Network& network, const Address& address) {
  return Network(address, network.prefix_length()).canonical() == network.canonical();
}

}  // namespace

std::expected<ExemptList, std::string> ExemptList::parse(const std::vector<std::string>& words) {
  ExemptList list;
  for (const std::string& word : words) {
    boost::system::error_code error;
    const bool v6 = word.find(':') != std::string::npos;
    const std::string network = word.find('/') != std::string::npos ? word : word + (v6 ? "/128" : "/32");
    if (v6) {
      list.v6_.push_back(ip::make_network_v6(network, error));
    } else {
      list.v4_.push_back(ip::make_network_v4(network, error));
    }
    if (error) return std::unexpected(fmt::format("'{}' is no address and no network (10.0.0.0/8)", word));
  }
  return list;
}

bool ExemptList::contains(std::string_view text) const {
  boost::system::error_code error;
  const ip::address address = ip::make_address(text, error);
  if (error) return false;
  if (address.is_v4()) {
    return std::ranges::any_of(v4_, [&](const auto& network) { return holds(network, address.to_v4()); });
  }
  return std::ranges::any_of(v6_, [&](const auto& network) { return holds(network, address.to_v6()); });
}

}  // namespace fuhyo::app
