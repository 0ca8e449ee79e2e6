// The player for CodinGame: compiled as there, it thinks what the engine thinks, and plays whole games by the protocol.
#include "engines/othello/codingame/export.h"

#include <bit>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/nn/choice.h"
#include "engines/nn/container.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/random_model.h"
#include "engines/othello/othello_game.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/othello/best_lead.h"

namespace fuhyo::othello {
namespace {

using testing::HasSubstr;

// Rounded to what files and sources keep.
nn::Model model_of(const nn::Shape& shape) {
  std::ostringstream out;
  nn::write_container(nn::random_model(shape, 3), "", out, nn::Precision::halves);
  std::istringstream in(out.str());
  return nn::read_container(in, out.str().size())->model;
}

// A turn as the referee tells it; `id` is to move.
std::string turn_of(const Board& board, int id) {
  std::string text;
  for (int square = 0; square < kSquares; ++square) {
    const bool own = (board.own >> square & 1) != 0, other = (board.other >> square & 1) != 0;
    text += own ? static_cast<char>('0' + id) : other ? static_cast<char>('1' - id) : '.';
    if (square % 8 == 7) text += '\n';
  }
  text += std::to_string(std::popcount(board.moves())) + "\n";
  for (std::uint64_t rest = board.moves(); rest != 0; rest &= rest - 1) text += to_text(std::countr_zero(rest)) + "\n";
  return text;
}

// The exported source as a program, run with lines in and lines out.
class Player {
 public:
  Player(const std::string& program, const std::vector<std::string>& arguments) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], 0), ::dup2(out[1], 1);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(in[0]), ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
  }
  ~Player() {
    std::fclose(to_);  // the end of its input is the end of the program
    std::fclose(from_);
    ::waitpid(child_, nullptr, 0);
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void say(const std::string& text) const { std::fputs(text.c_str(), to_), std::fflush(to_); }
  // Empty at the end of its output.
  std::string line() const {
    char text[256];
    if (std::fgets(text, sizeof text, from_) == nullptr) return {};
    std::string line(text);
    return line.substr(0, line.find('\n'));
  }

 private:
  ::pid_t child_ = 0;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

// One compilation serves all tests.
class CodinGame : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    before_ = ::signal(SIGPIPE, SIG_IGN);
    folder_ = std::make_unique<test::TemporaryFolder>();
    model_ = std::make_shared<const nn::Model>(model_of(default_shape()));
    const auto source = codingame_source(*model_, "random weights \n// \\");
    ASSERT_TRUE(source) << source.error();
    ASSERT_LT(source->size(), kSourceLimit);
    folder_->write("player.cpp", *source);
    const std::string command = FUHYO_PLAYER_COMPILER " -O2 -std=c++17 -o " + program() + " " +
                                folder_->file("player.cpp") + " 2> " + folder_->file("errors");
    ASSERT_EQ(std::system(command.c_str()), 0) << folder_->read("errors");
  }
  static void TearDownTestSuite() {
    folder_.reset(), model_.reset();
    ::signal(SIGPIPE, before_);
  }
  static std::string program() { return folder_->file("player"); }

  static inline void (*before_)(int) = SIG_DFL;
  static inline std::unique_ptr<test::TemporaryFolder> folder_;
  static inline std::shared_ptr<const nn::Model> model_;
};

struct Opinion {
  std::vector<std::pair<std::string, double>> moves;
  double value = 0;
};

Opinion of_engine(nn::Backend& backend, const Board& board) {
  nn::Batch batch(backend.shape(), 1);
  write_inputs(board, batch.planes(batch.add()));
  nn::Evaluations out(backend.shape(), 1);
  EXPECT_TRUE(backend.evaluate(batch, out));
  Opinion opinion{.moves = {}, .value = out.value(0)};
  double sum = 0;
  for (std::uint64_t rest = board.moves(); rest != 0; rest &= rest - 1) {
    const int square = std::countr_zero(rest);
    opinion.moves.emplace_back(to_text(square), std::exp(out.logits(0)[static_cast<std::size_t>(square)]));
    sum += opinion.moves.back().second;
  }
  for (auto& [move, chance] : opinion.moves) chance /= sum;
  return opinion;
}

