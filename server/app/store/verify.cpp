// `fuhyo store verify`: one line a fault, and a summary.

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "server/app/commands.h"
#include "server/app/store/part_file.h"
#include "server/app/store/transfer.h"
#include "server/core/counted.h"
#include "server/store/transfer/export_reader.h"
#include "server/store/transfer/verifier.h"

namespace fuhyo::app {
namespace {

void print_fault(std::string_view text) { fmt::print("{}\n", text); }

int summary(const store::Verifier& verifier, std::size_t others) {
  const store::Verifier::Found& found = verifier.found();
  const std::size_t faults = found.faults + others;
  fmt::print("{}: {}; {} of finished games\n", faults == 0 ? "no faults" : core::counted(faults, "fault"),
             store::count_words(found.rows), core::counted(found.moves, "move"));
  return faults == 0 ? kExitOk : kExitFailed;
}

int failed(int code, std::string_view what, std::string_view why) {
  fmt::print(stderr, "fuhyo store: {}: {}\n", what, why);
  return code;
}

int verify_database(store::Store& store, int code_if_closed) {
  const auto dump = store.open_dump();
  if (!dump) {
    fmt::print(stderr, "fuhyo store: {}\n", dump.error());
    return code_if_closed;
  }
  std::size_t others = 0;
  if (const auto faults = (*dump)->faults(); !faults) {
    print_fault(faults.error());
    ++others;
  } else {
    for (const std::string& fault : *faults) print_fault(fault);
    others += faults->size();
  }
  store::Verifier verifier(print_fault);
  if (const auto read = store::verify(**dump, verifier); !read) {
    print_fault(fmt::format("cannot be read to its end: {}", read.error()));
    ++others;
  }
  return summary(verifier, others);
}

// What every database of SQLite begins with.
constexpr std::string_view kSqliteMagic = "SQLite format 3";

}  // namespace

int verify_store(store::Store& store) { return verify_database(store, kExitIo); }

int verify_file(const std::string& file) {
  auto in = InputFile::open(file);
  if (!in) return failed(kExitNoInput, file, in.error());
  std::string begin(kSqliteMagic.size(), '\0');
  const auto got = in->read(begin);
  if (!got) return failed(kExitNoInput, file, got.error());
  begin.resize(*got);
  if (begin == kSqliteMagic && file != "-") {
    const auto store = store::make_store("sqlite:" + file);
    return store ? verify_database(**store, kExitFailed) : failed(kExitUsage, file, store.error());
  }
  auto reader = store::ExportReader::open(
      [&, at = std::size_t{0}](std::span<char> room) mutable -> std::expected<std::size_t, std::string> {
        if (at == begin.size()) return in->read(room);
        const std::size_t part = begin.copy(room.data(), room.size(), at);
        at += part;
        return part;
      });
  if (!reader && reader.error().of == store::TransferFault::Of::file) {
    return failed(kExitNoInput, file, reader.error().text);
  }
  store::Verifier verifier(print_fault);
  std::size_t others = 0;
  const auto read = reader ? store::verify(*reader, verifier)
                           : std::expected<void, store::TransferFault>(std::unexpected(reader.error()));
  if (!read) {
    print_fault(fmt::format("{}: {}", file, read.error().text));
    ++others;
  }
  return summary(verifier, others);
}

}  // namespace fuhyo::app
