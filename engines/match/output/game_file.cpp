// Where whole games end in each format, and how one more is added.
#include "engines/match/output/game_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <span>

#include "engines/match/output/record.h"
#include "engines/record/csa_writer.h"
#include "engines/record/encoding.h"

namespace fuhyo::match {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;

constexpr std::string_view kEncodingLine = "'CSA encoding=UTF-8\n";
constexpr std::size_t kHead = 32;  // bytes that tell our files from others

// Comments that stand in our records before the first move and behind the end (record.h).
constexpr std::string_view kOpeningLine = "\n'opening ", kResult = "\n'result ";

std::size_t end_of_whole_records(std::string_view bytes) {
  const std::size_t last_line = std::min(bytes.rfind('\n'), bytes.size());
  const std::size_t result = bytes.substr(0, last_line).rfind(kResult);
  return result == std::string_view::npos ? 0 : bytes.find('\n', result + 1) + 1;
}

std::size_t end_of_whole_pgn(std::string_view bytes) {
  std::size_t end = 0;
  for (const std::string_view last : {"1-0\n\n", "0-1\n\n", "1/2-1/2\n\n"}) {
    const std::size_t at = bytes.rfind(last);
    if (at != std::string_view::npos) end = std::max(end, at + last.size());
  }
  return end;
}

bool begins_as_ours(std::string_view head, GameFormat format) {
  const auto begins = [&](std::string_view ours) {
    const std::size_t common = std::min(ours.size(), head.size());
    return head.substr(0, common) == ours.substr(0, common);
  };
  if (format == GameFormat::pgn) return begins("[Event \"match\"]\n");
  return begins("V2.2\n") || begins(kEncodingLine);
}

std::string csa_text(const PlayedGame& game, record::CsaVersion version, bool first) {
  std::string text = record::without_controls(record::write_csa(to_record(game, version), version));
  if (first) return text;
  const std::size_t skipped = text.starts_with(kEncodingLine) ? kEncodingLine.size() : 0;
  return "/\n" + text.substr(skipped);
}

std::string text_of(const PlayedGame& game, const GameFileOptions& options, bool first) {
  if (options.format == GameFormat::pgn) return to_pgn(game, options.moves);
  return csa_text(game, options.version, first);
}

std::expected<std::string, std::string> bytes_of(const fs::path& path, std::uintmax_t from, std::uintmax_t count) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(count, '\0');
  in.seekg(static_cast<std::streamoff>(from));
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  if (!in) return Failure(path.string() + ": cannot be read");
  return bytes;
}

// Cuts what is no whole game off the end; how much that was.
std::expected<std::uintmax_t, std::string> cut_broken_game(const fs::path& path, GameFormat format) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error == std::errc::no_such_file_or_directory || !fs::is_regular_file(path)) return 0;  // or a pipe, a terminal
  if (error) return Failure(fmt::format("{}: {}", path.string(), error.message()));
  constexpr std::uintmax_t kLongestGame = 8 << 20;
  const std::uintmax_t looked_at = std::min(size, kLongestGame);
  const auto head = bytes_of(path, 0, std::min<std::uintmax_t>(size, kHead));
  const auto tail = bytes_of(path, size - looked_at, looked_at);
  if (!head || !tail) return Failure(head ? tail.error() : head.error());
  const std::size_t whole = whole_games(*tail, format);
  // A record with an end and without our lines is somebody else's.
  const bool others_record =
      format == GameFormat::csa && whole == 0 && tail->contains("\n%") && !tail->contains(kOpeningLine);
  const bool foreign = !begins_as_ours(*head, format) || others_record || (whole == 0 && looked_at < size);
  if (foreign) return Failure(path.string() + ": holds something else than games that were written here");
  const std::uintmax_t broken = looked_at - whole;
  if (broken > 0) fs::resize_file(path, size - broken, error);
  if (error) return Failure(fmt::format("{}: {}", path.string(), error.message()));
  return broken;
}

}  // namespace

std::size_t whole_games(std::string_view bytes, GameFormat format) {
  return format == GameFormat::csa ? end_of_whole_records(bytes) : end_of_whole_pgn(bytes);
}

std::expected<GameFile, std::string> GameFile::open(const fs::path& path, const GameFileOptions& options) {
  std::error_code error;
  std::optional<jobs::FileLock> lock;
  if (!fs::exists(path, error) || fs::is_regular_file(path, error)) {  // not a pipe, a terminal
    auto taken = jobs::FileLock::take(path);
    if (!taken) return Failure(fmt::format("{}: {}", path.string(), taken.error()));
    lock = *std::move(taken);
  }
  const auto cut = cut_broken_game(path, options.format);
  if (!cut) return Failure(cut.error());
  auto file = jobs::AppendFile::open(path);
  if (!file) return Failure(fmt::format("{}: cannot be written: {}", path.string(), file.error()));
  return GameFile(path.string(), options, std::move(lock), std::move(*file), *cut);
}

std::expected<void, std::string> GameFile::add(const PlayedGame& game) {
  if (!failed_.empty()) return Failure(failed_);
  const std::string text = text_of(game, options_, file_.size() == 0);
  const auto added = file_.append(std::as_bytes(std::span(text)));
  if (!added) failed_ = fmt::format("{}: cannot be written: {}", name_, added.error());
  return added ? added : Failure(failed_);
}

}  // namespace fuhyo::match
