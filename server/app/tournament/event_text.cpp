#include "server/app/tournament/event_text.h"

#include <algorithm>
#include <expected>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "server/app/admin/answers.h"
#include "server/app/serve/host_facts.h"
#include "server/app/text.h"
#include "server/app/tournament/event_file.h"
#include "server/core/server.h"
#include "server/core/tournament/explain.h"
#include "server/core/tournaments/running_event.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

using namespace core::tournament;

constexpr std::size_t kMostNamed = 10;  // mistakes of one answer
constexpr std::size_t kLongestFileName = 64;
constexpr std::string_view kExtension = ".toml";

// For one line: "line 3: ...; line 7: ...".
std::string named(const std::vector<Problem>& problems) {
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), kMostNamed); ++i) {
    text += fmt::format("{}line {}: {}", i == 0 ? "" : "; ", problems[i].line, escape_controls(problems[i].text));
  }
  if (problems.size() > kMostNamed) text += fmt::format(" (and {} more)", problems.size() - kMostNamed);
  return text;
}

// An event that this server would announce.
std::expected<Event, std::string> event_in(std::string_view text) {
  const auto settings = settings_of_toml(text);
  if (!settings) return std::unexpected(named(settings.error()));
  if (const auto event = read_event(*settings); !event) return std::unexpected(named(event.error()));
  const std::string stored = settings_text(*settings);
  if (const std::size_t most = core::Limits{}.event_bytes; stored.size() > most) {
    return std::unexpected(fmt::format("an event has at most {} bytes", most));
  }
  return core::read_stored_event(stored, core::Rules{}.max_identifier);
}

std::expected<std::string, std::string> text_of(std::string_view line) {
  if (line.empty()) return std::unexpected("there is no text");
  auto text = unescaped(line);
  if (!text) return std::unexpected("the text has a backslash that is none of \\n, \\t and \\\\");
  if (!text->ends_with('\n')) *text += '\n';
  return std::move(*text);
}

// With the blank behind it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

// Of a list with commas.
bool is_among(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::string_view each = list.substr(0, list.find(','));
    if (each == name) return true;
    list.remove_prefix(std::min(each.size() + 1, list.size()));
  }
  return false;
}

bool is_file_name(std::string_view file) {
  const auto fits = [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' ||
           c == '.';
  };
  return file.size() <= kLongestFileName && file.size() > kExtension.size() && file.ends_with(kExtension) &&
         file.front() != '.' && std::ranges::all_of(file, fits);
}

}  // namespace

core::AdminResult check_event_text(std::string_view rest, const core::TimeZone& zone) {
  const bool japanese = rest == "ja" || rest.starts_with("ja ");
  if (japanese) rest.remove_prefix(std::min<std::size_t>(3, rest.size()));
  const auto text = text_of(rest);
  if (!text) return refused(text.error());
  const auto event = event_in(*text);
  if (!event) return refused(event.error());
  core::AdminResult result{
      .ok = true, .text = fmt::format("the event {} can be announced", event->name), .columns = {}, .rows = {}};
  const auto language = japanese ? Language::ja : Language::en;
  const std::string words = explain(*event, most_entrants(*event), language, zone, wall_now());
  for (std::string_view left = words; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    result.rows.push_back({std::string(left.substr(0, end))});
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return result;
}

core::AdminResult write_event_text(const std::filesystem::path& data, std::string_view rest) {
  const std::string_view begun = take_word(rest), file = take_word(rest);
  if (!is_file_name(file)) {
    return refused(
        fmt::format("'{}' is no file name: letters, digits, '-', '_' and '.', with {} at the end", file, kExtension));
  }
  const auto text = text_of(rest);
  if (!text) return refused(text.error());
  const auto event = event_in(*text);
  if (!event) return refused(event.error());
  const auto has_begun = [&](std::string_view name) { return is_among(begun, name); };
  if (has_begun(event->name)) return refused(fmt::format("{} has begun: its settings stay", event->name));
  const std::filesystem::path folder = data / "tournaments", path = folder / file;
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(path, ignored);
  if (is_there) {
    const auto former = read_event_file(path);
    if (former && has_begun(former->name)) {
      return refused(fmt::format("{} is the file of {}, which has begun", file, former->name));
    }
  }
  for (const auto& done : {store::make_folder(folder), store::replace_file(path, *text), store::sync_folder(folder)}) {
    if (!done) return refused(done.error());
  }
  return {.ok = true,
          .text = fmt::format("{} is {}: the event {}; tournament-new {} announces it", file,
                              is_there ? "replaced" : "written", event->name, file),
          .columns = {},
          .rows = {}};
}

}  // namespace fuhyo::app
