#include "server/core/tournament/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/setting_reader.h"
#include "server/csa/command.h"

namespace fuhyo::core::tournament {
namespace {

constexpr std::size_t kMostName = 32, kMostTitle = 200;

class EventReader {
 public:
  explicit EventReader(std::span<const Setting> settings) : reader_(settings) {}

  std::expected<Event, std::vector<Problem>> read() {
    event_.name = name("", "name", "");
    event_.title = title("");
    LayeredSettings layered;
    read_division_settings(reader_, "", 0, layered);
    const std::size_t stages = reader_.count("", "stage");
    if (stages > kMostStages) reader_.complain(0, fmt::format("more than {} stages", kMostStages));
    for (std::size_t i = 0; i < std::min(stages, kMostStages); ++i) stage(fmt::format("stage[{}].", i), i, layered);
    if (stages == 0) {  // the event itself is the only one
      event_.stages.push_back({.name = "main", .title = {}, .divisions = {}});
      add_division({.name = "main", .title = {}, .take = 0, .from = {}, .settings = {}}, layered, reader_.line_of(""));
    }
    entry_rules();
    entrants();
    apart();
    judge_numbers();
    std::vector<Problem> problems = reader_.problems();
    if (!problems.empty()) return std::unexpected(std::move(problems));
    return std::move(event_);
  }

 private:
  std::string text(const std::string& place, std::string_view key, std::size_t most) {
    const auto value = reader_.take(place, key);
    if (!value) return {};
    auto said = one(reader_, *value);
    if (said && said->size() <= most) return *said;
    if (said) reader_.complain(*value, fmt::format("longer than {} bytes", most));
    return {};
  }
  std::string name(const std::string& place, std::string_view key, std::string_view otherwise) {
    const auto value = reader_.take(place, key);
    if (!value && !otherwise.empty()) return std::string(otherwise);
    if (!value) {
      reader_.complain(reader_.line_of(place), fmt::format("{}: is missing", key));
      return {};
    }
    auto said = one(reader_, *value);
    if (!said) return {};
    if (!csa::is_identifier(*said, kMostName)) {
      reader_.complain(*value, fmt::format("'{}' is no name: 1 to {} of A-Z a-z 0-9 _ @ . -", *said, kMostName));
    }
    return *said;
  }
  Title title(const std::string& place) {
    std::string en = text(place, "title", kMostTitle);
    return {.ja = text(place, "title-ja", kMostTitle), .en = std::move(en)};
  }

  void stage(const std::string& place, std::size_t number, LayeredSettings layered) {
    const int line = reader_.line_of(place);
    Stage& stage = event_.stages.emplace_back();
    stage.name = name(place, "name", fmt::format("stage{}", number + 1));
    stage.title = title(place);
    read_division_settings(reader_, place, 1, layered);
    const std::size_t divisions = reader_.count(place, "division");
    if (divisions > kMostDivisions) reader_.complain(line, fmt::format("more than {} divisions", kMostDivisions));
    for (std::size_t i = 0; i < std::min(divisions, kMostDivisions); ++i) {
      division(fmt::format("{}division[{}].", place, i), i, layered);
    }
    if (divisions == 0) {
      Division whole{.name = stage.name, .title = stage.title, .take = 0, .from = {}, .settings = {}};
      if (const auto value = reader_.take(place, "take")) take(*value, whole);
      add_division(std::move(whole), layered, line);
    }
    judge_stage(stage, line);
  }

  void division(const std::string& place, std::size_t number, LayeredSettings layered) {
    const int line = reader_.line_of(place);
    Division division{.name = name(place, "name", std::string(1, static_cast<char>('A' + number))),
                      .title = title(place),
                      .take = 0,
                      .from = text(place, "from", kMostName),
                      .settings = {}};
    if (const auto value = reader_.take(place, "take")) take(*value, division);
    read_division_settings(reader_, place, 2, layered);
    add_division(std::move(division), layered, line);
  }

  void take(const Value& value, Division& division) {
    if (value.items == std::vector<std::string>{"rest"}) return;
    if (const auto number = whole(reader_, value, 2, static_cast<int>(kMostMembers))) division.take = *number;
  }