TEST_F(CodinGame, ThinksWhatTheEngineThinks) {
  const auto backend = nn::cpu_backend(*model_, *nn::kernels_here().front());
  std::mt19937_64 random(4);
  const Player player(program(), {"--policy"});
  player.say("1\n8\n");
  double largest = 0;
  for (int game = 0; game < 4; ++game) {
    Board board = Board::start();
    while (!board.over()) {
      std::uint64_t moves = board.moves();
      if (moves != 0) {
        player.say(turn_of(board, 1));
        const Opinion opinion = of_engine(*backend, board);
        for (const auto& [move, chance] : opinion.moves) {
          std::istringstream line(player.line());
          std::string said;
          double said_chance = -1;
          line >> said >> said_chance;
          ASSERT_EQ(said, move);
          ASSERT_NEAR(said_chance, chance, 1e-3);
          largest = std::max(largest, chance);
        }
        const std::string value = player.line();
        ASSERT_THAT(value, HasSubstr("value "));
        ASSERT_NEAR(std::stod(value.substr(6)), opinion.value, 1e-3);
        for (auto skip = random() % static_cast<unsigned>(std::popcount(moves)); skip > 0; --skip) moves &= moves - 1;
      }
      board.play(moves == 0 ? kPass : std::countr_zero(moves));
    }
  }
  EXPECT_GT(largest, 0.2);
}

TEST_F(CodinGame, PlaysLegalMovesToTheEnd) {
  std::mt19937_64 random(6);
  for (int id = 0; id < 2; ++id) {
    const Player player(program(), {"--playouts", "20"});
    player.say(std::to_string(id) + "\n8\n");
    Board board = Board::start();
    int asked = 0;
    for (int turn = 0; !board.over(); turn ^= 1) {
      std::uint64_t moves = board.moves();
      int move = kPass;
      if (moves != 0 && turn == id) {
        player.say(turn_of(board, id));
        const auto square = parse_square(player.line());
        ASSERT_TRUE(square);
        ASSERT_NE(moves >> *square & 1, 0U);
        move = *square;
        ++asked;
      } else if (moves != 0) {
        for (auto skip = random() % static_cast<unsigned>(std::popcount(moves)); skip > 0; --skip) moves &= moves - 1;
        move = std::countr_zero(moves);
      }
      board.play(move);
    }
    EXPECT_GT(asked, 10);
  }
}

// Near the end it looks at every line, so it wins what can be won, whatever the network thinks.
TEST_F(CodinGame, FindsMovesThatWin) {
  std::mt19937_64 random(9);
  const Player player(program(), {"--playouts", "3000"});
  player.say("0\n8\n");
  int won = 0, choices = 0;
  while (won < 8) {
    Board board = Board::start();
    while (!board.over() && 64 - std::popcount(board.own | board.other) > 5) {
      std::uint64_t moves = board.moves();
      for (auto skip = random() % 8; skip > 0 && std::popcount(moves) > 1; --skip) moves &= moves - 1;
      board.play(moves == 0 ? kPass : std::countr_zero(moves));
    }
    if (board.over() || board.moves() == 0 || best_lead(board) <= 0) continue;
    player.say(turn_of(board, 0));
    const auto square = parse_square(player.line());
    ASSERT_TRUE(square);
    Board next = board;
    next.play(*square);
    EXPECT_LT(best_lead(next), 0) << won;
    ++won;
    choices += std::popcount(board.moves()) > 1 ? 1 : 0;
  }
  EXPECT_GT(choices, 4);
}

TEST_F(CodinGame, AnswersInTime) {
  const Player player(program(), {});
  player.say("0\n8\n");
  for (int turn = 0; turn < 2; ++turn) {
    const auto begin = std::chrono::steady_clock::now();
    player.say(turn_of(Board::start(), 0));
    EXPECT_TRUE(parse_square(player.line()));
    const auto passed = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(passed, std::chrono::milliseconds(turn == 0 ? 800 : 100));  // and no earlier: it thinks
  }
}

TEST(CodinGameSource, RefusesWhatThePlayerCannotBe) {
  const auto refusal = [](const nn::Shape& shape) {
    return test::error_of(codingame_source(nn::Model::zeros(shape), ""));
  };
  nn::Shape shape = default_shape();
  shape.value_planes = 64;
  EXPECT_THAT(refusal(shape), HasSubstr("characters of fewer than 100000"));
  shape = default_shape();
  shape.activation = nn::Activation::silu;
  EXPECT_THAT(refusal(shape), HasSubstr("only plain blocks with ReLU"));
  shape = default_shape();
  shape.policy_planes = 2;
  EXPECT_THAT(refusal(shape), HasSubstr("Othello has 3+0 inputs and 64 labels"));
  nn::Model large = nn::Model::zeros(default_shape());
  large.policy_bias[0] = 1e6F;
  EXPECT_FALSE(codingame_source(large, ""));
}

}  // namespace
}  // namespace fuhyo::othello
