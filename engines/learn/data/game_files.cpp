#include "engines/learn/data/game_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using Paths = std::vector<fs::path>;

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

// A star that fits too little is lengthened when what follows does not fit.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t at = 0, in = 0, star = std::string_view::npos, taken = 0;
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      taken = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == name[at])) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

// The files of a folder that fit, sorted.
std::expected<Paths, std::string> files_in(const fs::path& folder, std::string_view pattern, const std::string& name) {
  Paths found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.starts_with('.') && !pattern.starts_with('.')) continue;
    if (fits(file, pattern) && !entry->is_directory(error)) found.push_back(entry->path());
  }
  if (error) return Failure(fmt::format("{}: {}", name, error.message()));
  if (found.empty()) return Failure(fmt::format("{}: there is no such file", name));
  std::ranges::sort(found);
  return found;
}

std::expected<Paths, std::string> files_of(const std::string& name, std::string_view ending) {
  const fs::path path(name);
  std::error_code error;
  if (fs::is_directory(path, error))
    return files_in(path, fmt::format("*{}", ending), fmt::format("{}/*{}", name, ending));
  if (fs::exists(path, error)) return Paths{path};
  if (is_pattern(path.parent_path().string())) {
    return Failure(fmt::format("{}: '*' and '?' may stand in the last part of a name only", name));
  }
  if (!is_pattern(name)) return Failure(fmt::format("{}: there is no such file", name));
  return files_in(path.has_parent_path() ? path.parent_path() : fs::path("."), path.filename().string(), name);
}

}  // namespace

std::expected<Paths, std::string> files_named(std::span<const std::string> names, std::string_view ending) {
  Paths all;
  std::set<fs::path> seen;
  for (const std::string& name : names) {
    auto found = files_of(name, ending);
    if (!found) return found;
    for (fs::path& file : *found) {
      std::error_code ignored;
      if (seen.insert(fs::weakly_canonical(file, ignored)).second) all.push_back(std::move(file));
    }
  }
  return all;
}

std::expected<GameFiles, std::string> GameFiles::open(std::span<const std::string> names, record::MoveCheck check) {
  auto files = files_named(names, kGameFileEnd);
  if (!files) return Failure(std::move(files.error()));
  for (const fs::path& file : *files) {
    if (const auto reader = GameReader::open(file, check); !reader) return Failure(reader.error());
  }
  return GameFiles(*std::move(files), check);
}

std::expected<bool, std::string> GameFiles::open_next() {
  if (reader_) return true;
  if (opened_ == files_.size()) return false;
  auto reader = GameReader::open(files_[opened_], check_);
  if (!reader) return Failure(std::move(reader.error()));
  reader_ = *std::move(reader);
  ++opened_;
  return true;
}

void GameFiles::close() {
  if (reader_->unfinished()) unfinished_.push_back(*reader_->unfinished());
  reader_.reset();
}

std::expected<std::optional<record::ScoredGame>, std::string> GameFiles::next() {
  for (;;) {
    const auto opened = open_next();
    if (!opened) return Failure(opened.error());
    if (!*opened) return std::nullopt;
    auto game = reader_->next();
    if (!game || *game) return game;
    close();
  }
}

std::expected<std::uint64_t, std::string> GameFiles::skip(std::uint64_t games) {
  std::uint64_t passed = 0;
  while (passed < games) {
    const auto opened = open_next();
    if (!opened) return Failure(opened.error());
    if (!*opened) break;
    const auto skipped = reader_->skip(games - passed);
    if (!skipped) return skipped;
    passed += *skipped;
    if (passed < games) close();
  }
  return passed;
}

void GameFiles::rewind() {
  reader_.reset();
  opened_ = 0;
  unfinished_.clear();
}

}  // namespace fuhyo::learn
