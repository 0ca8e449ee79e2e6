// How fast archives of AobaZero become training data: games a CPU-second on one core.
//   convert_bench [--games N] [--nodes N] [--candidates N]
// No archive of AobaZero is at hand: 60 games (or N, if that is fewer) of our engine against itself are written in the
// exact form of its records, with visits made up. Measured apart: records to hcpe, the same with the rule of mates in
// five, the general reader of records, and decompression.
#include <archive.h>
#include <archive_entry.h>
#include <cstdio>

#include "engines/learn/data/aobazero.h"
#include "engines/learn/data/record_texts.h"
#include "engines/learn/data/source.h"
#include "engines/learn/generate/self_play.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"
#include "tests/support/aobazero_record.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace fuhyo;
using bench::fail, bench::sure;
using learn::DataFormat;

struct Options {
  std::uint64_t games = 2'000, played = 60;
  std::int64_t nodes = 300;
  std::size_t candidates = 25;
};

struct Input {
  std::string text;
  std::uint64_t games = 0, moves = 0;
};

// A few games, played, and each of them written often, with other candidates each time.
Input make_input(const Options& options) {
  auto player = sure(learn::SelfPlay::make({.nodes = options.nodes, .to_the_end = 1}));
  const learn::Starts starts(learn::StartOptions{.first_ply = 0, .last_ply = 0, .random_moves = 4});
  std::vector<record::ScoredGame> played;
  while (played.size() < std::min(options.played, options.games)) {
    played.push_back(sure(player.play(played.size(), starts)));
  }
  Input input;
  test::Random random(1);
  for (; input.games < options.games; ++input.games) {
    const auto& game = played[input.games % played.size()];
    const test::AobaForm form{.drawn = {random() % 12, random() % 12}, .candidates = options.candidates};
    input.text += test::aoba_record(game, form, random) + "/\n";
    input.moves += game.moves.size();
  }
  return input;
}

void compress(const fs::path& file, const std::string& text) {
  archive* out = archive_write_new();
  archive_write_set_format_raw(out);
  archive_write_add_filter_xz(out);
  archive_write_open_filename(out, file.c_str());
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(out, entry);
  archive_write_data(out, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_free(out);
}

// CPU seconds of all of the file.
template <class Each>
double timed(const fs::path& file, Each each) {
  const double from = bench::thread_seconds();
  auto texts = sure(learn::RecordTexts::open(file, DataFormat::csa));
  while (const auto text = sure(texts.next())) each(*text);
  return bench::thread_seconds() - from;
}

double aobazero(const fs::path& file, const fs::path& out, int mate_plies, learn::AobaCounts& counts) {
  learn::ConversionLosses losses;
  learn::AobaReader reader({.least_plies = 0, .mate_plies = mate_plies});
  const auto sink = sure(learn::open_sink(out, DataFormat::hcpe, "", losses));
  const double spent = timed(file, [&](std::string_view text) {
    const auto game = sure(reader.read(text));
    if (game != nullptr && !sink->append(game->game)) fail("cannot be written");
  });
  counts = reader.counts();
  return spent;
}

double by_records(const fs::path& file, const fs::path& out) {
  learn::ConversionLosses losses;
  const double from = bench::thread_seconds();
  const auto source = sure(learn::open_source(file, DataFormat::csa, losses));
  const auto sink = sure(learn::open_sink(out, DataFormat::hcpe, "", losses));
  while (auto game = sure(source->next())) {
    for (record::ScoredMove& each : game->moves) each.score = 0;
    if (!sink->append(*game)) fail("cannot be written");
  }
  return bench::thread_seconds() - from;
}

void say(std::string_view what, const Input& input, double spent, std::uint64_t positions) {
  const auto games = static_cast<double>(input.games);
  fmt::print("{:<44} {:>8.0f} games/s  {:>7.1f} MB/s  {:>6.2f} us a move", what, games / spent,
             static_cast<double>(input.text.size()) / 1e6 / spent, spent * 1e6 / static_cast<double>(input.moves));
  if (positions > 0) fmt::print("  {} positions", positions);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::take_flags(argc, argv,
                    {{"--games", options.games}, {"--nodes", options.nodes}, {"--candidates", options.candidates}});
  const test::TemporaryFolder folder;
  const Input input = make_input(options);
  const fs::path plain = folder.write("a.csa", input.text), packed = folder / "a.csa.xz", out = folder / "a.hcpe";
  compress(packed, input.text);
  fmt::print("{} games, {:.1f} moves each, {:.1f} MB ({:.1f} MB as .xz); a CPU-second of one core\n", input.games,
             static_cast<double>(input.moves) / static_cast<double>(input.games),
             static_cast<double>(input.text.size()) / 1e6, static_cast<double>(fs::file_size(packed)) / 1e6);
  learn::AobaCounts counts;
  double spent = aobazero(plain, out, 0, counts);
  say("AobaZero's records to hcpe", input, spent, counts.positions);
  spent = aobazero(plain, out, 5, counts);
  say("... cut at mates in five", input, spent, counts.positions);
  fmt::print("    {} games cut, {} of them turned, {} positions left open\n", counts.mates, counts.turned,
             counts.undecided);
  say("CSA to hcpe by the reader of all records", input, by_records(plain, out), 0);
  say("splitting alone", input, timed(plain, [](std::string_view) {}), 0);
  say("decompressing .xz and splitting", input, timed(packed, [](std::string_view) {}), 0);
  return 0;
}
