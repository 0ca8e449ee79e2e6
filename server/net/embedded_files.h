// What the build has put into the program; web/CMakeLists.txt writes the other half. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace fuhyo::net {

struct EmbeddedFile {
  std::string_view name;  // from its folder: "assets/index-1a2b.js.br"
  std::string_view bytes;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace fuhyo::net
