// The values of a network that exists, known from another program; the file is not part of the project.
#include <filesystem>
#include <gtest/gtest.h>

#include "engines/nnue/net/choice.h"
#include "engines/nnue/net/evaluator.h"
#include "engines/nnue/net/network.h"
#include "engines/usi/game.h"

namespace fuhyo::nnue {
namespace {

std::filesystem::path known_network() {
  return std::filesystem::path(FUHYO_SOURCE_DIR) / "../shared/data/nets/suishopetite-kp256.nn.bin";
}

struct Known {
  const char* position;
  std::int32_t raw;
};
constexpr Known kKnown[] = {
    {"startpos", 636},
    {"startpos moves 7g7f 3c3d 2g2f", -1340},
    {"sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", -14650},
    {"sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", -14619},
};

TEST(KnownNetwork, HasTheValuesThatAreKnown) {
  if (!std::filesystem::exists(known_network())) GTEST_SKIP() << known_network() << " is not there";
  const auto network = Network::load(known_network());
  ASSERT_TRUE(network) << network.error();
  EXPECT_EQ((*network)->architecture().name(), "K+P 256x2-32-32");
  EXPECT_EQ((*network)->remark(), "");
  for (const Kernels* kernels : kernels_here()) {
    Evaluator evaluator(*network, *kernels);
    for (const Known& known : kKnown) {
      const shogi::Position position = usi::parse_position(known.position)->current();
      evaluator.reset(position);
      EXPECT_EQ(evaluator.raw(position), known.raw) << known.position << ' ' << kernels->name;
    }
  }
}

}  // namespace
}  // namespace fuhyo::nnue
