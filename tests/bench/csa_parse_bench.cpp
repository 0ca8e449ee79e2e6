// How fast CSA records are read: MB per CPU-second on one core.
//   csa_parse_bench FILE_OR_FOLDER... [--seconds N]
// Every .csa file is read into memory first; then the whole set is parsed again and again.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engines/record/csa_reader.h"
#include "tests/bench/measure.h"

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void collect(const fs::path& path, std::vector<std::string>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(read_file(path));
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".csa") files.push_back(read_file(entry.path()));
  }
}

struct Totals {
  std::size_t bytes = 0, files = 0, games = 0, moves = 0, refused = 0;
};

void parse_all(const std::vector<std::string>& files, Totals& totals) {
  for (const std::string& bytes : files) {
    totals.bytes += bytes.size();
    ++totals.files;
    const auto file = fuhyo::record::read_csa(bytes);
    if (!file) {
      ++totals.refused;
      continue;
    }
    totals.games += file->games.size();
    for (const auto& game : file->games) totals.moves += game.game.moves.size();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  double seconds = 3;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else {
      collect(argv[i], files);
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "usage: csa_parse_bench FILE_OR_FOLDER... [--seconds N]\n");
    return 2;
  }
  Totals totals;
  const double start = fuhyo::bench::thread_seconds();
  double spent = 0;
  do {
    parse_all(files, totals);
    spent = fuhyo::bench::thread_seconds() - start;
  } while (spent < seconds);
  const double bytes = static_cast<double>(totals.bytes);
  const double moves = static_cast<double>(totals.moves);
  std::printf("files %zu  games %zu  refused %zu  CPU-seconds %.2f\n", totals.files, totals.games, totals.refused,
              spent);
  std::printf("%.1f MB per CPU-second  %.2f M moves per CPU-second  %.1f bytes a move\n", bytes / spent / 1e6,
              moves / spent / 1e6, bytes / moves);
  return 0;
}
