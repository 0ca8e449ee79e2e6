#include "server/app/config/store_flags.h"

#include <cstdlib>

namespace fuhyo::app {

std::expected<Resolved, std::string> resolve_store(const StoreFlags& given) {
  Words flags;
  if (!given.store.empty()) flags.emplace("store", given.store);
  if (!given.data.empty()) flags.emplace("data", given.data);
  if (given.unsafe) flags.emplace("unsafe", std::vector<std::string>{"true"});
  std::string file = given.file;
  if (const char* variable = std::getenv("FUHYO_CONFIG"); file.empty() && variable != nullptr) file = variable;
  return resolve_config(flags, [](const char* name) { return std::getenv(name); }, file);
}

}  // namespace fuhyo::app
