// `fuhyo-learn train` as it is called.
#include "games.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class TrainCommand : public LearnCommand {
 protected:
  TrainCommand() { write_games(folder_ / "a.games", test::play_games(1, 120)); }
};

TEST_F(TrainCommand, TrainsAndSaysHowItWent) {
  expect(0,
         "train a.games -o out --optimiser amsbound --lambda 0.3 -j 2 --width 64 --batch 128 --epochs 2 --held-back 8",
         AllOf(HasSubstr("120 games in"), HasSubstr("epoch 2 of 2"), HasSubstr("out/net.nn.bin: ")));
  EXPECT_EQ(folder_.read("out/net.nn.bin").substr(0, 4), "\x16\x2f\xf3\x7a");
  EXPECT_THAT(folder_.read("out/log.jsonl"), HasSubstr(R"({"kind":"validation","step":)"));
}

TEST_F(TrainCommand, GoesOnAfterASignal) {
  const std::string options = " --width 128 --batch 128 --epochs 8 --held-back 8";
  expect(0, "train a.games -o whole" + options);
  // At its first line; if this process did not come to it before the other one was done, that is no fault.
  folder_.write("interrupt",
                "\"$@\" >lines & while kill -0 $! && ! [ -s lines ]; do sleep 0.02; done; kill $!; wait $!");
  EXPECT_THAT(shell(fmt::format("sh interrupt '{}' train a.games -o parts{}", FUHYO_LEARN, options)),
              testing::AnyOf(0, 130))
      << said_;
  expect(0, "train a.games -o parts" + options);
  EXPECT_EQ(folder_.read("parts/net.nn.bin"), folder_.read("whole/net.nn.bin"));
  EXPECT_FALSE(folder_.read("whole/net.nn.bin").empty());
}

TEST_F(TrainCommand, SaysWhatIsWrong) {
  expect(64, "train none.games -o out", HasSubstr("none.games"));
  expect(64, "train a.games=2 -o out", HasSubstr("a.games=2: a weight is from 0 to 1"));
  expect(64, "train a.games -o out --optimiser sgd", HasSubstr("--optimiser: no optimiser is called 'sgd'"));
  expect(64, "train a.games");
  expect(64, "train a.games -o out --lambda 2");
  expect(64, "train a.games -o out --seed -1", HasSubstr("--seed: -1 is less than 0"));
  expect(64, "train a.games -o out --width 8193", HasSubstr("--width: Value 8193 not in range 1 to 8192"));
  expect(1, "train a.games -o out --batch 1000000", HasSubstr("less than a batch of 1000000"));
  expect(1, "train a.games -o out --features FFT", HasSubstr("features 'FFT' cannot be trained"));
  expect(64, "train a.games -o out --choices 8", HasSubstr("--choices requires --strong-moves"));
  folder_.write("lines.sfen", test::lines_of_pawn_movers(1, 60));
  expect(1, "train a.games -o out --strong-moves lines.sfen --choices 12 --batch 384",
         HasSubstr("12 moves to a comparison: a power of two from 2 to 256 is expected"));
  expect(1, "train said -o out");
  expect(1, "train a.games -o said/out");
}

}  // namespace
}  // namespace fuhyo::learn
