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

struct SamplesOptions {
  std::string lines, folder;
  std::vector<std::string> games, apart;
  policy::LineTerms line_terms;
  policy::GameTerms game_terms;
};

void say(const std::string& line) { fmt::print("{}\n", line), std::fflush(stdout); }

Done write(const SamplesOptions& options, const std::string& made_by, const std::vector<policy::Sample>& train,
           const std::vector<policy::Sample>& test) {
  if (auto made = make_folder(options.folder); !made) return made;
  for (const auto& [name, samples] : {std::pair{"train", &train}, {"test", &test}}) {
    const fs::path file = fs::path(options.folder) / (std::string(name) + std::string(policy::kSamplesEnd));
    if (auto written = policy::write_samples(file, made_by, *samples); !written) return written;
    say(fmt::format("{}: {}", file.string(), record::counted(samples->size(), "sample")));
  }
  return {};
}

Done from_lines(const SamplesOptions& options) {
  const auto text = read_text_file(options.lines);
  if (!text) return std::unexpected(text.error());
  const std::string name = fs::path(options.lines).filename().string();
  const auto found = policy::samples_of_lines(*text, name, options.line_terms);
  if (!found) return std::unexpected(found.error());
  for (const std::string& fault : found->faults) say("left out: " + fault);
  say(fmt::format("{}, {} of them for tests; {} of the tree to learn from", record::counted(found->lines, "line"),
                  found->test_lines, record::counted(found->edges, "move")));
  say(fmt::format("{} of test lines left out, since the training shows them too",
                  record::counted(found->dropped, "position")));
  return write(options,
               fmt::format("lines of {}, {} of them held out by a hash of {} plies", name, options.line_terms.held_out,
                           options.line_terms.prefix_plies),
               found->train, found->test);
}

std::expected<std::unordered_set<std::uint64_t>, std::string> looks(const std::vector<std::string>& files) {
  std::unordered_set<std::uint64_t> out;
  for (const std::string& name : files) {
    const auto file = policy::read_samples(name);
    if (!file) return std::unexpected(file.error());
    for (const policy::Sample& sample : file->samples) {
      const auto position = record::unpack(sample.position, sample.ply);
      if (!position) return std::unexpected(fmt::format("{}: {}", name, position.error()));
      out.insert(policy::look_key(*position));
    }
  }
  return out;
}

Done from_games(const SamplesOptions& options) {
  auto apart = looks(options.apart);
  if (!apart) return std::unexpected(apart.error());
  auto files = GameFiles::open(options.games);
  if (!files) return std::unexpected(files.error());
  policy::GameSamples samples(options.game_terms, std::move(*apart));
  while (true) {
    const auto game = files->next();
    if (!game) return std::unexpected(game.error());
    if (!*game) break;
    samples.add(**game);
  }
  const auto train = samples.train();
  const auto late = std::ranges::count_if(
      train, [&](const policy::Sample& sample) { return sample.ply >= options.game_terms.late_ply; });
  say(fmt::format("{}; {} from ply {} on; {} left out, since tests show them", record::counted(samples.games(), "game"),
                  record::counted(late, "sample"), options.game_terms.late_ply, samples.left_out()));
  return write(options, fmt::format("games of {}", fmt::join(options.games, " ")), train, samples.test());
}

int run(const SamplesOptions& options) {
  if (options.lines.empty() == options.games.empty()) return complain("--lines or --games is needed"), kExitUsage;
  const auto done = options.lines.empty() ? from_games(options) : from_lines(options);
  if (!done) return complain(done.error()), kExitFailed;
  return kExitOk;
}

}  // namespace

Command add_samples(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "samples", "Make samples for policy and value networks");
  const auto options = std::make_shared<SamplesOptions>();
  auto* lines = command->add_option("--lines", options->lines, "Lines of moves, plain or compressed");
  auto* games = command->add_option("--games", options->games, "Files of games, folders or patterns")->excludes(lines);
  command->add_option("-o,--output", options->folder, "Folder: gets train.samples and test.samples")->required();
  command->add_option("--held-out", options->line_terms.held_out, "Part of the lines that is for tests (0.05)")
      ->check(CLI::Range(0.0, 0.5));
  command
      ->add_option("--prefix", options->line_terms.prefix_plies,
                   "... told by so many plies: lines that part later are on one side (30)")
      ->check(CLI::Range(1, 1'000));
  command->add_option("--most", options->game_terms.most, "Samples to learn from, at most (all)")->needs(games);
  command->add_option("--late", options->game_terms.late, "... and so much of them late in games (0.75)")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--late-ply", options->game_terms.late_ply, "... which is from this ply on (60)");
  command->add_option("--held-back", options->game_terms.held_back, "One game of so many is for tests (64); 0: none");
  command->add_option("--apart", options->apart, "Samples of tests: what they show is not learnt, mirrored or not")
      ->needs(games);
  command->add_option("--seed", options->game_terms.seed, "Of what is drawn by lot (1)");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::learn
