// Files of openings, one after the other.
#include "engines/match/openings.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <random>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "engines/record/csa_reader.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using Openings = std::vector<Opening>;

bool is_record_name(const std::string& name) {
  std::string end = name.substr(name.size() < 4 ? 0 : name.size() - 4);
  std::ranges::transform(end, end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c; });
  return end == ".csa";
}

// Records begin with a version, a name, a header, a comment or a board; no opening in a line does.
bool looks_like_record(std::string_view bytes) {
  const std::string_view first = bytes.substr(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  const std::string_view line = first.substr(0, first.find('\n'));
  if (line.contains('/') && !line.starts_with('$') && !line.starts_with('N') && !line.starts_with('\'')) return false;
  constexpr std::string_view kBegin[] = {"V1", "V2", "V3", "N+", "N-", "$", "'", "PI", "P1-", "P1+", "P1 "};
  return std::ranges::any_of(kBegin, [&](std::string_view begin) { return line.starts_with(begin); });
}

// The opening of a record: its moves up to the cut, all of which the rules must allow.
std::expected<Opening, std::string> opening_of(const record::Game& record, std::optional<int> max_plies) {
  auto start = record.start.position();
  if (!start) return Failure(std::move(start.error().message));
  Opening out{.game = {.start = *start, .moves = {}}, .name = {}};
  shogi::Position position = *start;
  for (const record::RecordedMove& each : record.moves) {
    if (max_plies && std::cmp_equal(out.game.moves.size(), std::max(*max_plies, 0))) break;
    if (const shogi::Illegal why = position.why_illegal(each.move); why != shogi::Illegal::none) {
      return Failure(fmt::format("move {}, '{}', is illegal: {}", out.game.moves.size() + 1, shogi::to_usi(each.move),
                                 shogi::to_string(why)));
    }
    position.do_move(each.move);
    out.game.moves.push_back(each.move);
  }
  if (auto over = cut_opening(out.game, max_plies)) return Failure(std::move(*over));
  return out;
}

std::expected<void, std::string> add_records(Openings& out, std::string_view bytes, const std::string& name,
                                             std::optional<int> max_plies) {
  const auto file = record::read_csa(bytes);
  if (!file) return Failure(fmt::format("{}:{}: {}", name, file.error().line, file.error().text));
  const std::string stem = fs::path(name).stem().string();
  for (std::size_t i = 0; i < file->games.size(); ++i) {
    auto opening = opening_of(file->games[i].game, max_plies);
    if (!opening) return Failure(fmt::format("{}: game {}: {}", name, i + 1, opening.error()));
    opening->name = file->games.size() == 1 ? stem : fmt::format("{}#{}", stem, i + 1);
    out.push_back(std::move(*opening));
  }
  return {};
}

std::expected<void, std::string> add_lines(Openings& out, std::string_view bytes, const std::string& name,
                                           std::optional<int> max_plies) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  for (int number = 1; !bytes.empty(); ++number) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    auto opening = parse_opening(line, max_plies);
    if (!opening) return Failure(fmt::format("{}:{}: {}", name, number, opening.error()));
    if (*opening) out.push_back(std::move(**opening));
  }
  return {};
}

std::expected<void, std::string> add_file(Openings& out, std::string_view bytes, const std::string& name,
                                          std::optional<int> max_plies) {
  const bool record = is_record_name(name) || looks_like_record(bytes);
  return record ? add_records(out, bytes, name, max_plies) : add_lines(out, bytes, name, max_plies);
}

// By Fisher and Yates. The standard library's own shuffle may differ from one machine to the other.
void shuffle(Openings& openings, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t left = openings.size(); left > 1; --left) {
    std::swap(openings[left - 1], openings[random() % left]);
  }
}

std::size_t count_repeated(const Openings& openings) {
  std::unordered_set<std::string> seen;
  std::size_t repeated = 0;
  for (const Opening& opening : openings) {
    const std::string sfen = opening.game.current().sfen();
    repeated += seen.insert(sfen.substr(0, sfen.rfind(' '))).second ? 0 : 1;
  }
  return repeated;
}

std::expected<OpeningSet, std::string> arranged(Openings openings, const std::string& name,
                                                const OpeningOptions& options) {
  if (openings.empty()) return Failure(fmt::format("{}: there is no opening in it", name));
  if (options.first >= openings.size()) {
    return Failure(
        fmt::format("{}: opening {} is wanted first, and there are {}", name, options.first, openings.size()));
  }
  const std::size_t repeated = count_repeated(openings);
  if (options.seed) shuffle(openings, *options.seed);
  std::ranges::rotate(openings, openings.begin() + static_cast<std::ptrdiff_t>(options.first));
  return OpeningSet{.openings = std::move(openings), .repeated = repeated};
}

std::expected<std::string, std::string> bytes_of(const fs::path& file) {
  const std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  if (in) bytes << in.rdbuf();
  if (!in) return Failure(fmt::format("{}: cannot be read", file.string()));
  return std::move(bytes).str();
}

std::expected<std::vector<fs::path>, std::string> files_in(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector{path};
  std::vector<fs::path> files;
  fs::recursive_directory_iterator it(path, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error) && is_record_name(it->path().string())) files.push_back(it->path());
  }
  if (error) return Failure(fmt::format("{}: {}", path.string(), error.message()));
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::expected<OpeningSet, std::string> read_openings(const fs::path& path, const OpeningOptions& options) {
  const auto files = files_in(path);
  if (!files) return Failure(files.error());
  Openings openings;
  for (const fs::path& file : *files) {
    const auto bytes = bytes_of(file);
    if (!bytes) return Failure(bytes.error());
    if (auto added = add_file(openings, *bytes, file.string(), options.max_plies); !added) {
      return Failure(std::move(added.error()));
    }
  }
  return arranged(std::move(openings), path.string(), options);
}

std::expected<OpeningSet, std::string> parse_openings(std::string_view bytes, const std::string& name,
                                                      const OpeningOptions& options) {
  Openings openings;
  if (auto added = add_file(openings, bytes, name, options.max_plies); !added) return Failure(std::move(added.error()));
  return arranged(std::move(openings), name, options);
}

}  // namespace fuhyo::match
