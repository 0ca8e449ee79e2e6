#include "engines/learn/train/train_log.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {
namespace {

// The step of a line; nothing of what is none.
std::uint64_t step_of(std::string_view line) {
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(line, error);
  if (error || !value.is_object()) return ~std::uint64_t{0};
  const boost::json::value* step = value.get_object().if_contains("step");
  return step != nullptr && step->is_int64() ? static_cast<std::uint64_t>(step->get_int64()) : ~std::uint64_t{0};
}

std::string lines_up_to(std::string_view text, std::uint64_t steps) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // the line that a crash left unfinished
    const std::string_view line = text.substr(0, end + 1);
    if (step_of(line) <= steps) kept += line;
    text.remove_prefix(end + 1);
  }
  return kept;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? fmt::format("{} min {:02} s", whole / 60, whole % 60) : fmt::format("{} s", whole);
}

std::expected<TrainLog, std::string> TrainLog::open(const std::filesystem::path& file, std::uint64_t steps) {
  std::string kept;
  if (std::error_code error; std::filesystem::exists(file, error)) {
    const auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    kept = lines_up_to(*text, steps);
  }
  if (auto written = replace_file(file, kept); !written) return std::unexpected(written.error());
  TrainLog log(file);
  log.out_.open(file, std::ios::binary | std::ios::app);
  return log;
}

std::expected<void, std::string> TrainLog::add_line(const std::string& line) {
  out_ << line << '\n' << std::flush;
  if (out_) return {};
  return std::unexpected(fmt::format("{}: cannot be written", file_.string()));
}

std::expected<void, std::string> TrainLog::add(const TrainLine& line) {
  return add_line(fmt::format(R"({{"kind":"train","step":{},"epoch":{:.4f},"loss":{:.6f},"comparison_loss":{:.6f},)"
                              R"("rate":{:.4g},"seconds":{:.1f},"per_second":{:.0f}}})",
                              line.step, line.epoch, line.loss, line.comparison_loss, line.rate, line.seconds,
                              line.per_second));
}

std::expected<void, std::string> TrainLog::add(std::uint64_t step, double epoch, double seconds,
                                               const ValidationResult& result) {
  return add_line(fmt::format(
      R"({{"kind":"validation","step":{},"epoch":{:.4f},"seconds":{:.1f},"loss":{:.6f},"score_loss":{:.6f},)"
      R"("score_least":{:.6f},"result_loss":{:.6f},"accuracy":{:.4f},"agreement":{:.4f},"samples":{},"positions":{},)"
      R"("comparison_loss":{:.6f},"comparison_agreement":{:.4f},"comparisons":{}}})",
      step, epoch, seconds, result.loss, result.score_loss, result.score_least, result.result_loss, result.accuracy,
      result.agreement, result.samples, result.positions, result.comparison_loss, result.comparison_agreement,
      result.comparisons));
}

}  // namespace fuhyo::learn