  void add_division(Division division, LayeredSettings layered, int line) {
    if (!layered.has_tie_breaks) layered.settings.tie_breaks = usual_tie_breaks(layered.settings.format);
    check_division_settings(reader_, layered, line);
    division.settings = std::move(layered.settings);
    event_.stages.back().divisions.push_back(std::move(division));
  }

  void judge_stage(const Stage& stage, int line) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < stage.divisions.size(); ++i) {
      const Division& division = stage.divisions[i];
      if (!names.insert(division.name).second) {
        reader_.complain(line, fmt::format("two divisions have the name {}", division.name));
      }
      const bool takes_all = division.take == 0 && division.from.empty();
      if (takes_all && i + 1 < stage.divisions.size()) {
        reader_.complain(line, fmt::format("{} takes the rest (take): it must be the last division", division.name));
      }
      if (!division.from.empty()) judge_from(division, line);
    }
  }
  void judge_from(const Division& division, int line) {
    if (event_.stages.size() < 2) {
      return reader_.complain(line, fmt::format("from: {} is in the first stage", division.name));
    }
    const Stage& before = event_.stages[event_.stages.size() - 2];
    if (std::ranges::find(before.divisions, division.from, &Division::name) != before.divisions.end()) return;
    reader_.complain(line, fmt::format("from: stage {} has no division {}", before.name, division.from));
  }

  void entry_rules() {
    const std::string place = "entry.";
    if (const auto value = reader_.take(place, "max")) {
      const auto most = whole(reader_, *value, 2, static_cast<int>(kMostEntrants));
      if (most) event_.entry.most = static_cast<std::size_t>(*most);
    }
    if (const auto value = reader_.take(place, "open")) {
      event_.entry.open = yes_or_no(reader_, *value).value_or(event_.entry.open);
    }
    if (const auto value = reader_.take(place, "late-until")) {
      event_.entry.late_until = whole(reader_, *value, 0, kMostRounds).value_or(0);
    }
  }

  void entrants() {
    const std::size_t count = reader_.count("", "entrant");
    if (count > event_.entry.most) {
      reader_.complain(0, fmt::format("{} entrants; there is room for {}", count, event_.entry.most));
    }
    std::set<PlayerId> players;
    std::set<int> seeds;
    for (std::size_t i = 0; i < std::min(count, kMostEntrants); ++i) {
      const std::string place = fmt::format("entrant[{}].", i);
      const int line = reader_.line_of(place);
      Entrant entrant{.player = name(place, "name", ""), .title = title(place)};
      if (const auto value = reader_.take(place, "seed")) {
        entrant.seed = whole(reader_, *value, 1, static_cast<int>(kMostEntrants)).value_or(0);
      }
      if (const auto value = reader_.take(place, "rate")) {
        entrant.rate = whole(reader_, *value, -10'000, 10'000).value_or(0);
      }
      entrant.stage = stage_of(place);
      entrant.groups = groups(place);
      if (!players.insert(entrant.player).second) {
        reader_.complain(line, fmt::format("{} is there twice", entrant.player));
      }
      if (entrant.seed != 0 && !seeds.insert(entrant.seed).second) {
        reader_.complain(line, fmt::format("two have the seed {}", entrant.seed));
      }
      event_.entrants.push_back(std::move(entrant));
    }
  }
  std::vector<std::string> groups(const std::string& place) {
    const auto value = reader_.take(place, "group");
    if (!value) return {};
    if (const auto fault = groups_fault(value->items)) reader_.complain(*value, *fault);
    return value->items;
  }

  // Each item "ann bob ...": names with blanks between them.
  void apart() {
    const auto value = reader_.take("", "apart");
    if (!value) return;
    if (value->items.size() > kMostApart) reader_.complain(*value, fmt::format("more than {} lists", kMostApart));
    for (const std::string& item : value->items) {
      std::vector<PlayerId> players;
      for (std::size_t at = item.find_first_not_of(' '); at < item.size(); at = item.find_first_not_of(' ', at)) {
        const std::size_t end = std::min(item.find(' ', at), item.size());
        players.push_back(item.substr(at, end - at));
        at = end;
      }
      if (players.size() < 2) reader_.complain(*value, fmt::format("'{}' names no two players", item));
      for (const PlayerId& player : players) {
        const bool is_there = std::ranges::find(event_.entrants, player, &Entrant::player) != event_.entrants.end();
        if (!csa::is_identifier(player, kMostName)) {
          reader_.complain(*value, fmt::format("'{}' is no name", player));
        } else if (!event_.entry.open && !is_there) {
          reader_.complain(*value, fmt::format("there is no entrant {}", player));
        }
      }
      event_.apart.push_back(std::move(players));
    }
  }

