// Reads settings by their paths. A setting that nobody has taken at the end is an error. Private to this folder.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/settings.h"

namespace fuhyo::core::tournament {

// The values of one key; there is at least one.
struct Value {
  std::string key;  // without its place
  std::vector<std::string> items;
  int line = 0;
};

class SettingReader {
 public:
  explicit SettingReader(std::span<const Setting> settings);

  // "stage[0]." + "rounds". From then on the key is known, and suggested for misspelt ones.
  std::optional<Value> take(const std::string& place, std::string_view key);
  // Of "stage" at "": how many there are.
  std::size_t count(const std::string& place, std::string_view list);
  // The line of the first setting below a place.
  int line_of(const std::string& place) const;

  void complain(int line, std::string text) { problems_.push_back({line, std::move(text)}); }
  void complain(const Value& value, std::string_view what);
  // Those of settings that nobody has taken included; in the order of lines.
  std::vector<Problem> problems();

 private:
  struct Entry {
    Value value;
    bool taken = false;
  };
  void complain_of_unknown(const std::string& path, const Entry& entry);

  std::map<std::string, Entry> entries_;
  std::map<std::string, std::set<std::string>> known_;  // keys by place
  std::vector<Problem> problems_;
};

// Changes that lead from one word to the other: letters put in, left out, changed, or two exchanged.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Shared readers of values. What is wrong is complained of, and nothing comes back.
std::optional<int> whole(SettingReader& reader, const Value& value, int least, int most);
std::optional<bool> yes_or_no(SettingReader& reader, const Value& value);
std::optional<std::string> one(SettingReader& reader, const Value& value);

// The settings of a division: its own, over those of its stage, over those of the event.
struct LayeredSettings {
  DivisionSettings settings;
  bool has_tie_breaks = false;  // one of the levels has set them
  int format_level = -1;        // that sets it: 0 the event, 1 the stage, 2 the division; -1: none
  std::map<std::string, std::pair<int, int>, std::less<>> set_at;  // key -> level, line
};
void read_division_settings(SettingReader& reader, const std::string& place, int level, LayeredSettings& layered);
// Complains of values that no division can have together.
void check_division_settings(SettingReader& reader, const LayeredSettings& layered, int line);

}  // namespace fuhyo::core::tournament
