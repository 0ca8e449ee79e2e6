// `fuhyo store`: takes a store elsewhere, puts it back, and looks whether it is whole.

#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/store_flags.h"
#include "server/app/serve/file_modes.h"
#include "server/app/store/site.h"
#include "server/app/store/transfer.h"

namespace fuhyo::app {
namespace {

struct StoreTaskOptions {
  std::string file;
  StoreFlags store;
  SiteWish site;
  bool force = false, fills = false;
};

using Task = std::function<int(store::Store&, const StoreTaskOptions&)>;

int run(const StoreTaskOptions& options, const Task& task) {
  const auto found = resolve_store(options.store);
  if (!found) {
    fmt::print(stderr, "fuhyo store: {}\n", found.error());
    return kExitUsage;
  }
  const auto warn = [](std::string_view text) { fmt::print(stderr, "fuhyo store: {}\n", text); };
  const auto store =
      store::make_store(found->config.store_address(), {.limits = {}, .unsafe = found->config.unsafe, .warn = warn});
  if (!store) {
    fmt::print(stderr, "fuhyo store: {}\n", store.error());
    return kExitUsage;
  }
  if (const auto why = store_of_another_user(found->config.store_address()); why && options.fills) {
    fmt::print(stderr, "fuhyo store: {}\n", *why);
    return kExitCannotCreate;
  }
  return task(**store, options);
}

int run_site(const StoreTaskOptions& options) {
  auto found = resolve_store(options.store);
  if (found) return write_site(std::move(found->config), options.site);
  fmt::print(stderr, "fuhyo store: {}\n", found.error());
  return kExitUsage;
}

CLI::App* add_task(CLI::App& parent, const char* name, const char* help, StoreTaskOptions& options) {
  CLI::App* task = manual::add_command(parent, name, help);
  add_store_flags(*task, options.store);
  return task;
}

}  // namespace

Command add_store(CLI::App& root) {
  auto options = std::make_shared<StoreTaskOptions>();
  auto task = std::make_shared<Task>();
  CLI::App* command = manual::add_command(root, "store", "Exports, imports, backs up and checks what a server keeps");
  command->require_subcommand(1);

  CLI::App* out = add_task(*command, "export", "Writes all of a store into a file, also beside a server", *options);
  out->add_option("FILE", options->file, "the export; - is the standard output")->required();
  out->add_flag("--force", options->force, "replaces a file that is there");
  out->callback([task] { *task = [](auto& store, auto& o) { return export_store(store, o.file, o.force); }; });

  CLI::App* in = add_task(*command, "import", "Fills an empty store that no server uses with an export", *options);
  in->add_option("FILE", options->file, "the export; - is the standard input")->required();
  in->add_flag("--unsafe", options->store.unsafe, "as for `fuhyo serve`");
  in->callback([task, options] {
    options->fills = true;
    *task = [](auto& store, auto& o) { return import_store(store, o.file); };
  });

  CLI::App* copy = add_task(*command, "backup", "Copies a store, also beside a server", *options);
  copy->add_option("FILE", options->file, "of SQLite a database that can be served; of PostgreSQL an export")
      ->required();
  copy->add_flag("--force", options->force, "replaces a file that is there");
  copy->callback([task] { *task = [](auto& store, auto& o) { return backup_store(store, o.file, o.force); }; });

  CLI::App* check = add_task(*command, "verify", "Looks whether a store, or a file of one, is whole", *options);
  check->add_option("FILE", options->file, "instead of a store: an export, or a backup of SQLite");
  check->callback([task] { *task = [](auto& store, auto&) { return verify_store(store); }; });

  CLI::App* site =
      add_task(*command, "site", "Writes games and their pages as a folder that needs no server", *options);
  site->add_option("DIR", options->site.folder, "the folder; is made")->required();
  site->add_option("--games", options->site.games, "which: a query as of /games, \"event=floodgate-*&from=2026-11-27\"")
      ->type_name("QUERY")
      ->required();
  site->add_option("--address", options->site.address, "where it will be, for cards of links: https://...")
      ->type_name("URL");

  return [options, task, check, site] {
    if (site->parsed()) return run_site(*options);
    if (check->parsed() && !options->file.empty()) return verify_file(options->file);
    return run(*options, *task);
  };
}

}  // namespace fuhyo::app
