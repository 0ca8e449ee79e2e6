#include "server/host/game_summary.h"

#include <algorithm>

#include "engines/record/csa_format.h"
#include "engines/record/csa_move.h"
#include "engines/record/csa_setup.h"
#include "engines/usi/levels.h"
#include "engines/usi/text.h"

namespace fuhyo::host {
namespace {

// A "Time", "Time+" or "Time-" block while it is read: Time_Unit may come after the numbers that it scales.
struct TimeBlock {
  bool given = false;
  std::int64_t unit_ms = 1000;
  std::int64_t total = 0, byoyomi = 0, increment = 0;
  ClockRule rule() const {
    return {.total_ms = total * unit_ms, .byoyomi_ms = byoyomi * unit_ms, .increment_ms = increment * unit_ms};
  }
};

// "1sec", "1min", "1msec", "30sec".
std::optional<std::int64_t> parse_unit(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = digits == 0 ? std::optional<std::int64_t>(1) : usi::to_integer(text.substr(0, digits));
  const std::string_view name = text.substr(digits);
  if (!count || *count < 1 || *count > 1'000'000) return std::nullopt;
  if (name == "msec") return count;
  if (name == "sec") return *count * 1000;
  if (name == "min") return *count * 60'000;
  return std::nullopt;
}

class Parser {
 public:
  std::expected<GameSummary, std::string> parse(std::span<const std::string> lines) {
    for (const std::string& raw : lines) {
      std::string_view text = raw;
      while (text.ends_with('\r') || text.ends_with(' ')) text.remove_suffix(1);
      if (auto read = line(text); !read) return std::unexpected("Game_Summary: " + read.error());
    }
    return finish();
  }

 private:
  using Result = std::expected<void, std::string>;

  Result line(std::string_view text) {
    if (text.starts_with("BEGIN ")) return begin(text.substr(6));
    if (text.starts_with("END ")) {
      block_.clear();
      return {};
    }
    if (block_ == "Position") return position(text);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view key = text.substr(0, colon), value = text.substr(colon + 1);
    if (time_block() != nullptr) return time(key, value);
    return block_.empty() ? field(key, value) : Result();  // what stands in an unknown block is unknown as well
  }

  Result begin(std::string_view name) {
    block_ = name == "Game_Summary" ? std::string() : std::string(name);
    if (TimeBlock* time = time_block()) time->given = true;
    return {};
  }

  TimeBlock* time_block() {
    if (block_ == "Time") return &times_[2];
    if (block_ == "Time+") return &times_[shogi::BLACK];
    if (block_ == "Time-") return &times_[shogi::WHITE];
    return nullptr;
  }

