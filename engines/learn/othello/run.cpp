#include "engines/learn/othello/run.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>

#include "engines/learn/data/block.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/loop/round_loop.h"
#include "engines/learn/loop/stage.h"
#include "engines/learn/othello/records.h"
#include "engines/learn/othello/sample_source.h"
#include "engines/learn/train/trainer.h"
#include "engines/nn/choice.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/model_file.h"
#include "engines/othello/othello_game.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using Failure = std::unexpected<std::string>;

json::object json_of(const OthelloScore& score) {
  return {{"wins", score.wins}, {"draws", score.draws}, {"losses", score.losses}};
}

std::expected<OthelloScore, std::string> score_of(const json::value& value, const fs::path& file) {
  try {
    const json::object& object = value.as_object();
    const auto number = [&](std::string_view key) { return object.at(key).to_number<std::uint64_t>(); };
    return OthelloScore{.wins = number("wins"), .draws = number("draws"), .losses = number("losses")};
  } catch (const std::exception&) {  // Boost.JSON's: a member is missing or of another kind
    return Failure(fmt::format("{}: this is no result of a match", file.string()));
  }
}

class OthelloLoop final : RoundLoop {
 public:
  OthelloLoop(const OthelloLoopOptions& options, const std::stop_token& stop)
      : RoundLoop(options.folder, "epoch", options.config.seed, options.say, stop),
        options_(options),
        config_(options.config) {}

  std::expected<OthelloLoopResult, std::string> run() {
    const auto done = run_rounds(config_.epochs + 1);
    if (!done) return Failure(done.error());
    result_.complete = *done;
    return std::move(result_);
  }

 private:
  fs::path network(int epoch) const { return folder(epoch) / policy::kNetworkName; }
  // The first weights of the first training are those of the untrained network.
  std::expected<void, std::string> prepare() override {
    if (auto made = make_folder(folder(0)); !made) return made;
    std::error_code error;
    const nn::Shape& shape = config_.train.shape;
    if (fs::exists(network(0), error)) {
      const auto model = load_othello_network(network(0));
      if (!model) return Failure(model.error());
      if (model->shape == shape) return {};
      return Failure(fmt::format("{}: a network of another shape: {}, not {}", network(0).string(), model->shape.name(),
                                 shape.name()));
    }
    const auto layout = policy::Layout::make(shape);
    if (!layout) return Failure(layout.error());
    const nn::Model model =
        policy::folded(*layout, policy::first_weights(*layout, seed(1, 1)), policy::first_statistics(*layout));
    return write_network(model, "untrained", network(0));
  }

  // ---- games ----
  std::size_t parts() const { return static_cast<std::size_t>((config_.games + config_.part - 1) / config_.part); }
  fs::path part_file(int epoch, std::size_t part) const {
    return folder(epoch) / fmt::format("games-{}.othello", part);
  }
  std::uint64_t part_size(std::size_t part) const {
    return std::min(config_.part, config_.games - part * config_.part);
  }
  // How the games of a part came about.
  std::expected<std::string, std::string> made_by() const {
    const auto bytes = read_file(network(number() - 1));
    if (!bytes) return Failure(bytes.error());
    const OthelloSearchOptions& search = config_.play.search;
    return fmt::format("{} playouts, exploration {}, noise {} of {}, seed {}, network {:08x}", search.playouts,
                       search.exploration, search.noise, search.alpha, seed(0),
                       crc32c({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()}));
  }
  // Whether a part is there. A file that was cut off or damaged is none; one that was made otherwise is an error.
  Done is_there(std::size_t part, const std::string& made_by) const {
    std::error_code error;
    if (!fs::exists(part_file(number(), part), error)) return false;
    const auto found = read_othello(part_file(number(), part));
    if (!found) {
      say(fmt::format("{}: it is played again", found.error()));
      return false;
    }
    if (found->made_by == made_by && found->games.size() == part_size(part)) return true;
    return Failure(fmt::format("{}: made by other terms ({}, {} games); without the folder it is made anew",
                               part_file(number(), part).string(), found->made_by, found->games.size()));
  }

  Done play() override {
    if (number() == 0) return true;
    const auto made = made_by();
    if (!made) return Failure(made.error());
    std::vector<std::size_t> missing;
    for (std::size_t part = 0; part < parts(); ++part) {
      const auto there = is_there(part, *made);
      if (!there) return there;
      if (!*there) missing.push_back(part);
    }
    if (missing.empty()) return true;
    const auto model = load_othello_network(network(number() - 1));
    if (!model) return Failure(model.error());
    return play_parts(*model, *made, missing);
  }

