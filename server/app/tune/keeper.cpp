#include "server/app/tune/keeper.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "engines/match/tune/toy.h"
#include "engines/record/counted.h"
#include "server/app/commands.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {

namespace tune = match::tune;

namespace {

using Failure = std::unexpected<ExitError>;

TuneResult<std::string> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return Failure({fmt::format("{}: cannot be read", path), kExitNoInput});
  return bytes;
}

TuneResult<void> write(const std::string& path, std::string_view text) {
  if (path.empty()) return {};
  if (const auto written = store::replace_file(path, text); !written)
    return Failure({written.error(), kExitCannotCreate});
  return {};
}

TuneResult<tune::Parameters> wanted_parameters(const TuneOptions& options) {
  if (options.parameters.empty() && options.toy) return tune::toy_parameters();
  if (options.parameters.empty()) return Failure({"what is to be tuned? PARAMETERS, or --state FILE", kExitUsage});
  const auto text = read(options.parameters);
  if (!text) return Failure(text.error());
  auto parameters = tune::read_parameters(*text, options.parameters);
  if (!parameters) return Failure({parameters.error(), kExitNoInput});
  if (options.only.empty()) return *parameters;
  auto those = tune::selected(*parameters, options.only);
  if (!those) return Failure({"--only: " + those.error(), kExitUsage});
  return *those;
}

// In a table: a real number to six digits.
std::string shown(const tune::Parameter& parameter, double value) {
  return parameter.integer ? tune::value_text(parameter, value) : fmt::format("{:.6g}", value);
}

bool is_toy(const tune::Parameters& parameters) {
  return std::ranges::equal(parameters, tune::toy_parameters(), {}, &tune::Parameter::name, &tune::Parameter::name);
}

}  // namespace

TuneResult<std::optional<jobs::FileLock>> lock_state(const TuneOptions& options) {
  if (options.state.empty()) return std::nullopt;
  auto lock = jobs::FileLock::take(options.state + ".lock");
  if (!lock) return Failure({fmt::format("{}: {}", options.state, lock.error()), kExitNoInput});
  return std::optional(std::move(*lock));
}

TuneResult<std::unique_ptr<tune::Tuner>> open_tuner(const TuneOptions& options) {
  std::unique_ptr<tune::Tuner> tuner;
  std::error_code error;
  if (!options.state.empty() && std::filesystem::exists(options.state, error)) {
    const auto text = read(options.state);
    if (!text) return Failure(text.error());
    auto loaded = tune::load_tuner(*text, options.state);
    if (!loaded) return Failure({loaded.error(), kExitNoInput});
    tuner = std::move(*loaded);
    fmt::print(stderr, "going on from {} after {}, with the method and parameters that it began with\n", options.state,
               record::counted(tuner->games(), "game"));
  } else {
    auto parameters = wanted_parameters(options);
    if (!parameters) return Failure(parameters.error());
    auto made = make_tuner(std::move(*parameters), options);
    if (!made) return Failure({made.error(), kExitUsage});
    tuner = std::move(*made);
  }
  if (options.toy && !is_toy(tuner->parameters())) {
    return Failure({"--toy has parameters of its own, and these are others", kExitUsage});
  }
  return tuner;
}

TuneResult<void> TuneKeeper::save() {
  saved_ = Steady::now();
  return options_.state.empty() ? TuneResult<void>{} : write(options_.state, tuner_.save());
}

TuneResult<void> TuneKeeper::reported(std::string_view more) {
  const std::int64_t every =
      options_.tell_every > 0 ? options_.tell_every : std::max<std::int64_t>(1, options_.games / 50);
  const auto now = Steady::now();
  if (tuner_.games() / every > told_) {
    told_ = tuner_.games() / every;
    const double seconds = std::chrono::duration<double>(now - began_).count();
    const auto played = static_cast<double>(tuner_.games() - games_before_);
    const double left =
        seconds / played * static_cast<double>(std::max<std::int64_t>(0, options_.games - tuner_.games()));
    fmt::print("{} of {}, {:.1f} s, {:.0f} s to go{}\n", tuner_.games(), record::counted(options_.games, "game"),
               seconds, left, more);
    std::fflush(stdout);
  }
  if (now - saved_ < std::chrono::seconds(options_.save_every_s)) return {};
  return save();
}

TuneResult<void> TuneKeeper::finish() {
  if (const auto saved = save(); !saved) return saved;
  const tune::Parameters& before = tuner_.parameters();
  const tune::Parameters after = tune::with_values(before, tuner_.best());
  fmt::print("---\n{}\n{:<32} {:>12} {:>12} {:>9}\n", record::counted(tuner_.games(), "game"), "parameter", "start",
             "now", "of range");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double range = before[i].max - before[i].min;
    fmt::print("{:<32} {:>12} {:>12} {:>+8.1f}%\n", before[i].name, shown(before[i], before[i].value),
               shown(after[i], after[i].value), range > 0 ? 100 * (after[i].value - before[i].value) / range : 0);
  }
  if (const std::string summary = tuner_.summary(); !summary.empty()) fmt::print("{}\n", summary);
  if (options_.toy) {
    fmt::print("toy: {:+.1f} of {:.0f} Elo\n", tune::toy_elo(values_of(after)) + tune::kToyGain, tune::kToyGain);
  }
  if (const auto written = write(options_.params_out, to_params(after)); !written) return written;
  if (const auto written = write(options_.setoptions_out, to_setoptions(after)); !written) return written;
  return options_.plot_out.empty() ? TuneResult<void>{} : write(options_.plot_out, tuner_.plot());
}

}  // namespace fuhyo::app