  Result time(std::string_view key, std::string_view value) {
    TimeBlock* block = time_block();
    const auto refuse = [&] { return std::unexpected("bad " + std::string(key) + " '" + std::string(value) + "'"); };
    if (key == "Time_Unit") {
      const auto unit = parse_unit(value);
      if (!unit) return refuse();
      block->unit_ms = *unit;
      return {};
    }
    std::int64_t* number = key == "Total_Time"  ? &block->total
                           : key == "Byoyomi"   ? &block->byoyomi
                           : key == "Increment" ? &block->increment
                                                : nullptr;
    if (number == nullptr) return {};
    const auto read = usi::to_integer(value);
    if (!read || *read < 0 || *read > 1'000'000'000) return refuse();
    *number = *read;
    return {};
  }

  Result field(std::string_view key, std::string_view value) {
    if (key == "Game_ID") game_.game_id = std::string(value);
    if (key == "Name+") game_.names[shogi::BLACK] = std::string(value);
    if (key == "Name-") game_.names[shogi::WHITE] = std::string(value);
    if (key == "Declaration" && value.starts_with("Jishogi 1")) game_.declaration = shogi::DeclarationRule::POINTS_27;
    if (key == "Entering_King_Rule") game_.declaration = shogi::entering_king_rule_of(value);
    if (key == "Max_Moves") {
      const auto moves = usi::to_integer(value);
      if (!moves || *moves < 0 || *moves > 1'000'000)
        return std::unexpected("bad Max_Moves '" + std::string(value) + "'");
      game_.max_moves = static_cast<std::int32_t>(*moves);
    }
    if (key == "Your_Turn") {
      if (value != "+" && value != "-") return std::unexpected("bad Your_Turn '" + std::string(value) + "'");
      game_.us = value == "+" ? shogi::BLACK : shogi::WHITE;
      turn_given_ = true;
    }
    return {};
  }

  Result position(std::string_view text) {
    if (text.empty()) return {};
    if (text.front() == 'P') {
      if (const auto defect = setup_.line(text)) return std::unexpected(*defect);
      return {};
    }
    if (text == "+" || text == "-") return start(text == "+" ? shogi::BLACK : shogi::WHITE);
    return move(text);
  }

  Result start(shogi::Color turn) {
    if (!setup_.any()) return std::unexpected(std::string("the board is missing"));
    const auto setup = setup_.finish(turn);
    if (!setup) return std::unexpected(setup.error());
    const auto position = setup->position();
    if (!position) return std::unexpected(position.error().message);
    game_.start = current_ = *position;
    started_ = true;
    return {};
  }

  // "+2726FU,T12"; the time may be missing, or stand on a line of its own as in record files.
  Result move(std::string_view text) {
    if (text.front() == 'T') return spend(text.substr(1));
    const auto csa = record::parse_csa_move(text.substr(0, 7));
    if (!csa || !started_) return std::unexpected("bad line '" + std::string(text) + "' in the position");
    const auto resolved = record::resolve(current_, *csa);
    if (!resolved || !current_.is_legal(*resolved))
      return std::unexpected("impossible move '" + std::string(text) + "'");
    current_.do_move(*resolved);
    game_.moves.push_back({.move = *resolved});
    if (text.substr(7).starts_with(",T")) return spend(text.substr(9));
    return {};
  }

  Result spend(std::string_view seconds) {
    const auto spent = parse_spent_ms(seconds);
    if (!spent || game_.moves.empty())
      return std::unexpected("bad time 'T" + std::string(seconds) + "' in the position");
    game_.moves.back().spent_ms = *spent;
    return {};
  }

  std::expected<GameSummary, std::string> finish() {
    if (!turn_given_) return std::unexpected(std::string("Game_Summary: Your_Turn is missing"));
    if (!started_) return std::unexpected(std::string("Game_Summary: the position is missing or not complete"));
    for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
      const TimeBlock& own = times_[side];
      game_.clocks[side] = own.given ? own.rule() : times_[2].rule();
    }
    return game_;
  }

  GameSummary game_;
  std::string block_;
  std::array<TimeBlock, 3> times_;  // Time+, Time-, Time
  record::CsaSetupReader setup_;
  shogi::Position current_;
  bool started_ = false;
  bool turn_given_ = false;
};

}  // namespace

std::expected<GameSummary, std::string> parse_game_summary(std::span<const std::string> lines) {
  return Parser().parse(lines);
}

int level_asked(std::string_view game_id) {
  constexpr std::string_view kWord = "+level";
  std::string_view name = game_id.substr(std::min(game_id.find('+'), game_id.size()));
  if (!name.starts_with(kWord)) return 0;
  name.remove_prefix(kWord.size());
  const auto level = usi::to_integer(name.substr(0, name.find('-')));
  return level && *level >= 1 && *level <= usi::kHighestLevel ? static_cast<int>(*level) : 0;
}

std::optional<std::int64_t> parse_spent_ms(std::string_view seconds) {
  if (seconds.ends_with('.')) seconds.remove_suffix(1);
  return record::parse_seconds(seconds);
}

Clocks::Clocks(const std::array<ClockRule, 2>& rules)
    : rules_(rules), remaining_ms_{rules[0].total_ms, rules[1].total_ms} {}

void Clocks::spend(shogi::Color side, std::int64_t spent_ms) {
  remaining_ms_[side] = std::max<std::int64_t>(0, remaining_ms_[side] + rules_[side].increment_ms - spent_ms);
}

std::int64_t Clocks::budget_ms(shogi::Color side) const {
  return remaining_ms_[side] + rules_[side].increment_ms + rules_[side].byoyomi_ms;
}

usi::GoLimits Clocks::limits(shogi::Color us, std::int64_t reserved_ms) const {
  usi::GoLimits limits;
  limits.timed = true;
  limits.time_ms = remaining_ms_;
  limits.inc_ms = {rules_[0].increment_ms, rules_[1].increment_ms};
  limits.byoyomi_ms = rules_[us].byoyomi_ms;
  // What is reserved comes off the main time first; what that lacks, off the time that every move gets.
  for (std::int64_t* part : {&limits.time_ms[us], &limits.byoyomi_ms, &limits.inc_ms[us]}) {
    const std::int64_t cut = std::min(*part, reserved_ms);
    *part -= cut;
    reserved_ms -= cut;
  }
  return limits;
}

}  // namespace fuhyo::host
