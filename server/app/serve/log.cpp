#include "server/app/serve/log.h"

#include <chrono>
#include <fmt/format.h>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include "server/app/serve/service_manager.h"
#include "server/app/text.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kQueuedLines = 8192;

std::string_view name_of(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return "info";
    case Log::Level::warning:
      return "warning";
    case Log::Level::error:
      return "error";
  }
  return "error";
}

Log::Level level_of(std::string_view name) {
  if (name == "error") return Log::Level::error;
  return name == "warning" ? Log::Level::warning : Log::Level::info;
}

std::string words(std::string_view text, std::initializer_list<Log::Field> fields) {
  std::string line = escape(text);
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, escape(value));
  return line;
}

core::Wall now() {
  using std::chrono::duration_cast, std::chrono::microseconds;
  return {duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count()};
}

}  // namespace

Log::Log(std::string_view level, std::string_view format)
    : least_(level_of(level)),
      format_(format == "text"               ? Format::text
              : format == "json"             ? Format::json
              : is_logged_by_journal()       ? Format::journal
              : ::isatty(STDERR_FILENO) != 0 ? Format::text
                                             : Format::json),
      pool_(std::make_shared<spdlog::details::thread_pool>(kQueuedLines, 1)),
      logger_(std::make_shared<spdlog::async_logger>("fuhyo", std::make_shared<spdlog::sinks::stderr_sink_mt>(), pool_,
                                                     spdlog::async_overflow_policy::overrun_oldest)) {
  logger_->set_pattern("%v");
  logger_->flush_on(spdlog::level::trace);
}

Log::~Log() = default;  // the pool works off its queue before it ends

void Log::write(Level level, std::string_view text, std::initializer_list<Field> fields) {
  if (level < least_) return;
  logger_->info("{}", line_of(level, text, fields));
}

std::string Log::line_of(Level level, std::string_view text, std::initializer_list<Field> fields) const {
  if (format_ == Format::journal) return as_journal(level, text, fields);
  const std::string time = utc(now());
  return format_ == Format::json ? as_json(time, level, text, fields) : as_text(time, level, text, fields);
}

std::string Log::as_text(std::string_view time, Level level, std::string_view text,
                         std::initializer_list<Field> fields) {
  return fmt::format("{} {:7} {}", time, name_of(level), words(text, fields));
}

std::string Log::as_journal(Level level, std::string_view text, std::initializer_list<Field> fields) {
  const int priority = level == Level::error ? 3 : level == Level::warning ? 4 : 6;
  return fmt::format("<{}>{}", priority, words(text, fields));
}

std::string Log::as_json(std::string_view time, Level level, std::string_view text,
                         std::initializer_list<Field> fields) {
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","text":"{}")", time, name_of(level), escape_json(text));
  for (const auto& [key, value] : fields) line += fmt::format(R"(,"{}":"{}")", key, escape_json(value));
  return line + '}';
}

}  // namespace fuhyo::app
