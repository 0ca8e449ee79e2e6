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

struct ConvertArguments {
  std::vector<std::string> in;
  OutputArguments out;
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

std::expected<Plan, std::string> plan_of(const ConvertArguments& arguments) {
  Plan plan;
  const auto to = output_format(arguments.out);
  if (!to) return std::unexpected(to.error());
  plan.to = *to;
  auto files = input_files(arguments.in, arguments.from);
  if (!files) return std::unexpected(std::move(files.error()));
  std::error_code error;
  for (const auto& [file, format] : *files) {
    if (fs::equivalent(file, arguments.out.out, error)) {
      return std::unexpected(fmt::format("{}: cannot be read and written at once", arguments.out.out));
    }
  }
  plan.in = *std::move(files);
  return plan;
}

std::expected<Summary, std::string> convert(const ConvertArguments& arguments, const Plan& plan,
                                            ConversionLosses& losses, LeftOut& left_out) {
  std::string made_by = "fuhyo-learn convert, from";
  for (const auto& [file, format] : plan.in) made_by += ' ' + file.filename().string();
  std::ranges::replace_if(made_by, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  made_by.resize(std::min(made_by.size(), kMaxMadeBy));
  auto sink = open_sink(arguments.out.out, plan.to, made_by, losses);
  if (!sink) return std::unexpected(sink.error());
  Summary summary;
  for (const auto& [file, format] : plan.in) {
    auto source = open_source(file, format, losses, arguments.strict ? nullptr : &left_out);
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
        if (arguments.all_moves && !each.score) each.score = 0;
      }
      if (auto appended = (*sink)->append(**game); !appended) return std::unexpected(appended.error());
      summary.add(**game);
    }
  }
  if (auto finished = (*sink)->finish(); !finished) return std::unexpected(finished.error());
  return summary;
}

int run(const ConvertArguments& arguments) {
  const auto plan = plan_of(arguments);
  if (!plan) return complain(plan.error()), kExitUsage;
  ConversionLosses losses;
  LeftOut left_out;
  const auto converted = convert(arguments, *plan, losses, left_out);
  if (!converted) return complain(converted.error()), kExitFailed;
  std::error_code error;
  fmt::print("{}: {}, {}, {} of them searched, {} bytes\n", arguments.out.out,
             record::counted(converted->games(), "game"), record::counted(converted->moves(), "move"),
             converted->searched(), fs::file_size(arguments.out.out, error));
  if (losses.none()) fmt::print("nothing was lost\n");
  for (const auto& [what, count] : losses.counts()) fmt::print("lost: {} ({})\n", what, count);
  say_left_out(left_out);
  return kExitOk;
}

}  // namespace

Command add_convert(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "convert", "Brings training data into another format, and says what is lost");
  const auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("in", arguments->in, "Files, folders, or patterns with * and ?")->required();
  add_output_flags(*command, arguments->out);
  command->add_option("--from", arguments->from, "Format of what is read, if names do not tell")
      ->check(CLI::IsMember(format_names()));
  command->add_flag("--all-moves", arguments->all_moves, "Moves without a score get 0: else they were not searched");
  command->add_flag("--strict", arguments->strict, "Stop at a record that cannot be read, instead of counting it");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
