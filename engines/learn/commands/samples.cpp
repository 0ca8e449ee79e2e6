// `fuhyo-learn samples`: positions to learn moves and values from, out of lines of play or games with scores.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/data/game_files.h"
#include "engines/learn/data/text_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/policy/from_games.h"
#include "engines/learn/policy/from_lines.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Done = std::expected<void, std::string>;

struct SamplesArguments {
  std::string lines, folder;
  std::vector<std::string> games, apart;
  policy::LineOptions line_options;
  policy::GameOptions game_options;
};

Done write(const SamplesArguments& arguments, const std::string& made_by, const std::vector<policy::Sample>& train,
           const std::vector<policy::Sample>& test) {
  if (auto made = make_folder(arguments.folder); !made) return made;
  for (const auto& [name, samples] : {std::pair{"train", &train}, {"test", &test}}) {
    const fs::path file = fs::path(arguments.folder) / (std::string(name) + std::string(policy::kSamplesEnd));
    if (auto written = policy::write_samples(file, made_by, *samples); !written) return written;
    print_line(fmt::format("{}: {}", file.string(), record::counted(samples->size(), "sample")));
  }
  return {};
}

Done from_lines(const SamplesArguments& arguments) {
  const auto text = read_text_file(arguments.lines);
  if (!text) return std::unexpected(text.error());
  const std::string name = fs::path(arguments.lines).filename().string();
  const auto found = policy::samples_of_lines(*text, name, arguments.line_options);
  if (!found) return std::unexpected(found.error());
  for (const std::string& fault : found->faults) print_line("left out: " + fault);
  print_line(fmt::format("{}, {} of them for tests; {} of the tree to learn from",
                         record::counted(found->lines, "line"), found->test_lines,
                         record::counted(found->edges, "move")));
  print_line(fmt::format("{} of test lines left out, since the training shows them too",
                         record::counted(found->dropped, "position")));
  return write(arguments,
               fmt::format("lines of {}, {} of them held out by a hash of {} plies", name,
                           arguments.line_options.held_out, arguments.line_options.prefix_plies),
               found->train, found->test);
}

std::expected<std::unordered_set<std::uint64_t>, std::string> keys_of(const std::vector<std::string>& files) {
  std::unordered_set<std::uint64_t> out;
  for (const std::string& name : files) {
    const auto file = policy::read_samples(name);
    if (!file) return std::unexpected(file.error());
    for (const policy::Sample& sample : file->samples) {
      const auto position = record::unpack(sample.position, sample.ply);
      if (!position) return std::unexpected(fmt::format("{}: {}", name, position.error()));
      out.insert(policy::input_key(*position));
    }
  }
  return out;
}

Done from_games(const SamplesArguments& arguments) {
  auto apart = keys_of(arguments.apart);
  if (!apart) return std::unexpected(apart.error());
  auto files = GameFiles::open(arguments.games);
  if (!files) return std::unexpected(files.error());
  policy::GameSamples samples(arguments.game_options, std::move(*apart));
  while (true) {
    const auto game = files->next();
    if (!game) return std::unexpected(game.error());
    if (!*game) break;
    samples.add(**game);
  }
  const auto train = samples.train();
  const auto late = std::ranges::count_if(
      train, [&](const policy::Sample& sample) { return sample.ply >= arguments.game_options.late_ply; });
  print_line(fmt::format("{}; {} from ply {} on; {} left out, since tests show them",
                         record::counted(samples.games(), "game"), record::counted(late, "sample"),
                         arguments.game_options.late_ply, samples.left_out()));
  return write(arguments, fmt::format("games of {}", fmt::join(arguments.games, " ")), train, samples.test());
}

int run(const SamplesArguments& arguments) {
  if (arguments.lines.empty() == arguments.games.empty()) return complain("--lines or --games is needed"), kExitUsage;
  const auto done = arguments.lines.empty() ? from_games(arguments) : from_lines(arguments);
  if (!done) return complain(done.error()), kExitFailed;
  return kExitOk;
}

}  // namespace

Command add_samples(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "samples", "Makes samples for policy and value networks");
  const auto arguments = std::make_shared<SamplesArguments>();
  auto* lines = command->add_option("--lines", arguments->lines, "Lines of moves, plain or compressed");
  auto* games =
      command->add_option("--games", arguments->games, "Files of games, folders or patterns")->excludes(lines);
  command->add_option("-o,--output", arguments->folder, "Folder: gets train.samples and test.samples")->required();
  command->add_option("--held-out", arguments->line_options.held_out, "Part of the lines that is for tests (0.05)")
      ->check(CLI::Range(0.0, 0.5));
  command
      ->add_option("--prefix", arguments->line_options.prefix_plies,
                   "... told by so many plies: lines that part later are on one side (30)")
      ->check(CLI::Range(1, 1'000));
  command->add_option("--most", arguments->game_options.most, "Samples to learn from, at most (all)")->needs(games);
  command->add_option("--late", arguments->game_options.late, "... and so much of them late in games (0.75)")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--late-ply", arguments->game_options.late_ply, "... which is from this ply on (60)");
  command->add_option("--held-back", arguments->game_options.held_back,
                      "One game of so many is for tests (64); 0: none");
  command->add_option("--apart", arguments->apart, "Samples of tests: what they show is not learnt, mirrored or not")
      ->needs(games);
  command->add_option("--seed", arguments->game_options.seed, "Of what is drawn by lot (1)");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
