#include "server/app/config/store_flags.h"

#include <cstdlib>

#include <CLI/CLI.hpp>

namespace fuhyo::app {

void add_store_flags(CLI::App& command, StoreFlags& flags) {
  const auto add = [&](const char* name, std::vector<std::string>& given, const char* help, const char* value) {
    command.add_option(name, given, help)->type_name(value)->expected(1)->allow_extra_args(false);
  };
  add("--store", flags.store, "sqlite:FILE or postgres://USER@HOST/DATABASE, as for `fuhyo serve`", "ADDRESS");
  add("--data", flags.data, "as for `fuhyo serve`: its fuhyo.db", "DIR");
  command.add_option("--config", flags.file, "as for `fuhyo serve`")->type_name("FILE");
}

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
