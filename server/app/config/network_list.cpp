#include "server/app/config/network_list.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <net/if.h>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "engines/shogi/number.h"
#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

namespace ip = boost::asio::ip;

// Whether `address` lies in the network. The library's own comparison is of whole networks.
template <class Network, class Address>
bool holds(const Network& network, const Address& address) {
  return Network(address, network.prefix_length()).canonical() == network.canonical();
}

// A network without a zone (fe80::/10) is that of every zone.
bool holds_in_zone(const ip::network_v6& network, ip::address_v6 address) {
  if (network.address().scope_id() == 0) address.scope_id(0);
  return holds(network, address);
}

// The library takes an unknown zone for none.
bool has_unknown_zone(std::string_view word) {
  const std::size_t at = word.find('%');
  if (at == std::string_view::npos) return false;
  const std::string zone(word.substr(at + 1, word.find('/', at) - at - 1));
  if (::if_nametoindex(zone.c_str()) != 0) return false;
  const auto number = shogi::number_of<unsigned>(zone);
  std::array<char, IF_NAMESIZE> name{};
  return !number || ::if_indextoname(*number, name.data()) == nullptr;
}

constexpr unsigned short kMappedBits = 96;  // before the IPv4 address in one that is mapped

}  // namespace

std::expected<NetworkList, std::string> NetworkList::parse(const std::vector<std::string>& words) {
  NetworkList list;
  for (const std::string& word : words) {
    if (has_unknown_zone(word)) {
      return std::unexpected(fmt::format("'{}': this machine has no such zone (%eth0: a network interface)", word));
    }
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

bool NetworkList::contains(std::string_view text) const {
  boost::system::error_code error;
  const ip::address given = ip::make_address(text, error);
  if (error) return false;
  const ip::address address = net::unmapped(given);
  if (address.is_v4()) {
    return std::ranges::any_of(v4_, [&](const auto& network) { return holds(network, address.to_v4()); });
  }
  return std::ranges::any_of(v6_, [&](const auto& network) { return holds_in_zone(network, address.to_v6()); });
}

std::function<bool(std::string_view)> is_listed_in(NetworkList list) {
  return [list = std::move(list)](std::string_view address) { return list.contains(address); };
}

}  // namespace fuhyo::app
