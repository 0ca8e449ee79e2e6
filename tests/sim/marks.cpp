#include "tests/sim/marks.h"

#include <algorithm>

namespace fuhyo::sim {
namespace {

// In the order of the marks.
constexpr std::string_view kNames =
    "game_opened game_started game_rejected agree_timed_out end_toryo end_abnormal end_time_up end_kachi "
    "end_illegal_kachi end_illegal_move end_oute_kaihimore end_uchifuzume end_sennichite end_oute_sennichite "
    "end_max_moves end_chudan end_adjudicated paused resumed round_held line_deferred line_repeated "
    "presend_in_slow_commit move_in_last_second read_pass read_pass_found_a_line login_refused name_replaced "
    "name_refused login_timed_out crowd_refused line_overlong throttled flood_cut too_many_ahead slow_reader_cut "
    "half_open link_clogged reset_in_game reset_outside split_inside_line lines_coalesced crlf early_wake "
    "loop_stall wall_jump watched_late commit_slow commit_grouped ack_lost commit_failed crash crash_in_commit "
    "crash_before_ack crash_in_game crash_before_agreement recovered_ended drained suspended continued "
    "back_after_restart back_in_time window_passed grace_passed ended_orderly frozen outbox_cut owner_came "
    "uneven_clocks other_declaration official_rules mate_at_limit";

static_assert(std::ranges::count(kNames, ' ') + 1 == kMarks);

}  // namespace

std::string_view to_string(Mark mark) {
  std::string_view rest = kNames;
  for (auto i = static_cast<std::size_t>(mark); i > 0; --i) rest.remove_prefix(rest.find(' ') + 1);
  return rest.substr(0, rest.find(' '));
}

}  // namespace fuhyo::sim
