// Writes a store as an export. Memory does not grow with the store. One thread.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "server/store/transfer/dump.h"
#include "server/store/transfer/format.h"

namespace fuhyo::store {

// Takes the next bytes of the file; the error says why it cannot.
using ExportSink = std::function<std::expected<void, std::string>(std::string_view)>;

// `origin`: for people, where the rows come from and when. What was written before a fault is no export.
std::expected<Counts, TransferFault> write_export(Dump& dump, std::string_view origin, const ExportSink& sink);

}  // namespace fuhyo::store
