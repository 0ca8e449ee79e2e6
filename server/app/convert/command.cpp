// `fuhyo convert`: records from any format into another one.
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/record/record_format.h"
#include "server/app/commands.h"
#include "server/app/convert/inputs.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using record::RecordFormat;

struct ConvertOptions {
  std::vector<std::string> names;  // inputs, and the output last
  std::string from, to;
  bool force = false, quiet = false;
};

int convert_error(const std::string& text, int code) {
  fmt::print(stderr, "fuhyo convert: {}\n", text);
  return code;
}

// Writes what it is given where it belongs, and counts.
class Conversion {
 public:
  Conversion(const ConvertOptions& options, std::string out, RecordFormat to, bool into_folder)
      : options_(options), out_(std::move(out)), to_(to), into_folder_(into_folder) {}

  void take(const RecordInput& input) {
    const fs::path named = fs::path(input.name).filename();
    const auto read = record::read_records(input.bytes, options_.from.empty() ? named.string() : "x." + options_.from);
    if (!read) return fault(fmt::format("{}: {}", input.name, record::to_string(read.error())));
    for (std::size_t i = 0; i < read->size(); ++i) write(input, (*read)[i].file, read->size() > 1 ? i + 1 : 0);
  }
  void fault(const std::string& why) {
    fmt::print(stderr, "{}\n", why);
    ++faults_;
  }
  // The exit code.
  int finish() {
    if (!into_folder_ && records_ > 0) {
      if (const auto why = save(out_, together_)) return convert_error(*why, kExitCannotCreate);
    }
    if (!options_.quiet && records_ + faults_ > 1)
      fmt::print(stderr, "{} written, {} not\n", record::counted(records_, "record"), faults_);
    return faults_ > 0 ? kExitFailed : kExitOk;
  }

 private:
  using Fault = std::optional<std::string>;  // why it cannot be written

  // `number`: of the game in a file of several; 0: it is alone.
  void write(const RecordInput& input, const record::GameFile& file, std::size_t number) {
    const std::string name = number == 0 ? input.name : fmt::format("{} (game {})", input.name, number);
    const auto made = record::write_record(file.game, to_);
    if (!made) return fault(fmt::format("{}: {}", name, made.error()));
    for (const record::Diagnostic& each : file.warnings) warn(name, record::to_string(each));
    if (const std::string losses = made->losses(); !losses.empty()) warn(name, losses);
    const std::string tail = number == 0 ? "" : fmt::format("-{}", number);
    const auto why = into_folder_ ? put((fs::path(out_) / input.place).string() + tail, input.name, made->bytes)
                                  : append(made->bytes);
    if (why) return fault(fmt::format("{}: {}", name, *why));
    ++records_;
  }
  void warn(const std::string& name, const std::string& text) {
    if (!options_.quiet) fmt::print(stderr, "{}: {}\n", name, text);
  }

  // To the one file that is made.
  Fault append(std::string_view bytes) {
    const bool csa = to_ == RecordFormat::csa || to_ == RecordFormat::csa_v3;
    if (records_ > 0 && !csa && to_ != RecordFormat::usi) return "the format holds one game: OUT must be a folder";
    if (records_ > 0 && csa) together_ += "/\n";
    together_ += bytes;
    return std::nullopt;
  }
  // A file in the folder.
  Fault put(std::string place, const std::string& from, std::string_view bytes) {
    place += '.' + std::string(extension_of(to_));
    if (written_.contains(place)) return place + " is another record's already";
    std::error_code error;
    if (fs::equivalent(place, from, error)) return place + " is the record itself";
    fs::create_directories(fs::path(place).parent_path(), error);
    if (auto why = save(place, bytes)) return why;
    written_.insert(place);
    return std::nullopt;
  }
  Fault save(const std::string& place, std::string_view bytes) const {
    if (place == "-") {
      const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
      return whole ? std::nullopt : Fault("standard output cannot be written");
    }
    std::error_code error;
    if (fs::exists(place, error) && !options_.force) return place + " is there already (--force replaces it)";
    const auto done = store::put_file(place, bytes);  // a full disk leaves what was there
    return done ? std::nullopt : Fault(done.error());
  }

  const ConvertOptions& options_;
  std::string out_;
  RecordFormat to_;
  bool into_folder_;
  std::set<std::string> written_;  // files in the folder
  std::string together_;           // what goes into one file
  std::size_t records_ = 0, faults_ = 0;
};

int run(const ConvertOptions& options) {
  if (options.names.size() < 2) return convert_error("IN and OUT are needed", kExitUsage);
  const std::span<const std::string> inputs(options.names.begin(), options.names.end() - 1);
  const std::string& out = options.names.back();
  std::error_code error;
  const auto named = record_format_of(out);
  const bool into_folder = out != "-" && (fs::is_directory(out, error) || out.ends_with('/') || !named);
  const auto to = options.to.empty() ? (into_folder ? std::nullopt : named) : record::format_by_extension(options.to);
  if (!to) return convert_error(out + ": which format? --to NAME", kExitUsage);
  for (const std::string& name : inputs) {
    const bool same = !into_folder && fs::equivalent(name, out, error);
    if (same) return convert_error(out + ": is the record itself", kExitUsage);
  }
  if (!into_folder && out != "-" && fs::exists(out, error) && !options.force) {
    return convert_error(out + ": is there already (--force replaces it)", kExitUsage);
  }
  Conversion conversion(options, out, *to, into_folder);
  each_input(inputs, {.take = [&](const RecordInput& input) { conversion.take(input); },
                      .fault = [&](const std::string& why) { conversion.fault(why); }});
  return conversion.finish();
}

}  // namespace

Command add_convert(CLI::App& root) {
  std::vector<std::string> formats;
  for (const RecordFormat format : record::kRecordFormats) formats.emplace_back(extension_of(format));
  CLI::App* command = manual::add_command(root, "convert", "Brings records from any format into another one");
  const auto options = std::make_shared<ConvertOptions>();
  command
      ->add_option("FILES", options->names,
                   "IN... OUT: records (CSA, KIF, KI2, JKF, USI), plain, compressed or in archives, and folders of "
                   "them; then a file, whose ending names the format, or a folder (with --to). '-' is standard input "
                   "and output; CSA and USI hold many games in a file")
      ->required();
  command->add_option("--to", options->to, "Format to write: csa, csa3, kif, kifu, ki2, ki2u, jkf, usi")
      ->check(CLI::IsMember(formats));
  command->add_option("--from", options->from, "Format of what is read, where neither name nor text tells")
      ->check(CLI::IsMember(formats));
  command->add_flag("--force", options->force, "Replace files that are there");
  command->add_flag("-q,--quiet", options->quiet, "Say only what cannot be converted, and not what is lost");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
