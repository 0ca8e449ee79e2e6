// `fuhyo-learn aobazero`: archives of AobaZero as training data.
#include "engines/learn/data/aobazero.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/record_texts.h"

namespace fuhyo::learn {
namespace {

struct Options {
  std::vector<std::string> in;
  OutputOptions out;
  AobaTerms terms;
  bool strict = false;
};

std::expected<void, std::string> convert(const std::filesystem::path& file, const Options& options, AobaReader& reader,
                                         GameSink& sink, LeftOut& left_out) {
  auto texts = RecordTexts::open(file, DataFormat::csa);
  if (!texts) return std::unexpected(texts.error());
  for (;;) {
    const auto text = texts->next();
    if (!text && options.strict) return std::unexpected(text.error());
    if (!text) left_out.add(text.error());
    if (!text || !*text) return {};
    const auto game = reader.read(**text);
    if (!game) {
      std::string why = fmt::format("{}: {}", texts->where(), game.error());
      if (options.strict) return std::unexpected(std::move(why));
      left_out.add(std::move(why));
    } else if (*game != nullptr) {
      const bool all = options.terms.candidates;
      auto appended = all ? sink.append((*game)->game, (*game)->candidates) : sink.append((*game)->game);
      if (!appended) return appended;
    }
  }
}

void say(const AobaCounts& counts, const Options& options) {
  fmt::print("{}: {} positions of {} games\n", options.out.out, counts.positions,
             counts.games - counts.illegal - counts.too_short - counts.nothing);
  fmt::print("out: {} games with an illegal end, {} of less than {} plies, {} with nothing behind the drawn moves\n",
             counts.illegal, counts.too_short, options.terms.least_plies, counts.nothing);
  fmt::print("drawn by lot: {} positions before those\n", counts.drawn);
  fmt::print("cut at a mate in {}: {} games, {} of them with another result before; {} positions left open\n",
             options.terms.mate_plies, counts.mates, counts.turned, counts.undecided);
  fmt::print("ends: {} declarations, {} repetitions, {} broken off (draws)\n", counts.declared, counts.repeated,
             counts.broken_off);
}

int run(Options& options) {
  const auto format = output_format(options.out);
  if (!format) return complain(format.error()), kExitUsage;
  const auto files = record_files_named(options.in, DataFormat::csa);
  if (!files) return complain(files.error()), kExitUsage;
  options.terms.candidates = *format == DataFormat::hcpe3;
  ConversionLosses losses;
  LeftOut left_out;
  AobaReader reader(options.terms);
  auto sink = open_sink(options.out.out, *format, "fuhyo-learn aobazero", losses);
  if (!sink) return complain(sink.error()), kExitFailed;
  for (const auto& file : *files) {
    if (auto done = convert(file, options, reader, **sink, left_out); !done) return complain(done.error()), kExitFailed;
  }
  if (auto finished = (*sink)->finish(); !finished) return complain(finished.error()), kExitFailed;
  say(reader.counts(), options);
  for (const auto& [what, count] : losses.counts()) fmt::print("lost: {} ({})\n", what, count);
  say_left_out(left_out);
  return kExitOk;
}

}  // namespace

Command add_aobazero(CLI::App& root) {
  CLI::App* command = root.add_subcommand("aobazero", "Make training data of AobaZero's archives");
  const auto options = std::make_shared<Options>();
  command->add_option("in", options->in, "Records, plain or compressed, folders, or patterns with * and ?")->required();
  add_output_flags(*command, options->out);
  command->add_option("--drawn", options->terms.drawn_plies, "Plies within which moves were drawn by visits (30)");
  command->add_option("--least", options->terms.least_plies, "Games of fewer plies are out (31)");
  command->add_option("--mate", options->terms.mate_plies, "Cut games at a mate in so many plies (5); 0: do not")
      ->check(CLI::IsMember({0, 1, 3, 5, 7}));
  command->add_option("--mate-moves", options->terms.mate_moves, "... looking at so many moves a position (100000)")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_flag("--strict", options->strict, "Stop at a game that cannot be read, instead of counting it");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::learn
