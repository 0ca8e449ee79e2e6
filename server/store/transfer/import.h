// An export into an empty store. One thread.
#pragma once

#include <expected>

#include "server/store/store.h"
#include "server/store/transfer/export_reader.h"

namespace fuhyo::store {

// All of it, or nothing: the store is filled in one transaction, which ends after the file was found whole. Refused: a
// store that a server uses, and one that holds anything.
std::expected<void, TransferFault> import_export(ExportReader& file, Store& store);

}  // namespace fuhyo::store
