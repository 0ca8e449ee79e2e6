// Files of an event: its settings (TOML), and lists of results (CSV, JSON lines). Whatever they hold, a problem is said
// in a line that a terminal can show; and what could be read is written and read as the same.

#include <iterator>
#include <string>
#include <vector>

#include "server/app/tournament/event_file.h"
#include "server/app/tournament/results_file.h"
#include "server/core/tournament/explain.h"
#include "server/core/tournament/results.h"
#include "server/core/tournament/settings.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace app = fuhyo::app;
using namespace fuhyo::core::tournament;
using fuhyo::fuzz::require;

constexpr std::size_t kMost = 16 * 1024, kEntrants = 12;

bool shows(std::string_view text) {
  const auto hidden = [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f'; };
  return !text.empty() && std::ranges::none_of(text, hidden);
}

void check_problems(const std::vector<Problem>& problems) {
  require(!problems.empty(), "a refusal says why");
  const std::string text = app::problems_text("event.toml", problems);
  require(shows(text), "a terminal can show it: " + text);
  require(std::ranges::count(text, '\n') == std::ssize(problems), "a problem is one line: " + text);
}

void check_settings(std::string_view text) {
  const auto settings = app::settings_of_toml(text);
  if (!settings) return check_problems(settings.error());
  const auto again = parse_settings(settings_text(*settings));
  require(again && again->size() == settings->size(), "settings are kept as they are");
  const auto event = read_event(*settings);
  if (!event) return check_problems(event.error());
  for (const Language language : {Language::en, Language::ja}) {
    require(shows(explain(*event, kEntrants, language)), "an event can be said in words");
  }
}

void check_results(const app::ResultRows& rows) {
  if (!rows) return check_problems(rows.error());
  const std::string csv = app::results_csv(*rows);
  auto again = app::parse_results_csv(csv);
  require(again && again->size() == rows->size(), "what was read can be written: " + csv);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    (*again)[i].line = (*rows)[i].line;
    require((*again)[i] == (*rows)[i], "and is the same then");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuhyo::fuzz::text(data, size);
  if (text.empty() || text.size() > kMost) return 0;
  const std::string_view file = text.substr(1);
  const int kind = text.front() % 4;  // '0', '1', '2'
  if (kind == 0) {
    check_settings(file);
  } else {
    check_results(kind == 1 ? app::parse_results_csv(file) : app::parse_results_jsonl(file));
  }
  return 0;
}
