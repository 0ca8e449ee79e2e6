// Rare branches that a run reached, so that a simulator that no longer reaches them is noticed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string_view>

namespace fuhyo::sim {

constexpr std::string_view kAllMarks =
    "game_opened game_started game_rejected agree_timed_out end_toryo end_abnormal end_time_up end_kachi "
    "end_illegal_kachi end_illegal_move end_oute_kaihimore end_uchifuzume end_sennichite end_oute_sennichite "
    "end_max_moves end_chudan end_adjudicated paused resumed round_held line_deferred line_repeated "
    "presend_in_slow_commit move_in_last_second read_pass read_pass_found_a_line login_refused name_replaced "
    "name_refused login_timed_out crowd_refused line_overlong throttled flood_cut too_many_ahead slow_reader_cut "
    "half_open link_clogged reset_in_game reset_outside split_inside_line lines_coalesced crlf early_wake loop_stall "
    "wall_jump watched_late commit_slow commit_grouped ack_lost commit_failed crash crash_in_commit crash_before_ack "
    "crash_in_game crash_before_agreement recovered_ended drained suspended continued back_after_restart back_in_time "
    "window_passed grace_passed ended_orderly frozen outbox_cut owner_came uneven_clocks other_declaration "
    "official_rules mate_at_limit";
constexpr auto kMarks = [] {
  std::array<std::string_view, std::ranges::count(kAllMarks, ' ') + 1> names;
  std::ranges::transform(kAllMarks | std::views::split(' '), names.begin(),
                         [](auto name) { return std::string_view(name); });
  return names;
}();

// One of them; any other name does not compile.
class Mark {
 public:
  consteval Mark(const char* name) : at_(static_cast<std::size_t>(std::ranges::find(kMarks, name) - kMarks.begin())) {
    static_cast<void>(kMarks.at(at_));
  }
  std::size_t at() const { return at_; }

 private:
  std::size_t at_;
};

class Marks {
 public:
  void hit(Mark mark) { ++counts_[mark.at()]; }
  std::uint64_t count(Mark mark) const { return counts_[mark.at()]; }
  // In the order of kMarks.
  const std::array<std::uint64_t, kMarks.size()>& counts() const { return counts_; }
  void add(const Marks& other) { std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus{}); }

 private:
  std::array<std::uint64_t, kMarks.size()> counts_{};
};

}  // namespace fuhyo::sim
