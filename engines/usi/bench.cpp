#include "engines/usi/bench.h"

#include <array>

namespace fuhyo::usi {
namespace {

// Opening, castles, open battle, hands full of pieces, and a position where nearly everything is a drop.
constexpr std::array<std::string_view, 6> kPositions = {
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "sfen l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
    "sfen lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b 9P9p 1",
};

}  // namespace

BenchResult bench(Engine& engine, const GoLimits& limits, const std::function<void(std::string_view)>& print) {
  BenchResult total;
  for (const std::string_view text : kPositions) {
    const auto game = parse_position(text);
    if (!game) {
      print(game.error());
      continue;
    }
    engine.new_game();
    const SearchControl control;
    const SearchResult result = engine.search(*game, limits, control, [](const Info&) {});
    const std::int64_t time_ms = control.elapsed_ms();
    total.nodes += result.nodes;
    total.trace += result.trace;
    total.time_ms += time_ms;
    print(to_text(result.best) + " nodes " + std::to_string(result.nodes) + " time " + std::to_string(time_ms) + "  " +
          std::string(text));
  }
  return total;
}

}  // namespace fuhyo::usi
