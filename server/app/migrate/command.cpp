// `fuhyo migrate`: brings the tables of a store up to what this program expects, while no server uses it, or says what
// they lack. A server does the same when it starts; this is for who wants to see it done before.

#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/store_flags.h"
#include "server/app/serve/file_modes.h"

namespace fuhyo::app {
namespace {

struct MigrateOptions {
  StoreFlags store;
  bool status = false;
};

int not_migrated(const std::string& why, int code) {
  fmt::print(stderr, "fuhyo migrate: {}\n", why);
  return code;
}

int status(store::Store& store) {
  const auto schema = store.schema();
  if (!schema) return not_migrated(schema.error(), kExitIo);
  for (std::size_t i = 0; i < schema->steps.size(); ++i) {
    fmt::print("{:<8} {}\n", i < schema->done ? "done" : "missing", schema->steps[i]);
  }
  return schema->done == schema->steps.size() ? kExitOk : kExitFailed;
}

int run(const MigrateOptions& options) {
  const auto found = resolve_store(options.store);
  if (!found) return not_migrated(found.error(), kExitUsage);
  const auto warn = [](std::string_view text) { fmt::print(stderr, "fuhyo migrate: {}\n", text); };
  const auto store =
      store::make_store(found->config.store_address(), {.limits = {}, .unsafe = found->config.unsafe, .warn = warn});
  if (!store) return not_migrated(store.error(), kExitUsage);
  if (options.status) return status(**store);
  if (const auto why = store_of_another_user(found->config.store_address()))
    return not_migrated(*why, kExitCannotCreate);
  const auto taken = (*store)->migrate();
  if (!taken) return not_migrated(taken.error(), kExitIo);
  for (const std::string& step : *taken) fmt::print("done     {}\n", step);
  if (taken->empty()) fmt::print("nothing to do\n");
  return kExitOk;
}

}  // namespace

Command add_migrate(CLI::App& root) {
  auto options = std::make_shared<MigrateOptions>();
  CLI::App* command = manual::add_command(root, "migrate", "Brings the tables of a store up, or says what they lack");
  add_store_flags(*command, options->store);
  command->add_flag("--status", options->status, "only says which steps are done; 1 if one is missing");
  command->add_flag("--unsafe", options->store.unsafe, "as for `fuhyo serve`");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
