#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>

#include "engines/nnue/net/activity.h"
#include "engines/nnue/net/choice.h"
#include "engines/nnue/net/evaluator.h"
#include "engines/nnue/net/network.h"
#include "engines/shogi/movegen.h"
#include "naive_network.h"

namespace fuhyo::nnue {
namespace {

using naive::NaiveNetwork;
using naive::Shape;
using naive::Size;

Network::Loaded read(const std::string& file) {
  std::istringstream in(file);
  return Network::read(in, file.size(), "the file");
}

// A walk through the tree of games: moves are made and taken back, passed and not; values are asked for now and then,
// of one evaluator for each instruction set.
class Walk {
 public:
  Walk(const NaiveNetwork& naive, std::shared_ptr<const Network> network, std::uint64_t seed)
      : naive_(naive), random_(seed) {
    for (const Kernels* kernels : kernels_here()) {
      evaluators_.push_back(std::make_unique<Evaluator>(network, *kernels));
    }
  }

  // Wanders for so many steps, asking for a value with a chance of 1 in `every`.
  void run(const std::string& sfen, int steps, unsigned every) {
    position_ = *shogi::Position::from_sfen(sfen);
    done_.clear();
    for (auto& evaluator : evaluators_) evaluator->reset(position_);
    compare();
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      // Up for a while, then down for a while.
      const bool down = !done_.empty() && (done_.size() >= 200 || random_() % 8 < (i / 40 % 3 == 2 ? 6u : 1u));
      if (down) {
        undo();
      } else if (!go_on()) {
        if (done_.empty()) return;
        undo();
      }
      if (random_() % every == 0) compare();
    }
    while (!done_.empty()) undo();
    compare();
  }

  std::set<std::int32_t> values;
  int at_limit = 0, at_zero = 0, wrapped = 0, king_moves = 0, longest = 0;

 private:
  struct Done {
    shogi::Move move;
    shogi::Position::Undo undo;
  };

  bool go_on() {
    if (!position_.in_check() && random_() % 16 == 0) {
      done_.push_back({.move = {}, .undo = position_.do_null_move()});
      for (auto& evaluator : evaluators_) evaluator->push_null();
      return true;
    }
    const auto moves = shogi::legal_moves(position_);
    if (moves.empty()) return false;
    const shogi::Move move = moves[random_() % moves.size()];
    const shogi::Piece captured = position_.piece_on(move.to());
    king_moves += !move.is_drop() && shogi::type_of(position_.piece_on(move.from())) == shogi::KING;
    done_.push_back({.move = move, .undo = position_.do_move(move)});
    for (auto& evaluator : evaluators_) evaluator->push(position_, move, captured);
    longest = std::max(longest, static_cast<int>(done_.size()));
    return true;
  }

  void undo() {
    const Done last = done_.back();
    done_.pop_back();
    if (last.move) {
      position_.undo_move(last.move, last.undo);
    } else {
      position_.undo_null_move(last.undo);
    }
    for (auto& evaluator : evaluators_) evaluator->pop();
  }

  void compare() {
    const std::int32_t expected = naive_.evaluate(position_);
    values.insert(expected);
    at_limit += naive_.at_limit;
    at_zero += naive_.at_zero;
    wrapped += naive_.wrapped;
    for (std::size_t i = 0; i < evaluators_.size(); ++i) {
      ASSERT_EQ(evaluators_[i]->raw(position_), expected)
          << kernels_here()[i]->name << ' ' << naive_.text() << ' ' << position_.sfen();
    }
  }

  const NaiveNetwork& naive_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  shogi::Position position_;
  std::vector<Done> done_;
};

// Games with all pieces, handicaps, missing kings.
const std::vector<std::string> kStarts = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/p1ppppp1p/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w Pp 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "9/4k4/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "9/9/9/9/9/9/9/9/9 b RBGSNLP 1",
};

void agree(const Shape& shape, Size size, std::uint64_t seed) {
  const NaiveNetwork naive(shape, size, seed);
  const std::string file = naive.file(seed % 2 == 0);
  const auto network = read(file);
  ASSERT_TRUE(network) << network.error();
  Walk walk(naive, *network, seed);
  for (const std::string& start : kStarts) walk.run(start, 300, 1 + static_cast<unsigned>(seed % 12));
  EXPECT_GT(walk.king_moves, 10);
  EXPECT_GT(walk.longest, 100);
  EXPECT_GT(walk.at_zero, 0);
  if (size == Size::tiny) return;
  EXPECT_GT(walk.values.size(), 5u);
  EXPECT_GT(walk.at_limit, 0);
  if (size == Size::extreme) EXPECT_GT(walk.wrapped, 0);
}

