#include "server/app/setup/own_addresses.h"

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>

namespace fuhyo::app {

std::vector<std::string> own_addresses() {
  std::vector<std::string> found;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) all = nullptr;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, ::freeifaddrs);
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    const bool is_down = (each->ifa_flags & IFF_UP) == 0, is_own = (each->ifa_flags & IFF_LOOPBACK) != 0;
    if (is_down || is_own || each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address{};
    std::memcpy(&address, each->ifa_addr, sizeof address);
    std::array<char, INET_ADDRSTRLEN> text{};
    if (::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr) found.emplace_back(text.data());
  }
  found.emplace_back("127.0.0.1");
  return found;
}

}  // namespace fuhyo::app
