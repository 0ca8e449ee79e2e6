// Shuffling beyond memory, and counting duplicates: nothing is lost or made up, however little memory there is.
#include "engines/learn/data/shuffle.h"

#include <map>

#include "engines/learn/data/buckets.h"
#include "engines/learn/data/duplicates.h"
#include "engines/learn/data/sink.h"
#include "engines/learn/data/source.h"
#include "engines/match/tune/random.h"
#include "engines/record/scored_game_codec.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class Shuffling : public FolderTest {
 protected:
  // `count` records, each of which says its number.
  fs::path records(const std::string& name, std::uint32_t first, std::uint32_t count) {
    std::string bytes;
    for (std::uint32_t i = first; i < first + count; ++i) bytes += fmt::format("{:<40}", i);
    return folder_.write(name, bytes);
  }
  std::vector<std::string> units(const std::string& name) {
    const std::string bytes = folder_.read(name);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < bytes.size(); i += 40) out.push_back(bytes.substr(i, 40));
    return out;
  }
};

TEST_F(Shuffling, KeepsEveryRecordWhateverTheMemory) {
  const std::vector<fs::path> in = {records("a.psv", 0, 30'000), records("b.psv", 30'000, 1)};
  auto sorted = units("a.psv");
  sorted.push_back(units("b.psv").front());
  const auto wanted = sorted;
  std::ranges::sort(sorted);
  std::vector<std::vector<std::string>> orders;
  for (const std::uint64_t memory : {std::uint64_t{1} << 14U, std::uint64_t{1} << 18U, std::uint64_t{1} << 30U}) {
    const auto shuffled = must(shuffle(in, folder_ / "out.psv", DataFormat::psv, {.memory = memory, .seed = 5}));
    EXPECT_EQ(shuffled.units, 30'001U);
    EXPECT_EQ(shuffled.buckets > 1, memory < std::uint64_t{1} << 24U);
    auto got = units("out.psv");
    EXPECT_NE(got, wanted);
    orders.push_back(got);
    std::ranges::sort(got);
    EXPECT_EQ(got, sorted);
    EXPECT_FALSE(fs::exists(folder_ / "out.psv.buckets"));
  }
  must(shuffle(in, folder_ / "out.psv", DataFormat::psv, {.memory = 1 << 14, .seed = 5}));
  EXPECT_EQ(units("out.psv"), orders[0]);
  must(shuffle(in, folder_ / "out.psv", DataFormat::psv, {.memory = 1 << 14, .seed = 6}));
  EXPECT_NE(units("out.psv"), orders[0]);
}

// Where a record goes does not depend on where it was: means of places over many records, ten standard errors wide.
TEST_F(Shuffling, SpreadsWhatStoodTogether) {
  const std::vector<fs::path> in = {records("a.psv", 0, 20'000)};
  ASSERT_TRUE(shuffle(in, folder_ / "out.psv", DataFormat::psv, {.memory = std::uint64_t{1} << 18U, .seed = 1}));
  const auto got = units("out.psv");
  double sum = 0;
  for (std::size_t place = 0; place < got.size(); ++place) {
    if (std::stoul(got[place]) < 2'000) sum += static_cast<double>(place);
  }
  EXPECT_NEAR(sum / 2'000, 10'000, 10 * 20'000 / 3.46 / 44.7);
}

TEST_F(Shuffling, GamesStayWhole) {
  ConversionLosses losses;
  const auto games = test::random_games(60, 3);
  for (const DataFormat format : {DataFormat::games, DataFormat::hcpe3}) {
    const std::string name = fmt::format("a.{}", to_string(format)), out = "out" + name;
    const auto sink = must(open_sink(folder_ / name, format, "", losses));
    for (const auto& game : games) must(sink->append(game));
    must(sink->finish());
    const std::vector<fs::path> in = {folder_ / name};
    const auto shuffled = must(shuffle(in, folder_ / out, format, {.memory = 1 << 14}));
    const auto lines = [&](const std::string& file) {
      std::vector<std::string> read;
      for (const auto& game : drain(*must(open_source(folder_ / file, format, losses)))) {
        record::Bytes bytes;
        EXPECT_TRUE(record::append_scored_game(bytes, game));
        read.emplace_back(bytes.begin(), bytes.end());
      }
      return read;
    };
    auto before = lines(name), after = lines(out);
    EXPECT_EQ(after.size(), shuffled.units);
    EXPECT_NE(before, after);
    std::ranges::sort(before);
    std::ranges::sort(after);
    EXPECT_EQ(before, after);
  }
}

TEST_F(Shuffling, DamageLeavesNoOutput) {
  const std::vector<fs::path> in = {records("a.psv", 0, 10)};
  fs::resize_file(in[0], 399);
  const auto shuffled = shuffle(in, folder_ / "out.psv", DataFormat::psv, {});
  EXPECT_THAT(shuffled.error(), HasSubstr("a.psv: offset 360: the file ends within a position"));
  for (const char* name : {"out.psv", "out.psv.part", "out.psv.buckets"}) EXPECT_FALSE(fs::exists(folder_ / name));
  const std::vector<fs::path> none = {folder_ / "none.psv"};
  EXPECT_THAT(shuffle(none, folder_ / "out.psv", DataFormat::psv, {}).error(), HasSubstr("none.psv: "));
  EXPECT_THAT(Buckets::count_for(std::uint64_t{1} << 40U, std::uint64_t{1} << 20U).error(),
              HasSubstr("1 MB at once are too little for 1048576 MB; 1025 would do"));
  EXPECT_TRUE(Buckets::count_for(std::uint64_t{1} << 40U, std::uint64_t{1025} << 20U));
}

TEST_F(Shuffling, BucketsSayThatTheDiskIsFull) {
  Buckets buckets("/dev/full/buckets", 2, 1 << 14);
  record::Bytes page(5'000);
  EXPECT_TRUE(buckets.add(0, page));
  EXPECT_THAT(buckets.add(0, page).error(), HasSubstr("cannot be written"));
}

TEST_F(Shuffling, DuplicatesAreCountedAsTheyAre) {
  match::tune::Random random(4, 0);
  for (const std::size_t buckets : {1U, 7U}) {
    OccurrenceCount count(folder_ / "b", buckets, 1 << 14);
    std::map<shogi::Key, std::uint64_t> slow;
    for (int i = 0; i < 50'000; ++i) {
      // Some very often, many seldom.
      const shogi::Key key = random.below(1 + random.below(40'000)) * 0x123456789abcdef;
      ASSERT_TRUE(count.add(key));
      ++slow[key];
    }
    const auto found = must(count.count());
    EXPECT_EQ(found.all, 50'000U);
    EXPECT_EQ(found.distinct, slow.size());
    std::uint64_t most = 0;
    std::array<std::uint64_t, 6> things{};
    for (const auto& [key, times] : slow) {
      most = std::max(most, times);
      ++things[times < 3 ? times - 1 : (times < 10 ? 2 : (times < 100 ? 3 : (times < 1'000 ? 4 : 5)))];
    }
    EXPECT_EQ(found.most, most);
    EXPECT_EQ(found.things, things);
  }
}

}  // namespace
}  // namespace fuhyo::learn
