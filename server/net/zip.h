// Several files as one, by libarchive. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::net {

struct ZipEntry {
  std::string name;
  std::string bytes;
  core::Wall modified;
};
// Of two entries of one name the later one is called "name (2)".
std::expected<std::string, std::string> zip(const std::vector<ZipEntry>& entries);

}  // namespace fuhyo::net
