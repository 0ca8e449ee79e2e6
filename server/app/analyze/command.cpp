// `fuhyo analyze`: what an engine thinks of every position of a record, as comments in it and as JSON.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/match/analysis.h"
#include "engines/match/rules.h"
#include "engines/record/record_format.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/process_stop.h"
#include "server/app/commands.h"
#include "server/core/counted.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;

constexpr int kStopped = 130;

struct AnalyzeOptions {
  std::string file;
  match::AnalysisOptions terms;
  std::vector<std::string> options, out;
  std::int64_t nodes = 0, time_ms = 0;
  std::optional<std::int64_t> hang_s;
  int depth = 0;
  bool quiet = false, force = false;
};

int analyze_error(const std::string& text, int code) {
  fmt::print(stderr, "fuhyo analyze: {}\n", text);
  return code;
}

// The time is a byoyomi: every USI engine knows it, and few "movetime".
std::expected<std::string, std::string> set_limits(AnalyzeOptions& options) {
  usi::GoLimits& limits = options.terms.limits;
  if ((options.nodes > 0) + (options.time_ms > 0) + (options.depth > 0) != 1) {
    return std::unexpected("one of --nodes, --time and --depth is needed");
  }
  if (options.nodes > 0) return limits.nodes = options.nodes, fmt::format("nodes={}", options.nodes);
  if (options.depth > 0) return limits.depth = options.depth, fmt::format("depth={}", options.depth);
  limits.timed = true;
  limits.byoyomi_ms = options.time_ms;
  return fmt::format("ms={}", options.time_ms);
}

// As in a match, unless somebody says otherwise.
void set_patience(AnalyzeOptions& options) {
  const match::Rules usual;
  const std::int64_t usual_ms = options.time_ms > 0 ? usual.hang_ms : usual.patience_ms;
  options.terms.patience_ms = options.hang_s ? *options.hang_s * 1'000 : usual_ms;
}

std::optional<std::string> set_engine_options(AnalyzeOptions& options) {
  for (const std::string& text : options.options) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) return "--option wants NAME=VALUE, not " + text;
    options.terms.engine.options.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  if (options.terms.lines > 1) {
    options.terms.engine.options.emplace_back("MultiPV", std::to_string(options.terms.lines));
  }
  return std::nullopt;
}

bool is_json(const std::string& file) { return fs::path(file).extension() == ".json"; }

std::optional<record::RecordFormat> record_format(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension.empty() ? std::nullopt : record::format_by_extension(extension.substr(1));
}

std::optional<std::string> wrong_output(const AnalyzeOptions& options) {
  for (const std::string& file : options.out) {
    const auto format = record_format(file);
    const bool holds_comments = format && *format != record::RecordFormat::usi;
    if (!is_json(file) && !holds_comments) {
      return file + ": which format? .csa, .csa3, .kif, .kifu, .ki2, .ki2u, .jkf or .json (our own)";
    }
    std::error_code error;
    if (fs::exists(file, error) && fs::equivalent(file, options.file, error)) return file + ": is the record itself";
    if (fs::exists(file, error) && !options.force) return file + ": is there already (--force replaces it)";
  }
  return std::nullopt;
}

std::expected<void, std::string> write(const std::string& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  if (!out) return std::unexpected(file + ": cannot be written");
  return {};
}

// One of the outputs. What of the record it cannot hold is said.
std::expected<void, std::string> write_one(const std::string& file, const record::Game& game,
                                           const match::Analysis& analysis, const std::string& limits) {
  if (is_json(file)) {
    if (const std::size_t left_out = game.branches.size(); left_out > 0) {
      fmt::print(stderr, "{}: {} left out\n", file,
                 core::counted(left_out, "variation") + (left_out == 1 ? " is" : " are"));
    }
    return write(file, to_json(game, analysis, limits) + "\n");
  }
  const auto made = write_record(with_comments(game, analysis), *record_format(file));
  if (!made) return std::unexpected(fmt::format("{}: {}", file, made.error()));
  if (const std::string losses = made->losses(); !losses.empty()) fmt::print(stderr, "{}: {}\n", file, losses);
  return write(file, made->bytes);
}