  // Each thread takes part after part.
  Done play_parts(const nn::Model& model, const std::string& made_by, const std::vector<std::size_t>& missing) {
    OthelloPlayOptions options = config_.play;
    options.seed = seed(0);
    const auto backend = othello_backend(model);
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::string wrong;
    std::uint64_t played = 0;
    const Stopwatch watch;
    const auto work = [&](std::unique_ptr<nn::Backend> own) -> std::expected<void, std::string> {
      for (std::size_t i = next++; i < missing.size() && !stop_.stop_requested(); i = next++) {
        const std::uint64_t count = part_size(missing[i]);
        const auto games = play_othello(own->for_another_thread(), options, missing[i] * config_.part, count, stop_);
        if (!games) return Failure(games.error());
        if (games->empty()) return {};
        if (auto done = write_othello(part_file(number(), missing[i]), made_by, *games); !done) return done;
        const std::lock_guard lock(mutex);
        played += count;
        say(fmt::format("{}, {:.1f} a second", record::counted(played, "game"),
                        static_cast<double>(played) / watch.seconds()));
      }
      return {};
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < options_.threads; ++i) {
        threads.emplace_back([&, own = backend->for_another_thread()]() mutable {
          const auto done = work(std::move(own));
          const std::lock_guard lock(mutex);
          if (!done && wrong.empty()) wrong = done.error();
          if (!done) next = missing.size();  // nobody begins another part
        });
      }
    }
    if (!wrong.empty()) return Failure(wrong);
    return !stop_.stop_requested();
  }

  // ---- training ----
  std::string train_text(int first) const {
    return fmt::format("{}; games of {} to {}, {} each; seed {}", text_of_steps(config_.train), first, number(),
                       config_.games, seed(1));
  }

  Done learn() override {
    if (number() == 0) return true;
    const int first = std::max(1, number() - config_.window + 1);
    const auto stage = run_stage(folder() / "train.json", train_text(first), [&] { return train(first); });
    if (!stage) return Failure(stage.error());
    return stage->has_value();
  }
  StageResult train(int first) {
    policy::TrainOptions options = config_.train;
    options.seed = seed(1);
    if (number() > 1) options.from = (folder(number() - 1) / kCheckpointName).string();
    options.threads = std::min(options_.threads, policy::kMostLanes);
    options.say = teller();
    std::vector<fs::path> files;
    for (int epoch = first; epoch <= number(); ++epoch) {
      for (std::size_t part = 0; part < parts(); ++part) files.push_back(part_file(epoch, part));
    }
    OthelloSampleSource source(std::move(files));
    const auto trained = policy::train(options, source, folder(), stop_);
    if (!trained) return Failure(trained.error());
    if (!trained->complete) return std::nullopt;
    return json::object{{"samples", trained->samples}, {"steps", trained->steps}};
  }

  // ---- matches against moves at random ----
  Done test() override {
    result_.network = network(number());
    const auto score = against_random(config_.arena_playouts, "arena.json");
    if (!score) return Failure(score.error());
    if (score->games() == 0) return false;
    result_.by_epoch.push_back(*score);
    say(fmt::format("{}-{}-{} against moves at random", score->wins, score->draws, score->losses));
    for (const int playouts : number() == config_.epochs ? config_.arena_table : std::vector<int>{}) {
      const auto line = against_random(playouts, fmt::format("arena-{}.json", playouts));
      if (!line) return Failure(line.error());
      if (line->games() == 0) return false;
      result_.by_playouts.emplace_back(playouts, *line);
    }
    const auto written = replace_file(options_.folder / "tables.md", othello_tables(config_, result_));
    if (!written) return Failure(written.error());
    return true;
  }

  std::expected<OthelloScore, std::string> against_random(int playouts, const std::string& file) {
    OthelloPlayOptions options = config_.play;
    options.search.playouts = playouts;
    options.seed = seed(2);
    auto stage =
        Stage::open(folder() / file, fmt::format("{} games, {} playouts, exploration {}, seed {}", config_.arena_games,
                                                 playouts, options.search.exploration, options.seed));
    if (!stage) return Failure(stage.error());
    if (stage->result()) return score_of(*stage->result(), folder() / file);
    const auto model = load_othello_network(network(number()));
    if (!model) return Failure(model.error());
    const Stopwatch watch;
    const auto score = beat_random(othello_backend(*model), options, config_.arena_games, stop_);
    if (!score || score->games() == 0) return score;
    if (auto kept = stage->done(json_of(*score), watch.seconds()); !kept) return Failure(kept.error());
    return score;
  }

  const OthelloLoopOptions& options_;
  const OthelloConfig& config_;
  OthelloLoopResult result_;
};

}  // namespace

std::expected<OthelloLoopResult, std::string> run_othello_loop(const OthelloLoopOptions& options,
                                                               const std::stop_token& stop) {
  return OthelloLoop(options, stop).run();
}

std::expected<nn::Model, std::string> load_othello_network(const fs::path& file) {
  auto loaded = nn::load_model(file);
  if (!loaded) return Failure(loaded.error());
  if (auto fits = othello::check_shape(loaded->model->shape); !fits) {
    return Failure(fmt::format("{}: {}", file.string(), fits.error()));
  }
  return *loaded->model;
}

std::unique_ptr<nn::Backend> othello_backend(const nn::Model& model) {
  return nn::cpu_backend(model, *nn::kernels_here().front());
}

std::string othello_tables(const OthelloConfig& config, const OthelloLoopResult& result) {
  const auto line = [](auto name, const OthelloScore& score) {
    return fmt::format("| {} | {} | {} | {} |\n", name, score.wins, score.draws, score.losses);
  };
  std::string out = fmt::format(
      "Othello against moves at random, {} games a line.\n\n"
      "| epoch, {} playouts | won | drawn | lost |\n| ---: | ---: | ---: | ---: |\n",
      config.arena_games, config.arena_playouts);
  for (std::size_t i = 0; i < result.by_epoch.size(); ++i) out += line(i, result.by_epoch[i]);
  if (result.by_playouts.empty()) return out;
  out += fmt::format("\n| playouts, epoch {} | won | drawn | lost |\n| ---: | ---: | ---: | ---: |\n", config.epochs);
  for (const auto& [playouts, score] : result.by_playouts) out += line(playouts, score);
  return out;
}

}  // namespace fuhyo::learn
