#include "engines/learn/data/record_texts.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "engines/learn/data/game_files.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using Paths = std::vector<fs::path>;

constexpr std::string_view kBlanks = " \t\r\n";

bool says_nothing_at_all(std::string_view text) { return text.find_first_not_of(kBlanks) == std::string_view::npos; }

std::expected<Paths, std::string> files_below(const std::string& folder, DataFormat format) {
  Paths found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error) && format_of(entry->path()) == format) found.push_back(entry->path());
  }
  if (error) return Failure(fmt::format("{}: {}", folder, error.message()));
  if (found.empty()) return Failure(fmt::format("{}: there is no file of {} in it", folder, to_string(format)));
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::expected<Paths, std::string> record_files_named(std::span<const std::string> names, DataFormat format) {
  Paths all;
  std::set<fs::path> seen;
  for (const std::string& name : names) {
    std::error_code error;
    auto found = fs::is_directory(name, error) ? files_below(name, format) : files_named(std::span(&name, 1), "");
    if (!found) return found;
    for (fs::path& file : *found) {
      if (seen.insert(fs::weakly_canonical(file, error)).second) all.push_back(std::move(file));
    }
  }
  return all;
}

std::expected<RecordTexts, std::string> RecordTexts::open(const fs::path& file, DataFormat format, LeftOut* left_out) {
  std::error_code error;
  if (!fs::exists(file, error)) return Failure(fmt::format("{}: there is no such file", file.string()));
  if (fs::is_directory(file, error)) return Failure(fmt::format("{}: is a folder", file.string()));
  auto entries = TextEntries::open(file);
  if (!entries) return Failure(std::move(entries.error()));
  return RecordTexts(*std::move(entries), format, left_out);
}

std::string RecordTexts::where() const { return fmt::format("{}: game {}", entries_.name(), number_); }

std::expected<void, std::string> RecordTexts::note(std::string why) {
  if (left_out_ == nullptr) return Failure(std::move(why));
  left_out_->add(std::move(why));
  return {};
}

std::expected<void, std::string> RecordTexts::leave_out(std::string_view why) {
  return note(fmt::format("{}: {}", where(), why));
}

std::string_view RecordTexts::take(std::size_t end, std::size_t after) {
  const std::string_view text = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = after;
  scanned_ = 0;
  return text;
}

// The next game that ends before the buffer does.
std::optional<std::string_view> RecordTexts::split() {
  if (format_ != DataFormat::csa && format_ != DataFormat::usi) return std::nullopt;
  const char mark = format_ == DataFormat::csa ? '/' : '\n';
  while (begin_ + scanned_ < buffer_.size()) {
    const char* from = buffer_.data() + begin_ + scanned_;
    const void* hit = std::memchr(from, mark, buffer_.size() - begin_ - scanned_);
    if (hit == nullptr) {
      scanned_ = buffer_.size() - begin_;
      break;
    }
    const auto at = static_cast<std::size_t>(static_cast<const char*>(hit) - buffer_.data());
    if (mark == '\n') return take(at, at + 1);
    scanned_ = at - begin_;  // it may be the last character of what was read so far
    std::size_t end = at + 1;
    while (end < buffer_.size() && buffer_[end] == '\r') ++end;
    if (end == buffer_.size()) break;
    if (buffer_[end] == '\n' && (at == begin_ || buffer_[at - 1] == '\n')) return take(at, end + 1);
    scanned_ = at + 1 - begin_;
  }
  return std::nullopt;
}

// What stands behind the last mark; a "/" may be without a line end.
std::string_view RecordTexts::last() {
  std::size_t end = buffer_.size();
  const bool marked = format_ == DataFormat::csa && end > begin_ && buffer_.back() == '/' &&
                      (end - 1 == begin_ || buffer_[end - 2] == '\n');
  return take(marked ? end - 1 : end, end);
}

// Reads on. False at the end of the entry.
std::expected<bool, std::string> RecordTexts::more() {
  const auto block = entries_.read();
  if (!block) return Failure(block.error());
  if (block->empty()) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_ += *block;
  return true;
}

std::expected<std::optional<std::string_view>, std::string> RecordTexts::next() {
  const auto stop = [&](std::string why) -> std::expected<std::optional<std::string_view>, std::string> {
    over_ = true;
    if (auto noted = note(std::move(why)); !noted) return Failure(std::move(noted.error()));
    return std::nullopt;
  };
  while (!over_) {
    if (!in_entry_) {
      auto found = entries_.next();
      if (!found) return stop(std::move(found.error()));
      if (!*found) break;
      in_entry_ = true;
      number_ = 0;
      buffer_.clear();
      begin_ = scanned_ = 0;
    }
    auto text = split();
    if (!text) {
      if (buffer_.size() - begin_ > kLongest) {
        return stop(fmt::format("{}: game {} is longer than {} MiB", entries_.name(), number_ + 1, kLongest >> 20U));
      }
      const auto read = more();
      if (!read) return stop(fmt::format("{} (after game {})", read.error(), number_));
      if (*read) continue;
      in_entry_ = false;
      text = last();
    }
    if (says_nothing_at_all(*text) || (format_ == DataFormat::usi && text->front() == '#')) continue;
    ++number_;
    return *text;
  }
  over_ = true;
  return std::nullopt;
}

}  // namespace fuhyo::learn