// Those that cannot be written take no other with them. False: there were some.
bool write_all(const AnalyzeOptions& options, const record::Game& game, const match::Analysis& analysis,
               const std::string& limits) {
  bool good = true;
  for (const std::string& file : options.out) {
    const auto written = write_one(file, game, analysis, limits);
    if (!written) analyze_error(written.error(), kExitCannotCreate);
    good = good && written;
  }
  return good;
}

// "  12 -3334FU     +31  depth 9  2g2f 8c8d"
void say(const match::AnalysedPosition& found) {
  const bool black = found.sfen.find(" b ") != std::string::npos;
  if (found.lines.empty()) fmt::print("{:4}  nothing to say\n", found.ply);
  for (const match::AnalysedLine& line : found.lines) {
    const auto& [kind, value, bound] = line.score;
    const bool mate = kind != usi::Score::Kind::cp;
    const int own = kind == usi::Score::Kind::lose ? -value : value;
    std::string moves;
    for (const shogi::Move move : line.moves) moves += ' ' + shogi::to_usi(move);
    fmt::print("{:4}  {}{:+6}  depth {:<3}{}\n", found.ply, mate ? "mate " : "", black ? own : -own,
               line.depth.value_or(0), moves);
  }
  std::fflush(stdout);
}

int run(AnalyzeOptions& options) {
  const auto limits = set_limits(options);
  if (!limits) return analyze_error(limits.error(), kExitUsage);
  set_patience(options);
  if (auto wrong = set_engine_options(options)) return analyze_error(*wrong, kExitUsage);
  if (auto wrong = wrong_output(options)) return analyze_error(*wrong, kExitUsage);
  std::ifstream in(options.file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return analyze_error(options.file + ": cannot be read", kExitNoInput);
  const auto read = record::read_record(bytes, fs::path(options.file).filename().string());
  if (!read) {
    return analyze_error(fmt::format("{}: {}", options.file, record::to_string(read.error())), kExitNoInput);
  }
  for (const record::Diagnostic& warning : read->file.warnings) {
    fmt::print(stderr, "{}: {}\n", options.file, record::to_string(warning));
  }
  usi::StopBySignal stop;
  const record::Game& game = read->file.game;
  const auto told = [&](const match::AnalysedPosition& found) {
    if (!options.quiet) say(found);
  };
  const auto analysis = analyse(game, options.terms, stop.token(), told);
  if (!analysis) return analyze_error(analysis.error(), kExitFailed);
  if (!analysis->remark.empty()) fmt::print(stderr, "{}: {}\n", options.file, analysis->remark);
  if (!write_all(options, game, *analysis, *limits)) return kExitCannotCreate;
  return stop.token().stop_requested() ? kStopped : kExitOk;
}

}  // namespace

Command add_analyze(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "analyze", "Asks an engine what it thinks of every position of a record");
  const auto options = std::make_shared<AnalyzeOptions>();
  match::AnalysisOptions& terms = options->terms;
  command->add_option("file", options->file, "A record: CSA, KIF, KI2, JKF or a line of USI")->required();
  command->add_option("-e,--engine", terms.engine.command, "The USI engine: program and arguments")->required();
  command->add_option("--option", options->options, "NAME=VALUE for the engine, as often as wanted")
      ->allow_extra_args(false);
  command->add_option("--folder", terms.engine.folder, "Its working folder (this one)");
  command->add_option("--nodes", options->nodes, "Nodes a position")->check(CLI::PositiveNumber);
  command->add_option("--time", options->time_ms, "... or milliseconds")->check(CLI::PositiveNumber);
  command->add_option("--depth", options->depth, "... or depth")->check(CLI::Range(1, 1'000));
  command
      ->add_option("--hang", options->hang_s,
                   "Seconds beyond --time (10), or of a whole answer without it (600), before it is taken to hang")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--multipv", terms.lines, "Lines of play a position (1)")->check(CLI::Range(1, 600));
  command->add_option("--from", terms.first_ply, "From the position after so many moves (0)")
      ->check(CLI::Range(0, 100'000));
  command->add_option("--to", terms.last_ply, "... to that after so many (the last one)")
      ->check(CLI::Range(0, 100'000));
  command
      ->add_option("-o,--out", options->out,
                   "A file to write, by its ending: .csa, .kif, .json ...; as often as wanted")
      ->allow_extra_args(false);
  command->add_flag("--force", options->force, "Replace files that are there");
  command->add_flag("-q,--quiet", options->quiet, "Print nothing for positions");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
