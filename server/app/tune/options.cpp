#include "server/app/tune/options.h"

#include <CLI/CLI.hpp>

namespace fuhyo::app {

using match::tune::GpRules;
using match::tune::Spsa;
using match::tune::SpsaRules;
using match::tune::Tuner;
using match::tune::TwoStage;
using match::tune::TwoStageRules;

namespace {

void add_spsa_flags(CLI::App& command, TuneOptions& options) {
  constexpr const char* kGroup = "SPSA";
  command
      .add_option("--against", options.against,
                  "whom the changed values play: each-other (spsa), or base: the values of the beginning (yaneuraou)")
      ->check(CLI::IsMember({"each-other", "base"}))
      ->group(kGroup);
  command.add_option("--rounding", options.rounding, "of whole numbers: stochastic (spsa) or nearest (yaneuraou)")
      ->check(CLI::IsMember({"stochastic", "nearest"}))
      ->group(kGroup);
  command.add_option("--a-ratio", options.spsa.a_ratio, "spsa: A, as a share of all pairs of games")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--alpha", options.spsa.alpha, "spsa: how fast moves shrink")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--gamma", options.spsa.gamma, "spsa: how fast steps shrink")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--scale", options.spsa.scale, "yaneuraou: steps are so many of a parameter's own")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--mobility", options.spsa.mobility, "yaneuraou: moves are so many of a parameter's own")
      ->capture_default_str()
      ->group(kGroup);
}

void add_two_stage_flags(CLI::App& command, TuneOptions& options) {
  constexpr const char* kGroup = "Two stages";
  command.add_option("--startup", options.two_stage.tpe.startup, "proposals by chance before the first by results")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--tpe-gamma", options.two_stage.tpe.gamma, "the best are so many times the root of all proposals")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--candidates", options.two_stage.tpe.candidates, "drawn for each parameter of a proposal")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--kernel", options.kernel, "of the Gaussian process")
      ->check(CLI::IsMember({"rbf", "matern52"}))
      ->capture_default_str()
      ->group(kGroup);
  command.add_flag("--length-each", options.length_each, "a length scale for each parameter, instead of one for all")
      ->group(kGroup);
}

}  // namespace

void add_tune_flags(CLI::App& command, TuneOptions& options) {
  command
      .add_option("PARAMETERS", options.parameters,
                  "what is tuned: a .params file of YaneuraOu's scripts, lines as OpenBench and fishtest take them, or "
                  "\"option name\" lines of an engine; not needed when a state is gone on from")
      ->type_name("FILE");
  command.add_option("--only", options.only, "tunes only parameters of such names ('*' stands for anything)")
      ->type_name("PATTERN");
  command.add_flag("--toy", options.toy,
                   "plays no engine but a surface with a known best point, for trying methods and settings out");
  command.add_option("--method", options.method, "spsa (as fishtest), yaneuraou (its scripts' SPSA), two-stage")
      ->check(CLI::IsMember({"spsa", "yaneuraou", "two-stage"}))
      ->capture_default_str();
  command.add_flag("--list", options.list,
                   "plays nothing: writes the numbers among the engine's options as PARAMETERS, to be edited");
  command.add_option("--games", options.games, "in all, those before an interruption included")
      ->check(CLI::Range(2LL, 1'000'000'000LL));
  command.add_option("--games-per-trial", options.games_per_trial, "2, or 100 with two-stage")
      ->check(CLI::Range(1LL, 1'000'000LL));
  command
      .add_option("--state", options.state,
                  "everything is kept here; if the file is there already, the tuning in it goes on as it began")
      ->type_name("FILE");
  command.add_option("--save-every", options.save_every_s, "seconds between savings of the state")
      ->check(CLI::Range(0LL, 86'400LL))
      ->capture_default_str();
  command
      .add_option("--tell-every", options.tell_every, "games between lines that say how it goes (a fiftieth of all)")
      ->check(CLI::Range(1LL, 1'000'000'000LL));
  command.add_option("--params-out", options.params_out, "the chosen values, as a .params file")->type_name("FILE");
  command.add_option("--setoptions-out", options.setoptions_out, "the same as \"setoption\" lines")->type_name("FILE");
  command.add_option("--plot", options.plot_out, "an SVG with a panel for each parameter")->type_name("FILE");
  command
      .add_option("-e,--engine", options.engine,
                  "the tuning build of an engine: its command, and KEY=VALUE words as `fuhyo match` takes them")
      ->type_name("TEXT")
      ->group("Games");
  add_game_flags(command, options.play);
  add_spsa_flags(command, options);
  add_two_stage_flags(command, options);
}

std::expected<std::unique_ptr<Tuner>, std::string> make_tuner(match::tune::Parameters parameters,
                                                              const TuneOptions& options) {
  if (options.method == "two-stage") {
    TwoStageRules rules = options.two_stage;
    rules.seed = options.play.seed;
    rules.kernel = options.kernel == "rbf" ? GpRules::Kernel::rbf : GpRules::Kernel::matern52;
    rules.one_length = !options.length_each;
    auto tuner = TwoStage::begin(std::move(parameters), rules);
    if (!tuner) return std::unexpected(tuner.error());
    return std::make_unique<TwoStage>(std::move(*tuner));
  }
  SpsaRules rules = options.spsa;
  if (options.method == "yaneuraou") {
    const SpsaRules theirs = match::tune::yaneuraou_rules();
    rules.gains = theirs.gains, rules.against = theirs.against, rules.rounding = theirs.rounding;
  }
  if (options.against == "base") rules.against = SpsaRules::Against::base;
  if (options.against == "each-other") rules.against = SpsaRules::Against::each_other;
  if (options.rounding == "nearest") rules.rounding = SpsaRules::Rounding::nearest;
  if (options.rounding == "stochastic") rules.rounding = SpsaRules::Rounding::stochastic;
  rules.seed = options.play.seed;
  rules.pairs = options.games / 2;
  auto tuner = Spsa::begin(std::move(parameters), rules);
  if (!tuner) return std::unexpected(tuner.error());
  return std::make_unique<Spsa>(std::move(*tuner));
}

}  // namespace fuhyo::app
