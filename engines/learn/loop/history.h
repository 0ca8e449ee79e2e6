// The results of the generations of a run, and its page. Plain values; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fuhyo::learn {

// Elo with its 95 % interval; an end that is open is absent.
struct EloFigure {
  std::optional<double> value, low, high;
};

struct LossPoint {
  double epoch = 0, loss = 0;
};

struct GenerationReport {
  int number = 0;
  std::uint64_t games = 0, positions = 0;  // played in this generation
  std::int64_t nodes = 0;                  // a move
  double play_seconds = 0, train_seconds = 0, gate_seconds = 0;
  std::uint64_t samples = 0, steps = 0;  // of the training: in a pass, and in all
  double lambda = 0;
  double loss = 0, accuracy = 0, agreement = 0;  // of the games held back
  std::vector<LossPoint> training, validation;   // of the training's log
  std::string verdict;                           // "H1", "H0", "undecided"; empty: not tested yet
  std::int64_t test_games = 0, match_games = 0;
  EloFigure test, match;  // against the network before
  bool accepted = false;
};

struct RunReport {
  std::string name;
  std::uint64_t seed = 0;
  std::string configuration;                    // the text of the file
  std::string first = "the untrained network";  // what Elo is counted from
  std::vector<GenerationReport> generations;
};

// A page for people with figures and plots in it, and the same plots alone. HTML and SVG.
std::string to_page(const RunReport& run);
std::string plot_losses(const RunReport& run);
std::string plot_elo(const RunReport& run);
// Writes the page (index.html) and the plots (loss.svg, elo.svg) to the folder. An error names the file.
std::expected<void, std::string> write_page(const std::filesystem::path& folder, const RunReport& run);

}  // namespace fuhyo::learn
