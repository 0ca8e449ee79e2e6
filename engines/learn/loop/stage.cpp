#include "engines/learn/loop/stage.h"

#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;

}  // namespace

std::expected<Stage, std::string> Stage::open(std::filesystem::path file, std::string options) {
  Stage stage(std::move(file), std::move(options));
  if (!std::filesystem::exists(stage.file_)) return stage;
  const auto text = read_file(stage.file_);
  if (!text) return Failure(text.error());
  boost::system::error_code error;
  const json::value parsed = json::parse(*text, error);
  const json::object* object = error ? nullptr : parsed.if_object();
  const json::value* found = object == nullptr ? nullptr : object->if_contains("terms");
  const json::value* seconds = object == nullptr ? nullptr : object->if_contains("seconds");
  if (found == nullptr || !found->is_string() || seconds == nullptr || !seconds->is_number()) {
    return Failure(fmt::format("{}: this is no result of a step", stage.file_.string()));
  }
  if (std::string_view(found->get_string()) != stage.options_) {
    return Failure(
        fmt::format("{}: made by other terms ({}); without this file and what lies beside it, it is made anew",
                    stage.file_.string(), std::string_view(found->get_string())));
  }
  stage.seconds_ = seconds->to_number<double>();
  if (const json::value* result = object->if_contains("result"); result != nullptr && result->is_object()) {
    stage.result_ = result->get_object();
  }
  return stage;
}

std::expected<bool, std::string> Stage::stopped(double seconds) {
  seconds_ += seconds;
  if (auto written = write(); !written) return Failure(written.error());
  return false;
}

std::expected<void, std::string> Stage::done(json::object result, double seconds) {
  seconds_ += seconds;
  result_ = std::move(result);
  return write();
}

std::expected<void, std::string> Stage::write() const {
  json::object object{{"terms", options_}, {"seconds", seconds_}};
  if (result_) object["result"] = *result_;
  return replace_file(file_, json::serialize(object) + "\n");
}

std::expected<std::optional<CompleteStage>, std::string> run_stage(std::filesystem::path file, std::string options,
                                                                   const std::function<StageResult()>& work) {
  auto stage = Stage::open(std::move(file), std::move(options));
  if (!stage) return Failure(stage.error());
  if (!stage->result()) {
    const Stopwatch watch;
    auto result = work();
    if (!result) return Failure(result.error());
    if (!*result) {
      if (const auto kept = stage->stopped(watch.seconds()); !kept) return Failure(kept.error());
      return std::nullopt;
    }
    if (auto kept = stage->done(std::move(**result), watch.seconds()); !kept) return Failure(kept.error());
  }
  return CompleteStage{.result = *stage->result(), .seconds = stage->seconds()};
}

double number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::uint64_t whole_in(const json::object& object, std::string_view key) {
  return static_cast<std::uint64_t>(number_in(object, key));
}

}  // namespace fuhyo::learn
