// `fuhyo-learn aobazero`: archives of AobaZero as training data.
#include "engines/learn/data/aobazero.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/record_texts.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

struct AobazeroArguments : RecordArguments {
  AobaOptions options;
};

void say(const AobaCounts& counts, const AobazeroArguments& arguments) {
  fmt::print("{}: {} of {}\n", arguments.out.out, record::counted(counts.positions, "position"),
             record::counted(counts.games - counts.illegal - counts.too_short - counts.nothing, "game"));
  fmt::print("out: {} with an illegal end, {} of less than {} plies, {} with nothing behind the drawn moves\n",
             record::counted(counts.illegal, "game"), counts.too_short, arguments.options.least_plies, counts.nothing);
  fmt::print("drawn by lot: {} positions before those\n", counts.drawn);
  fmt::print("cut at a mate in {}: {} games, {} of them with another result before; {} positions left open\n",
             arguments.options.mate_plies, counts.mates, counts.turned, counts.undecided);
  fmt::print("ends: {} declarations, {} repetitions, {} broken off (draws)\n", counts.declared, counts.repeated,
             counts.broken_off);
}

int run(AobazeroArguments& arguments) {
  const auto format = output_format(arguments.out);
  if (!format) return complain(format.error()), kExitUsage;
  const auto files = record_files_named(arguments.in, DataFormat::csa);
  if (!files) return complain(files.error()), kExitUsage;
  arguments.options.candidates = *format == DataFormat::hcpe3;
  ConversionLosses losses;
  LeftOut left_out;
  AobaReader reader(arguments.options);
  auto sink = open_sink(arguments.out.out, *format, "fuhyo-learn aobazero", losses);
  if (!sink) return complain(sink.error()), kExitFailed;
  const auto convert = [&](RecordTexts& texts, std::string_view text) -> std::expected<void, std::string> {
    const auto game = reader.read(text);
    if (!game) return texts.leave_out(game.error());
    if (*game == nullptr) return {};
    return arguments.options.candidates ? (*sink)->append((*game)->game, (*game)->candidates)
                                        : (*sink)->append((*game)->game);
  };
  if (auto done = each_text(*files, arguments, left_out, convert); !done) return complain(done.error()), kExitFailed;
  if (auto finished = (*sink)->finish(); !finished) return complain(finished.error()), kExitFailed;
  say(reader.counts(), arguments);
  for (const auto& [what, count] : losses.counts()) fmt::print("lost: {} ({})\n", what, count);
  say_left_out(left_out);
  return kExitOk;
}

}  // namespace

Command add_aobazero(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "aobazero", "Makes training data of AobaZero's archives");
  const auto arguments = std::make_shared<AobazeroArguments>();
  add_record_flags(*command, *arguments);
  command->add_option("--drawn", arguments->options.drawn_plies, "Plies within which moves were drawn by visits (30)");
  command->add_option("--least", arguments->options.least_plies, "Games of fewer plies are out (31)");
  command->add_option("--mate", arguments->options.mate_plies, "Cut games at a mate in so many plies (5); 0: do not")
      ->check(CLI::IsMember({0, 1, 3, 5, 7}));
  command->add_option("--mate-moves", arguments->options.mate_moves, "... looking at so many moves a position (100000)")
      ->check(CLI::Range(1, 1'000'000'000));
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