  int stage_of(const std::string& place) {
    const auto value = reader_.take(place, "stage");
    if (!value) return 0;
    const auto found = std::ranges::find(event_.stages, value->items.front(), &Stage::name);
    if (found != event_.stages.end()) return static_cast<int>(found - event_.stages.begin());
    reader_.complain(*value, fmt::format("there is no stage {}", value->items.front()));
    return 0;
  }

  // What can not be with those who are known to play; with open entries there may be more.
  void judge_numbers() {
    const std::size_t field = event_.entry.open ? event_.entry.most : event_.entrants.size();
    std::set<std::string> names;
    for (std::size_t i = 0; i < event_.stages.size(); ++i) {
      const Stage& stage = event_.stages[i];
      const int said = reader_.line_of(fmt::format("stage[{}].", i));
      const int line = said == 0 ? reader_.line_of("") : said;  // 0: the event itself is the stage
      if (!names.insert(stage.name).second) {
        reader_.complain(line, fmt::format("two stages have the name {}", stage.name));
      }
      std::size_t wanted = 0;
      for (const Division& division : stage.divisions) {
        const std::size_t rest = field - std::min(field, wanted);
        wanted += static_cast<std::size_t>(division.take);
        judge_field(division, division.take == 0 ? rest : static_cast<std::size_t>(division.take), line);
      }
      if (wanted > field) {
        reader_.complain(line, fmt::format("{}: its divisions take {} players of {}", stage.name, wanted, field));
      }
    }
  }
  void judge_field(const Division& division, std::size_t members, int line) {
    const DivisionSettings& settings = division.settings;
    if (members > kMostMembers) {
      reader_.complain(line, fmt::format("{}: room for {} players; a division has {} at most (take, entry.max)",
                                         division.name, members, kMostMembers));
    }
    if (members < least_members(settings)) {
      reader_.complain(line, fmt::format("{}: {} rounds of a Swiss without rematches need {} players at least; there "
                                         "are {} (rematches = true allows them)",
                                         division.name, settings.rounds, least_members(settings), members));
    }
    if (rules_of(settings).two_members && members != 2) {
      reader_.complain(line, fmt::format("{}: a match is one of two; there is room for {} (take, entry.max)",
                                         division.name, members));
    }
    if (rules_of(settings).takes("seeds") && static_cast<std::size_t>(settings.seeds) >= members) {
      reader_.complain(line, fmt::format("{}: {} seeds leave nobody to play against", division.name, settings.seeds));
    }
  }

  SettingReader reader_;
  Event event_;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> groups_fault(std::span<const std::string> groups) {
  if (groups.size() > kMostGroups) return fmt::format("more than {} groups", kMostGroups);
  const auto is_name = [](const std::string& group) { return csa::is_identifier(group, kMostGroupName); };
  const auto wrong = std::ranges::find_if_not(groups, is_name);
  if (wrong == groups.end()) return std::nullopt;
  return fmt::format("'{}' is no name of a group", *wrong);
}

std::expected<Event, std::vector<Problem>> read_event(std::span<const Setting> settings) {
  return EventReader(settings).read();
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    if (text[i] != '\\' && text[i] != 't' && text[i] != 'n') return std::nullopt;
    out += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : '\\';
  }
  return out;
}

std::string settings_text(std::span<const Setting> settings) {
  std::string text;
  for (const Setting& setting : settings) text += escaped(setting.key) + '\t' + escaped(setting.value) + '\n';
  return text;
}

std::expected<std::vector<Setting>, std::string> parse_settings(std::string_view text) {
  std::vector<Setting> settings;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t tab = row.find('\t');
    if (tab == std::string_view::npos) return std::unexpected(fmt::format("line {}: no TAB", line));
    auto key = unescaped(row.substr(0, tab)), value = unescaped(row.substr(tab + 1));
    if (!key || !value) return std::unexpected(fmt::format("line {}: a backslash that escapes nothing", line));
    settings.push_back({.key = std::move(*key), .value = std::move(*value), .line = line});
  }
  return settings;
}

}  // namespace fuhyo::core::tournament
