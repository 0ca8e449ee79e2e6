// `fuhyo-learn othello`: what there is to do with a network for Othello; `fuhyo-learn loop` makes one.
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/othello/run.h"
#include "engines/manual/add_command.h"
#include "engines/nn/model_file.h"
#include "engines/othello/codingame/export.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

struct OthelloArguments {
  std::string network, output;
  OthelloPlayOptions play;
  std::uint64_t games = 100;
  std::vector<int> playouts{1, 2, 4, 8, 16, 32, 64};
};

int export_source(const OthelloArguments& arguments) {
  const auto loaded = nn::load_model(std::filesystem::path(arguments.network));
  if (!loaded) return complain(loaded.error()), kExitFailed;
  std::string remark = loaded->description;  // where the file lies is nobody else's business
  if (const std::size_t at = remark.find(arguments.network); at != std::string::npos) {
    remark.replace(at, arguments.network.size(), std::filesystem::path(arguments.network).filename().string());
  }
  const auto source = othello::codingame_source(*loaded->model, remark);
  if (!source) return complain(fmt::format("{}: {}", arguments.network, source.error())), kExitFailed;
  if (auto written = replace_file(arguments.output, *source); !written) return complain(written.error()), kExitFailed;
  fmt::print("{}: {} characters\n", arguments.output, source->size());
  return kExitOk;
}

int play_random(const OthelloArguments& arguments) {
  const auto model = load_othello_network(arguments.network);
  if (!model) return complain(model.error()), kExitFailed;
  usi::StopBySignal stop;
  fmt::print("| playouts | won | drawn | lost |\n| ---: | ---: | ---: | ---: |\n");
  for (const int playouts : arguments.playouts) {
    OthelloPlayOptions options = arguments.play;
    options.search.playouts = playouts;
    const auto score = beat_random(othello_backend(*model), options, arguments.games, stop.token());
    if (!score) return complain(score.error()), kExitFailed;
    if (score->games() == 0) return kExitStopped;
    fmt::print("| {} | {} | {} | {} |\n", playouts, score->wins, score->draws, score->losses);
    std::fflush(stdout);
  }
  return kExitOk;
}

}  // namespace

Command add_othello(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "othello", "Networks for Othello");
  command->require_subcommand(1);
  const auto arguments = std::make_shared<OthelloArguments>();
  CLI::App* exported = manual::add_command(*command, "export", "A network as one C++ file that plays on CodinGame");
  exported->add_option("--net", arguments->network, "The network")->required()->check(CLI::ExistingFile);
  exported->add_option("--out", arguments->output, "The C++ file, which is replaced")->required();
  CLI::App* random =
      manual::add_command(*command, "random", "Matches of a network against moves at random, as a table");
  random->add_option("--net", arguments->network, "The network")->required()->check(CLI::ExistingFile);
  random->add_option("--playouts", arguments->playouts, "A line of the table each (1,2,4,8,16,32,64)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000));
  random->add_option("--games", arguments->games, "Of a line (100)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}));
  random->add_option("--exploration", arguments->play.search.exploration, "The constant of PUCT (1)")
      ->check(CLI::Range(0.0, 100.0));
  random->add_option("--seed", arguments->play.seed, "Of the moves at random (1)");
  return [arguments, exported] { return exported->parsed() ? export_source(*arguments) : play_random(*arguments); };
}

}  // namespace fuhyo::learn
