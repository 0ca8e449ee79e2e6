// Records as a stream of games with scores; see source.h, which opens any format. Reads files; one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>

#include "engines/learn/data/source.h"

namespace fuhyo::learn {

// As open_source(), of formats that are records.
std::expected<std::unique_ptr<GameSource>, std::string> open_records(const std::filesystem::path& file,
                                                                     DataFormat format, ConversionLosses& losses,
                                                                     LeftOut* left_out);

}  // namespace fuhyo::learn
