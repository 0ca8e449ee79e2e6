// How fast a store is exported, imported and checked.
//   bench_transfer [--dir FOLDER] [--games N] [--plies N] [--store ADDRESS]
// A SQLite store is filled with games of random moves, exported, imported into the other store (another SQLite file, or
// the empty one at ADDRESS), and that one is exported and checked.

#include "server/store/transfer/export_writer.h"
#include "server/store/transfer/import.h"
#include "server/store/transfer/verifier.h"
#include "tests/bench/flags.h"
#include "tests/bench/journal_filler.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fuhyo;
using bench::fail, bench::seconds_of, bench::sure;

struct Options {
  std::string folder = std::filesystem::temp_directory_path().string(), store;
  bench::Filling filling;
};

store::Counts export_to(store::Store& store, const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  const auto dump = sure(store.open_dump());
  return sure(store::write_export(*dump, store.name(), [&](std::string_view part) {
    out << part;
    return std::expected<void, std::string>();
  }));
}

void import_from(store::Store& store, const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  auto reader = sure(store::ExportReader::open([&](std::span<char> room) -> std::expected<std::size_t, std::string> {
    in.read(room.data(), static_cast<std::streamsize>(room.size()));
    return static_cast<std::size_t>(in.gcount());
  }));
  sure(store::import_export(reader, store));
}

void check(store::Store& store) {
  store::Verifier verifier([](std::string fault) { fail(fault); });
  const auto dump = sure(store.open_dump());
  sure(dump->faults());
  sure(store::verify(*dump, verifier));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::take_flags(argc, argv,
                    {{"--dir", options.folder},
                     {"--store", options.store},
                     {"--games", options.filling.games},
                     {"--plies", options.filling.plies}});
  const test::TemporaryFolder folder(options.folder);
  const std::string file = folder.file("export"), again = folder.file("again");
  const auto from = sure(store::make_store("sqlite:" + folder.file("from.db")));
  const std::string where = options.store.empty() ? "sqlite:" + folder.file("to.db") : options.store;
  const auto to = sure(store::make_store(where, {.limits = {}, .unsafe = true, .warn = {}}));
  sure(bench::fill_journal(*from, options.filling));
  std::uint64_t rows = 0;
  const auto tell = [&](std::string_view what, double wall_s) {
    fmt::print("{:<24} {:6.2f} s {:9.0f} rows/s\n", what, wall_s, static_cast<double>(rows) / wall_s);
  };
  const double exported_s = seconds_of([&] {
    for (const std::uint64_t count : export_to(*from, file)) rows += count;
  });
  fmt::print("{} rows, {:.0f} MB of text\n", rows, static_cast<double>(std::filesystem::file_size(file)) / 1e6);
  tell("export of SQLite", exported_s);
  tell("import", seconds_of([&] { import_from(*to, file); }));
  tell("export of what is there", seconds_of([&] { export_to(*to, again); }));
  tell("verify", seconds_of([&] { check(*to); }));
}
