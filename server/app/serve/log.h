// The log of the process, on stderr: text on a terminal and for systemd's journal, else one JSON object a line. One
// event is one line, and no byte of a stranger reaches it unescaped. A thread of its own writes; when nobody takes the
// output, the oldest lines go.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace spdlog {
class logger;
namespace details {
class thread_pool;
}
}  // namespace spdlog

namespace fuhyo::app {

class Log {
 public:
  enum class Level { info, warning, error };
  using Field = std::pair<std::string_view, std::string_view>;

  // `level`: "info", "warning", "error"; `format`: "auto", "text", "json" (validated by the configuration).
  Log(std::string_view level, std::string_view format);
  ~Log();  // writes what is queued
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Any thread; does not wait for the output.
  void write(Level level, std::string_view text, std::initializer_list<Field> fields = {});
  void info(std::string_view text, std::initializer_list<Field> fields = {}) { write(Level::info, text, fields); }
  void warning(std::string_view text, std::initializer_list<Field> fields = {}) { write(Level::warning, text, fields); }
  void error(std::string_view text, std::initializer_list<Field> fields = {}) { write(Level::error, text, fields); }

  // warning(), for those who know no Log. It must not outlive this.
  std::function<void(std::string_view)> warner() {
    return [this](std::string_view text) { warning(text); };
  }

  // One line, without its end.
  static std::string as_text(std::string_view time, Level level, std::string_view text,
                             std::initializer_list<Field> fields);
  // For systemd's journal: "<4>" for a warning (sd-daemon(3)), and no time, for it has its own.
  static std::string as_journal(Level level, std::string_view text, std::initializer_list<Field> fields);
  static std::string as_json(std::string_view time, Level level, std::string_view text,
                             std::initializer_list<Field> fields);

 private:
  enum class Format { text, journal, json };

  std::string line_of(Level level, std::string_view text, std::initializer_list<Field> fields) const;

  Level least_;
  Format format_;
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace fuhyo::app
