#include "server/app/store/transfer.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "server/app/commands.h"
#include "server/app/store/part_file.h"
#include "server/app/text.h"
#include "server/store/transfer/export_reader.h"
#include "server/store/transfer/export_writer.h"
#include "server/store/transfer/import.h"

namespace fuhyo::app {
namespace {

using store::TransferFault;

int failed(int code, std::string_view what, std::string_view why) {
  fmt::print(stderr, "fuhyo store: {}: {}\n", what, why);
  return code;
}

std::string now() {
  using namespace std::chrono;
  return utc({duration_cast<microseconds>(system_clock::now().time_since_epoch()).count()});
}

}  // namespace

int export_store(store::Store& store, const std::string& file, bool replace) {
  auto out = PartFile::create(file, replace);
  if (!out) return failed(kExitCannotCreate, file, out.error());
  const auto dump = store.open_dump();
  if (!dump) {
    fmt::print(stderr, "fuhyo store: {}\n", dump.error());
    return kExitIo;
  }
  const auto rows = store::write_export(**dump, fmt::format("{} {}", store.name(), now()),
                                        [&](std::string_view part) { return out->write(part); });
  if (!rows) {
    return rows.error().of == TransferFault::Of::file ? failed(kExitCannotCreate, file, rows.error().text)
                                                      : failed(kExitIo, store.name(), rows.error().text);
  }
  if (const auto there = out->finish(); !there) return failed(kExitCannotCreate, file, there.error());
  fmt::print(stderr, "exported {}\n", store::count_words(*rows));
  return kExitOk;
}

int import_store(store::Store& store, const std::string& file) {
  auto in = InputFile::open(file);
  if (!in) return failed(kExitNoInput, file, in.error());
  auto reader = store::ExportReader::open([&](std::span<char> room) { return in->read(room); });
  const auto done = reader ? store::import_export(*reader, store)
                           : std::expected<void, TransferFault>(std::unexpected(reader.error()));
  if (done) {
    fmt::print(stderr, "imported {}\n", store::count_words(reader->counts()));
    return kExitOk;
  }
  switch (done.error().of) {
    case TransferFault::Of::store:
      fmt::print(stderr, "fuhyo store: {}\n", done.error().text);
      return kExitIo;
    case TransferFault::Of::file:
      return failed(kExitNoInput, file, done.error().text);
    case TransferFault::Of::content:
      break;
  }
  return failed(kExitFailed, file, done.error().text);
}

int backup_store(store::Store& store, const std::string& file, bool replace) {
  auto out = PartFile::create(file, replace);
  if (!out) return failed(kExitCannotCreate, file, out.error());
  if (out->part().empty()) return failed(kExitUsage, file, "a backup needs a file; `fuhyo store export -` does not");
  const auto copied = store.copy_to(out->part());
  if (!copied) {
    fmt::print(stderr, "fuhyo store: {}\n", copied.error());
    return kExitIo;
  }
  if (!*copied) return export_store(store, file, replace);
  if (const auto there = out->finish(); !there) return failed(kExitCannotCreate, file, there.error());
  fmt::print(stderr, "backed up to {}\n", file);
  return kExitOk;
}

}  // namespace fuhyo::app