struct Case {
  Shape shape;
  Size size;
};

class EveryNetwork : public testing::TestWithParam<Case> {};

TEST_P(EveryNetwork, AgreesWithTheNaiveOne) {
  std::uint64_t seed = 1;
  for (const char c : GetParam().shape.features) seed = seed * 31 + static_cast<unsigned char>(c);
  agree(GetParam().shape, GetParam().size, seed % 1000 + static_cast<unsigned>(GetParam().shape.hidden1));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* set :
       {"K+P", "HalfKP", "HalfKP_vm", "HalfKA1", "HalfKA2", "HalfKA_hm1", "HalfKA_hm2", "K+A2", "HalfKP_m9"}) {
    all.push_back({{.features = set}, Size::trained});
    all.push_back({{.features = set, .hidden1 = 32, .hidden2 = 16}, Size::extreme});
  }
  for (const Size size : {Size::tiny, Size::trained, Size::extreme}) {
    all.push_back({{.features = "K+P", .width = 256, .hidden1 = 32, .hidden2 = 32}, size});
    all.push_back({{.features = "K+P", .width = 1024, .hidden1 = 8, .hidden2 = 96}, size});
    all.push_back({{.features = "K+A2", .width = 512, .hidden1 = 65, .hidden2 = 100}, size});
    all.push_back({{.features = "K+P", .width = 320, .hidden1 = 5, .hidden2 = 3}, size});
    all.push_back(
        {{.features = "HalfKA_hm2", .width = 128, .hidden1 = 15, .hidden2 = 32, .sfnn = true, .stacks = "k3k3"}, size});
    all.push_back({{.features = "K+A2", .width = 1536, .hidden1 = 7, .hidden2 = 64, .sfnn = true}, size});
    all.push_back(
        {{.features = "K+P", .width = 256, .hidden1 = 16, .hidden2 = 30, .sfnn = true, .stacks = "k9k9"}, size});
  }
  for (const char* stacks : {"k9k9z", "k13k13z", "k21k21", "k29k29"}) {
    all.push_back({{.features = "K+A2", .width = 128, .hidden1 = 7, .hidden2 = 32, .sfnn = true, .stacks = stacks},
                   Size::trained});
  }
  all.push_back({{.features = "HalfKPE9", .hidden1 = 32}, Size::trained});
  return all;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto& [shape, size] = info.param;
  std::string name = (shape.sfnn ? "SFNN_" : "") + shape.features + "_" + std::to_string(shape.width) + "_" +
                     std::to_string(shape.hidden1) + "_" + std::to_string(shape.hidden2) + "_" + shape.stacks;
  std::ranges::replace(name, '+', 'x');
  return name + std::array{"_tiny", "_trained", "_extreme"}[static_cast<std::size_t>(size)];
}

// A network is laid out with its busiest values first: asked again, they are in order already.
TEST(Activity, BusyValuesComeFirst) {
  for (const bool sfnn : {false, true}) {
    const NaiveNetwork naive({.features = "K+P", .width = 256, .hidden1 = 8, .sfnn = sfnn}, Size::trained, 3);
    const auto network = read(naive.file());
    ASSERT_TRUE(network) << network.error();
    const std::vector<std::uint32_t> order = order_by_activity(**network);
    EXPECT_EQ(order.size(), sfnn ? 128u : 256u);
    EXPECT_TRUE(std::ranges::is_sorted(order));
  }
}

TEST(EvaluatorDeathTest, HoldsSoManyPliesAndNoMore) {
  const NaiveNetwork naive({.features = "K+P"}, Size::tiny, 1);
  const auto network = read(naive.file());
  ASSERT_TRUE(network) << network.error();
  Evaluator evaluator(*network, *kernels_here().front());
  const shogi::Position position;
  for (std::size_t i = 0; i < Evaluator::kMaxPlies; ++i) evaluator.push_null();
  EXPECT_EQ(evaluator.raw(position), naive.evaluate(position));
  EXPECT_DEATH(evaluator.push_null(), "");
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryNetwork, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace fuhyo::nnue
