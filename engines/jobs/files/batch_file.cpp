#include "engines/jobs/files/batch_file.h"

#include <charconv>
#include <fmt/format.h>

namespace fuhyo::jobs {
namespace {

constexpr std::string_view kBatchHead = "fuhyo jobs 1";
constexpr std::string_view kResultHead = "fuhyo result 1 ";

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Lines, and counted bytes between them.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  // "<word> <value>"
  std::optional<std::string_view> value(std::string_view word) {
    const auto text = line();
    if (!text || text->size() <= word.size() || !text->starts_with(word) || (*text)[word.size()] != ' ') {
      return std::nullopt;
    }
    return text->substr(word.size() + 1);
  }
  std::optional<std::int64_t> count(std::string_view word) {
    const auto text = value(word);
    return text ? number(*text) : std::nullopt;
  }
  // "<word> <size>", and so many bytes, and the end of the line.
  std::optional<std::string> bytes(std::string_view word) {
    const auto size = count(word);
    if (!size || rest_.size() <= static_cast<std::size_t>(*size) || rest_[static_cast<std::size_t>(*size)] != '\n') {
      return std::nullopt;
    }
    std::string text(rest_.substr(0, static_cast<std::size_t>(*size)));
    rest_.remove_prefix(text.size() + 1);
    return text;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::string batch_text(const Batch& batch) {
  std::string text =
      fmt::format("{}\nkind {}\nattempts {}\njob {}\n", kBatchHead, batch.kind, batch.attempts, batch.payload.size());
  text += batch.payload;
  text += fmt::format("\nchunks {}\n", batch.chunks.size());
  for (const std::string& chunk : batch.chunks) {
    text += fmt::format("chunk {}\n", chunk.size());
    text += chunk;
    text += '\n';
  }
  return text;
}

std::expected<Batch, std::string> parse_batch(std::string_view text) {
  const auto refuse = [](std::string_view what) { return std::unexpected(fmt::format("has no {}", what)); };
  Reader reader(text);
  Batch batch;
  const auto head = reader.line();
  if (head != kBatchHead) return refuse("first line that this program knows");
  const auto kind = reader.value("kind");
  if (!kind) return refuse("kind");
  const auto attempts = reader.count("attempts");
  if (!attempts || *attempts < 1 || *attempts > INT32_MAX) return refuse("attempts");
  auto payload = reader.bytes("job");
  if (!payload) return refuse("job");
  const auto chunks = reader.count("chunks");
  if (!chunks || *chunks < 1 || *chunks > static_cast<std::int64_t>(kMaxChunks)) return refuse("chunks");
  batch.kind = *kind;
  batch.attempts = static_cast<int>(*attempts);
  batch.payload = std::move(*payload);
  for (std::int64_t i = 0; i < *chunks; ++i) {
    auto chunk = reader.bytes("chunk");
    if (!chunk) return refuse(fmt::format("chunk {}", i));
    batch.chunks.push_back(std::move(*chunk));
  }
  if (!reader.at_end()) return refuse("end after its last chunk");
  return batch;
}

std::string result_text(std::string_view worker, std::int64_t fence, std::string_view bytes) {
  return fmt::format("{}{} {} {}\n{}\n", kResultHead, worker, fence, bytes.size(), bytes);
}

std::optional<ResultFile> parse_result(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with(kResultHead) || end == std::string_view::npos) return std::nullopt;
  const std::string_view head = text.substr(kResultHead.size(), end - kResultHead.size());
  const std::size_t first = head.find(' '), second = head.rfind(' ');
  if (first == std::string_view::npos || first == second) return std::nullopt;
  const auto fence = number(head.substr(first + 1, second - first - 1));
  const auto size = number(head.substr(second + 1));
  if (!fence || !size || text.size() != end + 2 + static_cast<std::size_t>(*size) || text.back() != '\n') {
    return std::nullopt;
  }
  return ResultFile{.worker = std::string(head.substr(0, first)),
                    .fence = *fence,
                    .bytes = std::string(text.substr(end + 1, static_cast<std::size_t>(*size)))};
}

}  // namespace fuhyo::jobs
