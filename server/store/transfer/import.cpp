#include "server/store/transfer/import.h"

#include <utility>

namespace fuhyo::store {
namespace {

std::unexpected<TransferFault> of_store(std::string why) {
  return std::unexpected(TransferFault{.of = TransferFault::Of::store, .text = std::move(why)});
}

}  // namespace

std::expected<void, TransferFault> import_export(ExportReader& file, Store& store) {
  auto load = store.begin_load();
  if (!load) return of_store(std::move(load.error()));
  Row row;
  std::size_t table = 0;
  for (;;) {
    const auto there = file.next(table, row);
    if (!there) return std::unexpected(there.error());
    if (!*there) break;
    if (auto added = (*load)->add(tables()[table], row); !added) return of_store(std::move(added.error()));
  }
  if (auto done = (*load)->commit(); !done) return of_store(std::move(done.error()));
  return {};
}

}  // namespace fuhyo::store
