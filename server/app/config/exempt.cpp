#include "server/app/config/exempt.h"

#include <algorithm>
#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>

#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

namespace ip = boost::asio::ip;

// Whether `address` lies in the network. The library's own comparison is of whole networks.
template <class Network, class Address>
bool holds(const Network& network, const Address& address) {
  return Network(address, network.prefix_length()).canonical() == network.canonical();
}

constexpr unsigned short kMappedBits = 96;  // before the IPv4 address in one that is mapped

}  // namespace

std::expected<ExemptList, std::string> ExemptList::parse(const std::vector<std::string>& words) {
  ExemptList list;
  for (const std::string& word : words) {
    boost::system::error_code error;
    const bool v6 = word.find(':') != std::string::npos;
    const std::string network = word.find('/') != std::string::npos ? word : word + (v6 ? "/128" : "/32");
    if (v6) {
      const ip::network_v6 parsed = ip::make_network_v6(network, error);
      if (!error && parsed.address().is_v4_mapped() && parsed.prefix_length() >= kMappedBits) {
        list.v4_.emplace_back(ip::make_address_v4(ip::v4_mapped, parsed.address()),
                              static_cast<unsigned short>(parsed.prefix_length() - kMappedBits));
      } else {
        list.v6_.push_back(parsed);
      }
    } else {
      list.v4_.push_back(ip::make_network_v4(network, error));
    }
    if (error) return std::unexpected(fmt::format("'{}' is no address and no network (10.0.0.0/8)", word));
  }
  return list;
}

bool ExemptList::contains(std::string_view text) const {
  boost::system::error_code error;
  const ip::address given = ip::make_address(text, error);
  if (error) return false;
  const ip::address address = net::unmapped(given);
  if (address.is_v4()) {
    return std::ranges::any_of(v4_, [&](const auto& network) { return holds(network, address.to_v4()); });
  }
  return std::ranges::any_of(v6_, [&](const auto& network) { return holds(network, address.to_v6()); });
}

std::function<bool(std::string_view)> is_listed_in(const std::vector<std::string>& words) {
  return [list = ExemptList::parse(words).value_or(ExemptList{})](std::string_view address) {
    return list.contains(address);
  };
}

}  // namespace fuhyo::app
