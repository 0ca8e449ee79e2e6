// How long books take to open, and to answer, beside reading the same bytes: CPU time, the best of three rounds, the
// files in the page cache.
//   book_bench [POSITIONS [FOLDER]]    default 1000000, and a folder that is removed again

#include <fmt/core.h>
#include <functional>
#include <random>

#include "engines/book/bytes.h"
#include "engines/book/flip.h"
#include "engines/book/open.h"
#include "tests/bench/measure.h"
#include "tests/support/book_files.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace fuhyo;

double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double start = bench::thread_seconds();
    work();
    best = std::min(best, bench::thread_seconds() - start);
  }
  return best;
}

// Positions of the book, and as many that are not in it: those with the colours changed.
std::vector<book::Query> queries_of(const test::Positions& positions) {
  constexpr std::size_t kWanted = 10'000;
  std::mt19937 random(1);
  std::vector<book::Query> queries;
  const std::size_t every = std::max<std::size_t>(positions.size() / kWanted, 1);
  std::size_t number = 0;
  for (const auto& [sfen, entry] : positions) {
    if (number++ % every != 0) continue;
    const auto position = shogi::Position::from_sfen(sfen).value();
    queries.push_back({.position = position, .ply = position.ply() + 1});
    queries.push_back({.position = book::flipped(position).value(), .ply = position.ply() + 1});
  }
  std::shuffle(queries.begin(), queries.end(), random);
  return queries;
}

bool measure(const fs::path& file, bool on_the_fly, const std::vector<book::Query>& queries) {
  std::size_t found = 0;
  const double read_s = seconds_of([&] { found += book::read_whole(file).value()->size(); });
  book::Opened opened;
  const double open_s = seconds_of([&] {
    opened = {};
    opened = book::open_book(file, on_the_fly).value();
  });
  found = 0;
  const double ask_s = seconds_of([&] {
    found = 0;
    for (const book::Query& query : queries) found += opened.book->find(query).empty() ? 0 : 1;
  });
  fmt::print("{:10} {:10} {:7.1f} MB, read in {:6.3f} s, opened in {:6.3f} s, {:8.2f} us a question, {} of {} found\n",
             file.filename().string(), on_the_fly ? "on disk" : "in memory",
             static_cast<double>(fs::file_size(file)) / 1e6, read_s, open_s,
             ask_s * 1e6 / static_cast<double>(queries.size()), found, queries.size());
  return found >= queries.size() / 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  const test::TemporaryFolder temporary;
  const fs::path folder = argc > 2 ? fs::path(argv[2]) : temporary.path();
  const test::Positions positions = test::random_positions(count, 1);
  std::ofstream(folder / "bench.db", std::ios::binary) << test::text_file(positions);
  std::ofstream(folder / "bench.ybb", std::ios::binary) << test::ybb_file(positions);
  fmt::print("{} positions\n", positions.size());
  const auto queries = queries_of(positions);
  bool all = true;
  for (const char* name : {"bench.db", "bench.ybb"}) {
    for (const bool on_the_fly : {false, true}) all = measure(folder / name, on_the_fly, queries) && all;
  }
  return all ? 0 : 1;
}
