// Every constant of the search in one table, and every technique as a switch.
//
// In an ordinary build they are constants that the compiler folds. In a tuning build (-DFUHYO_TUNE) each constant is a
// USI option of its name, and each technique an option "Use_<name>", so that tuning and ablation need no rebuild.
#pragma once

#include "engines/usi/options.h"

// name, value, least, most. Evaluations in units of a 90-unit pawn, reductions in 1/1024 ply.
#define FUHYO_SEARCH_PARAMETERS(X)                                                       \
  X(aspiration_delta, 14, 4, 100)              /* half width of the first window */      \
  X(aspiration_squares, 11'000, 2'000, 60'000) /* ... plus mean square score / this */   \
  X(razor_base, 420, 0, 1'500)                                                           \
  X(razor_slope, 260, 0, 800)        /* times depth squared */                           \
  X(futility_slope, 96, 20, 300)     /* reverse futility: margin a ply */                \
  X(futility_improving, 150, 0, 300) /* per cent of a slope */                           \
  X(null_base, 4, 1, 10)             /* plies taken off after passing */                 \
  X(null_depth_divisor, 3, 2, 8)                                                         \
  X(null_eval_divisor, 230, 50, 1'000) /* a ply more for so much above beta */           \
  X(null_static_margin, 330, 0, 1'000)                                                   \
  X(null_static_slope, 18, 0, 80)                                                        \
  X(probcut_margin, 350, 50, 600)                                                        \
  X(probcut_improving, 55, 0, 200)                                                       \
  X(small_probcut_margin, 400, 100, 1'200)                                               \
  X(late_moves_base, 3, 0, 20)       /* moves tried near the leaves */                   \
  X(late_moves_root_depth, 7, 1, 60) /* none is left out in iterations before */         \
  X(capture_futility_base, 250, 0, 800)                                                  \
  X(capture_futility_slope, 240, 0, 800)                                                 \
  X(capture_exchange_slope, 155, 20, 500)                                                \
  X(quiet_history_limit, 4'200, 500, 20'000) /* a ply */                                 \
  X(quiet_futility_base, 60, 0, 400)                                                     \
  X(quiet_futility_slope, 130, 20, 500)                                                  \
  X(quiet_exchange_slope, 27, 5, 100) /* times reduced depth squared */                  \
  X(singular_depth, 6, 4, 12)                                                            \
  X(singular_slope, 56, 10, 200) /* per cent of a unit a ply */                          \
  X(double_margin, 15, 0, 200)                                                           \
  X(triple_margin, 110, 20, 600)                                                         \
  X(reduction_scale, 2'200, 1'000, 4'000) /* of ln(depth) * ln(number), /100 */          \
  X(reduction_base, 900, -1'000, 4'000)                                                  \
  X(reduction_delta, 760, 0, 2'000)                                                      \
  X(reduction_not_improving, 430, 0, 1'000) /* per mille of the log term */              \
  X(reduction_pv, 2'300, 0, 5'000)                                                       \
  X(reduction_pv_value, 850, 0, 3'000)                                                   \
  X(reduction_pv_depth, 900, 0, 3'000)                                                   \
  X(reduction_cut, 2'600, 0, 6'000)                                                      \
  X(reduction_table_capture, 1'100, 0, 4'000)                                            \
  X(reduction_cutoffs, 1'000, 0, 4'000)                                                  \
  X(reduction_table_move, 2'000, 0, 5'000)                                               \
  X(reduction_history, 830, 100, 3'000) /* for 8192 of history */                        \
  X(reduction_history_offset, 3'800, 0, 12'000)                                          \
  X(bonus_slope, 145, 20, 500)                                                           \
  X(bonus_offset, 85, 0, 400)                                                            \
  X(bonus_limit, 1'550, 200, 4'000)                                                      \
  X(malus_slope, 420, 50, 1'500)                                                         \
  X(malus_offset, 190, 0, 800)                                                           \
  X(malus_limit, 2'000, 200, 5'000)                                                      \
  X(correction_pawn, 66, 0, 300)                                                         \
  X(correction_minor, 60, 0, 300)                                                        \
  X(correction_other, 72, 0, 300)                                                        \
  X(correction_continuation, 60, 0, 300)                                                 \
  X(good_quiet, -14'000, -40'000, 10'000) /* quiets below it wait for losing captures */ \
  X(quiescence_margin, 190, 0, 600)                                                      \
  X(quiescence_exchange, 60, 0, 300)                                                     \
  X(mate_in_few_depth, 4, 1, 20) /* searched for from this depth on */                   \
  X(mate_in_few_plies, 3, 3, 7)                                                          \
  X(mate_in_few_moves, 60, 1, 2'000)  /* made in that search at most */                  \
  X(mate_at_root_share, 64, 1, 1'000) /* of the time or the nodes: one part in so many */

// name, whether the ordinary program uses it. What it does not was measured and found wanting (SEARCH.md).
#define FUHYO_SEARCH_TECHNIQUES(X)   \
  X(aspiration, true)                \
  X(mate_distance, true)             \
  X(mate_in_one, true)               \
  X(quiescence_mate_in_one, true)    \
  X(quiescence_checks, false)        \
  X(mate_in_few, false)              \
  X(mate_at_root, true)              \
  X(razoring, true)                  \
  X(reverse_futility, true)          \
  X(null_move, true)                 \
  X(internal_reduction, true)        \
  X(probcut, true)                   \
  X(small_probcut, true)             \
  X(late_move_pruning, true)         \
  X(capture_pruning, true)           \
  X(history_pruning, true)           \
  X(futility, true)                  \
  X(exchange_pruning, true)          \
  X(singular, true)                  \
  X(multi_extension, true)           \
  X(multi_cut, true)                 \
  X(negative_extension, true)        \
  X(late_move_reduction, true)       \
  X(deeper_research, true)           \
  X(capture_history, true)           \
  X(continuation_history, true)      \
  X(pawn_history, true)              \
  X(low_ply_history, true)           \
  X(correction_history, true)        \
  X(shared_history, true)            \
  X(table_value_as_evaluation, true) \
  X(evaluation_history, true)        \
  X(prior_move_bonus, true)          \
  X(superior_positions, true)

namespace fuhyo::nnue {

#ifdef FUHYO_TUNE
#define FUHYO_DEFINE(name, value, least, most) inline int name = value;
#define FUHYO_SWITCH(name, used) inline bool name = used;
#else
#define FUHYO_DEFINE(name, value, least, most) inline constexpr int name = value;
#define FUHYO_SWITCH(name, used) inline constexpr bool name = used;
#endif
namespace parameter {
FUHYO_SEARCH_PARAMETERS(FUHYO_DEFINE)
}
namespace use {
FUHYO_SEARCH_TECHNIQUES(FUHYO_SWITCH)
}
#undef FUHYO_DEFINE
#undef FUHYO_SWITCH

// In a tuning build, declares the options and takes their values over; otherwise nothing.
void add_tuning_options(usi::OptionTable& table);
void take_tuning_options(const usi::OptionTable& table);

}  // namespace fuhyo::nnue
