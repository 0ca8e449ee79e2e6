// `fuhyo import-shogi-server`: moves the folder of a shogi-server over to this server, and says what it took.

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/serve/file_modes.h"
#include "server/app/serve/host_facts.h"
#include "server/core/counted.h"
#include "server/store/shogi_server/topdir_import.h"

namespace fuhyo::app {
namespace {

struct ImportOptions {
  std::string from, data, records, store, records_mode = "0600";
  bool dry_run = false, unsafe = false;
};

int exit_code(store::ImportFailure failure) {
  switch (failure) {
    case store::ImportFailure::nothing_there:
      return kExitNoInput;
    case store::ImportFailure::in_use:
      return kExitIo;
    case store::ImportFailure::cannot_write:
      break;
  }
  return kExitCannotCreate;
}

void print_count(const char* what, const store::ImportReport::Count& count) {
  fmt::print("{:<22} {:>8} taken {:>8} here already\n", what, count.taken, count.known);
}

void print_report(const store::ImportReport& report) {
  for (const auto& [what, why] : report.left) fmt::print("left {}: {}\n", what, why);
  print_count("record files", report.records);
  print_count("games of the archive", report.games);
  print_count("lines of 00LIST", report.list_lines);
  print_count("buoys", report.buoys);
  print_count("ratings and schedules", report.files);
  if (report.without_result > 0) fmt::print("records without a result: {}\n", report.without_result);
  if (report.without_record > 0)
    fmt::print("games without a record, of which only a list tells: {}\n", report.without_record);
  if (report.others > 0) fmt::print("other files, such as logs and programs, not for this server: {}\n", report.others);
  if (!report.left.empty()) fmt::print("left: {}\n", core::counted(report.left.size(), "thing"));
  if (!report.groups.empty()) {
    fmt::print("to hold the rounds of its floodgate groups: --floodgate-games {}\n", fmt::join(report.groups, ","));
  }
}

void warn(std::string_view text) { fmt::print(stderr, "fuhyo import-shogi-server: {}\n", text); }

int run(const ImportOptions& options) {
  using std::chrono::duration_cast, std::chrono::microseconds;
  const core::Wall now{duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
  constexpr std::int64_t kThirtyYears_us = 30LL * 366 * 86'400 * core::kSecond;  // shogi-server began in 2004
  store::ImportOptions import{.from = options.from, .data = options.data, .records = options.records};
  if (options.records.empty()) import.records = import.data / "records";
  if (const auto why = of_another_user(import.data); why && !options.dry_run) {
    warn(*why);
    return kExitCannotCreate;
  }
  import.records_mode = file_mode(options.records_mode);
  import.dry_run = options.dry_run;
  import.zone = local_time_zone({now.us - kThirtyYears_us});
  import.now = now;
  const auto store = store::make_store(options.store.empty() ? store::store_of_folder(options.data) : options.store,
                                       {.limits = {}, .unsafe = options.unsafe, .warn = warn});
  if (!store) {
    fmt::print(stderr, "fuhyo import-shogi-server: --store: {}\n", store.error());
    return kExitUsage;
  }
  const auto report = store::import_shogi_server(import, **store);
  if (!report) {
    fmt::print(stderr, "fuhyo import-shogi-server: {}\n", report.error().text);
    return exit_code(report.error().kind);
  }
  if (options.dry_run) fmt::print("nothing is written (--dry-run); it would be:\n");
  print_report(*report);
  return report->left.empty() ? kExitOk : kExitFailed;
}

}  // namespace

Command add_import(CLI::App& root) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = manual::add_command(
      root, "import-shogi-server", "Moves records, results, buoys, ratings and schedules of a shogi-server over");
  command->add_option("DIR", options->from, "its folder: where 00LIST and players.yaml are")->required();
  command->add_option("--data", options->data, "data folder of `fuhyo serve`, which must not run meanwhile")
      ->required();
  command->add_option("--records", options->records, "records folder (DATA/records)");
  command->add_option("--records-mode", options->records_mode, "who may read the records: as for `fuhyo serve`")
      ->check(CLI::IsMember(record_modes()))
      ->capture_default_str();
  command->add_option("--store", options->store, "sqlite:FILE or postgres://USER@HOST/DATABASE (DATA/fuhyo.db)")
      ->envname("FUHYO_STORE")
      ->type_name("ADDRESS");
  command->add_flag("--unsafe", options->unsafe, "also into a database server that does not keep what it confirms");
  command->add_flag("--dry-run", options->dry_run, "only says what it would do");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
