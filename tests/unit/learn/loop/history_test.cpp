// The page of a run.
#include "engines/learn/loop/history.h"

#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using testing::Not;

RunReport run() {
  GenerationReport first{.number = 0, .games = 1'000, .positions = 90'000, .nodes = 250, .play_seconds = 1'800};
  first.samples = 15'000, first.steps = 40, first.lambda = 0.3, first.loss = 0.5123, first.agreement = 0.256;
  first.training = {{0.5, 0.6}, {1, 0.55}};
  first.validation = {{1, 0.54}};
  first.verdict = "H1", first.accepted = true, first.test_games = 320, first.match_games = 400;
  first.test = {120, 80, 165}, first.match = {150, 100, 205};
  GenerationReport second{.number = 1, .games = 2'000};
  second.steps = 1, second.verdict = "H0", second.test_games = 900, second.test = {-12, -30, 5};
  GenerationReport third{.number = 2, .games = 500};
  return {.name = "first <run>", .seed = 7, .configuration = "seed = 7 # <&>", .generations = {first, second, third}};
}

TEST(RunPage, ShowsEveryGeneration) {
  const std::string page = to_page(run());
  EXPECT_THAT(page, HasSubstr("<h1>first &lt;run&gt;</h1>"));
  EXPECT_THAT(page,
              HasSubstr("<td>0</td><td>1000</td><td>90000</td><td>250</td><td>0.30</td><td>15000</td><td>0.5123"));
  EXPECT_THAT(page, HasSubstr("<td>25.6 %</td><td>yes</td><td>320</td><td>+120 [+80, +165]</td><td>400</td>"
                              "<td>+150 [+100, +205]</td><td>0.50</td>"));
  EXPECT_THAT(page, HasSubstr("<td>no</td><td>900</td><td>-12 [-30, +5]</td><td></td><td></td>"));
  EXPECT_THAT(page, HasSubstr("<td>2</td><td>500</td>"));
  EXPECT_THAT(page, HasSubstr("seed = 7 # &lt;&amp;&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<run>")));
}

TEST(RunPage, PlotsWhatThereIs) {
  const std::string losses = plot_losses(run());
  EXPECT_THAT(losses, HasSubstr("generation 0: loss"));
  EXPECT_THAT(losses, Not(HasSubstr("generation 1: loss")));
  EXPECT_THAT(plot_losses({}), testing::StartsWith("<svg"));
  const std::string elo = plot_elo(run());
  // Two points: the untrained network, and the one that was accepted.
  const auto begin = elo.find("points=\"") + 8;
  const std::string points = elo.substr(begin, elo.find('"', begin) - begin);
  EXPECT_EQ(std::ranges::count(points, ','), 2);
  EXPECT_THAT(plot_elo({}), testing::StartsWith("<svg"));
}

}  // namespace
}  // namespace fuhyo::learn
