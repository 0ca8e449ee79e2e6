// The files of the page, embedded in the program. A fixed table: no path of a request ever reaches a file system.
#pragma once

#include <optional>
#include <string_view>

namespace fuhyo::net {

struct Asset {
  std::string_view content_type;
  std::string_view bytes;
};
std::optional<Asset> find_asset(std::string_view path);

}  // namespace fuhyo::net
