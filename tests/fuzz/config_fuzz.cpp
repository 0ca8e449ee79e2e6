// The configuration file of `fuhyo serve`. Whatever it holds, each problem is one line; and what is printed of a good
// one says the same again, as far as no secret is blacked out.

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "server/app/config/config.h"
#include "server/app/config/print.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace fuhyo::app;
using fuhyo::fuzz::require;
namespace fs = std::filesystem;

constexpr std::size_t kMost = 16 * 1024;

class File {
 public:
  File() : path_(fs::temp_directory_path() / fmt::format("fuhyo_fuzz_config_{}.toml", ::getpid())) {}
  ~File() { fs::remove(path_); }
  Checked check(std::string_view text) const {
    std::ofstream(path_, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    return check_config({}, [](const char*) -> const char* { return nullptr; }, path_);
  }

 private:
  const fs::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  const std::string_view text = fuhyo::fuzz::text(data, size);
  if (text.size() > kMost) return 0;
  const Checked first = file.check(text);
  for (const std::string& problem : first.problems) fuhyo::fuzz::require_reason(problem);
  if (!first.problems.empty()) return 0;
  const std::string printed = print_config(first.resolved, Printed::effective);
  if (printed.contains("***")) return 0;
  const Checked again = file.check(printed);
  require(again.problems.empty(), again.problems.empty() ? "" : again.problems.front());
  for (const auto& [key, said] : first.resolved.said) {
    require(again.resolved.said.at(key).words == said.words, "what is printed says the same");
  }
  return 0;
}
