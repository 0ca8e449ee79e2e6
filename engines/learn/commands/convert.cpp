// `fuhyo-learn convert`: training data from one format into another one.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/block.h"
#include "engines/learn/data/format.h"
#include "engines/learn/data/sink.h"
#include "engines/learn/data/source.h"
#include "engines/learn/data/summary.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::vector<std::string> in;
  OutputOptions out;
  std::string from;
  bool strict = false, all_moves = false;
};

// These know wins and draws alone.
bool holds_results_alone(DataFormat format) {
  return format == DataFormat::psv || format == DataFormat::hcpe || format == DataFormat::hcpe2 ||
         format == DataFormat::hcpe3;
}

bool has_no_result(const record::ScoredGame& game) {
  return game.winner == record::Winner::nobody && game.end == record::ScoredEnd::unknown;
}

struct Plan {
  InputFiles in;
  DataFormat to = DataFormat::games;
};

std::expected<Plan, std::string> plan_of(const ConvertOptions& options) {
  Plan plan;
  const auto to = output_format(options.out);
  if (!to) return std::unexpected(to.error());
  plan.to = *to;
  auto files = input_files(options.in, options.from);
  if (!files) return std::unexpected(std::move(files.error()));
  std::error_code error;
  for (const auto& [file, format] : *files) {
    if (fs::equivalent(file, options.out.out, error)) {
      return std::unexpected(fmt::format("{}: cannot be read and written at once", options.out.out));
    }
  }
  plan.in = *std::move(files);
  return plan;
}

std::expected<Summary, std::string> convert(const ConvertOptions& options, const Plan& plan, ConversionLosses& losses,
                                            LeftOut& left_out) {
  std::string made_by = "fuhyo-learn convert, from";
  for (const auto& [file, format] : plan.in) made_by += ' ' + file.filename().string();
  std::ranges::replace_if(made_by, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  made_by.resize(std::min(made_by.size(), kMaxMadeBy));
  auto sink = open_sink(options.out.out, plan.to, made_by, losses);
  if (!sink) return std::unexpected(sink.error());
  Summary summary;
  for (const auto& [file, format] : plan.in) {
    auto source = open_source(file, format, losses, options.strict ? nullptr : &left_out);
    if (!source) return std::unexpected(source.error());
    for (;;) {
      auto game = (*source)->next();
      if (!game) return std::unexpected(game.error());
      if (!*game) break;
      if (is_record(format) && holds_results_alone(plan.to) && has_no_result(**game)) {
        losses.add("games without a result, which would be draws there");
        continue;
      }
      for (record::ScoredMove& each : (*game)->moves) {
        if (options.all_moves && !each.score) each.score = 0;
      }
      if (auto appended = (*sink)->append(**game); !appended) return std::unexpected(appended.error());
      summary.add(**game);
    }
  }
  if (auto finished = (*sink)->finish(); !finished) return std::unexpected(finished.error());
  return summary;
}

int run(const ConvertOptions& options) {
  const auto plan = plan_of(options);
  if (!plan) return complain(plan.error()), kExitUsage;
  ConversionLosses losses;
  LeftOut left_out;
  const auto converted = convert(options, *plan, losses, left_out);
  if (!converted) return complain(converted.error()), kExitFailed;
  std::error_code error;
  fmt::print("{}: {}, {}, {} of them searched, {} bytes\n", options.out.out,
             record::counted(converted->games(), "game"), record::counted(converted->moves(), "move"),
             converted->searched(), fs::file_size(options.out.out, error));
  if (losses.none()) fmt::print("nothing was lost\n");
  for (const auto& [what, count] : losses.counts()) fmt::print("lost: {} ({})\n", what, count);
  say_left_out(left_out);
  return kExitOk;
}

}  // namespace

Command add_convert(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "convert", "Bring training data into another format, and say what is lost");
  const auto options = std::make_shared<ConvertOptions>();
  command->add_option("in", options->in, "Files, folders, or patterns with * and ?")->required();
  add_output_flags(*command, options->out);
  command->add_option("--from", options->from, "Format of what is read, if names do not tell")
      ->check(CLI::IsMember(format_names()));
  command->add_flag("--all-moves", options->all_moves, "Moves without a score get 0: else they were not searched");
  command->add_flag("--strict", options->strict, "Stop at a record that cannot be read, instead of counting it");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::learn
