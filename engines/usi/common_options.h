// The options that all engines of this project share, beside those of time (time_manager.h), with YaneuraOu's names and
// meanings. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engines/shogi/declaration.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

struct CommonOptions {
  int threads = 4;
  std::size_t hash_mb = 1'024;
  bool ponder = false;             // the GUI lets the engine think on the opponent's time
  bool stochastic_ponder = false;  // ... about the position before his move, not after the one expected
  int multi_pv = 1;
  int depth_limit = 0;  // 0: none
  std::int64_t nodes_limit = 0;
  std::array<int, 2> draw_value_cp{-2, -2};  // of a draw when that colour is to move at the root
  int resign_value = 99'999;                 // centipawns
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  bool generate_all = false;  // also moves that are never better than another one
  std::int64_t pv_interval_ms = 300;
  bool consideration = false;      // for analysis: full lines, all of them reported
  bool report_bounds = true;       // values that are only bounds
  bool report_repetition = false;  // at the end of a line
  bool show_wdl = true;
  bool operator==(const CommonOptions&) const = default;
};

// Declares the options above, and DebugLogFile, which is the loop's; reads them back.
void add_common_options(OptionTable& table);
CommonOptions common_options(const OptionTable& table);

// The limits of "go", combined with those of the options.
GoLimits with_limits(GoLimits limits, const CommonOptions& options);
// Whether a search that ends with this score gives up the game, by the option ResignValue. A mate counts as 30,000.
bool resigns(const Score& score, const CommonOptions& options);

}  // namespace fuhyo::usi
