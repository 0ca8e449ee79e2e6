// A batch, and the result of a chunk, as the files that hold them. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/jobs/batch.h"

namespace fuhyo::jobs {

std::string batch_text(const Batch& batch);
// The name is not in the file: it is its folder's. The error says what is wrong with the file.
std::expected<Batch, std::string> parse_batch(std::string_view text);

struct ResultFile {
  std::string worker;
  std::int64_t fence = 0;
  std::string bytes;
  bool operator==(const ResultFile&) const = default;
};
std::string result_text(std::string_view worker, std::int64_t fence, std::string_view bytes);
std::optional<ResultFile> parse_result(std::string_view text);  // nothing: it is none, or not whole

}  // namespace fuhyo::jobs
