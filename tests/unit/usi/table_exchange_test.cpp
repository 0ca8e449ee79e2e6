#include "engines/usi/table_exchange.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <mutex>
#include <span>

#include "tests/support/patience.h"

namespace fuhyo::usi {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kOneEntry = " 0123456789abcdef,7g7f,12,e,-35,40";

// Lines that were printed, by any thread.
class Printed {
 public:
  TableExchange::Print printer() {
    return [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    };
  }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::size_t bytes() {
    std::size_t sum = 0;
    for (const std::string& line : lines()) sum += line.size() + 1;
    return sum;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

class ExchangeTest : public ::testing::Test {
 protected:
  ExchangeTest() {
    TableExchange::add_options(options);
    set("TableExchange", "lines");
    exchange.print_to(printed.printer());
  }
  void set(std::string_view name, std::string_view value) { ASSERT_TRUE(options.set(name, value)); }
  // An engine's "go", and what it does when it has searched.
  void search() {
    exchange.begin_search();
    exchange.tell();
  }

  OptionTable options;
  Printed printed;
  std::vector<TableEntry> taken;
  std::size_t refuses = 0;  // of each batch
  SearchControl::Clock::time_point now{};
  TableExchange exchange{options,
                         [this](std::span<const TableEntry> entries) {
                           taken.insert(taken.end(), entries.begin(), entries.end());
                           return refuses;
                         },
                         [this] { return now; }};
};

TEST_F(ExchangeTest, HearsTheEntriesOfTheSearchThatWasAnnounced) {
  exchange.hear(" search 7");
  exchange.hear(" 7" + std::string(kOneEntry));  // between two searches
  exchange.begin_search();
  exchange.hear(" 7" + std::string(kOneEntry));
  EXPECT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken.front().key, 0x0123456789abcdefU);
  exchange.tell();
  EXPECT_THAT(printed.lines(), IsEmpty());
}

TEST_F(ExchangeTest, DropsTheEntriesOfAnotherSearch) {
  exchange.hear(" 7" + std::string(kOneEntry));  // of none
  exchange.hear(" search 8");
  exchange.hear(" 7" + std::string(kOneEntry));
  exchange.begin_search();
  exchange.hear(" search 9");  // for the next one: this one hears no more
  exchange.hear(" 8 nonsense");
  EXPECT_THAT(taken, IsEmpty());
  exchange.tell();
  exchange.tell();  // once
  EXPECT_THAT(printed.lines(), ElementsAre(HasSubstr("3 lines of other searches")));
}

TEST_F(ExchangeTest, AGoThatWasNotAnnouncedExchangesNothing) {
  exchange.hear(" search 8");
  exchange.begin_search();
  EXPECT_NE(exchange.sender(), nullptr);
  exchange.begin_search();
  EXPECT_EQ(exchange.sender(), nullptr);
  exchange.hear(" 8" + std::string(kOneEntry));
  EXPECT_THAT(taken, IsEmpty());
}

// The answers to "waits" come on the thread that searches here.
TEST_F(ExchangeTest, InLockstepASearchWaitsAfterEachSlice) {
  const auto answers = [&](std::string_view line) {
    printed.printer()(line);
    if (line == "tt waits 8") exchange.hear(" next 7"), exchange.hear(" next 8");
  };
  exchange.print_to(answers);
  exchange.hear(" search 8 100");
  exchange.begin_search();
  const auto sender = exchange.sender();
  const auto never = [] { return false; };
  EXPECT_EQ(sender->keep_step(60, never), 40);
  sender->send({{.key = 1}});
  EXPECT_EQ(sender->keep_step(100, never), 100);
  EXPECT_EQ(sender->keep_step(350, never), 50) << "two slices at once";
  EXPECT_THAT(printed.lines(),
              ElementsAre("tt 8 0000000000000001,-,0,e,0,-", "tt waits 8", "tt waits 8", "tt waits 8"));
}

TEST_F(ExchangeTest, InLockstepAStopIsHeard) {
  exchange.hear(" search 8 100");
  exchange.begin_search();
  int asked = 0;
  EXPECT_EQ(exchange.sender()->keep_step(100, [&] { return ++asked >= 3; }), 0);
  exchange.begin_search();
  EXPECT_EQ(exchange.sender(), nullptr);
  exchange.hear(" search 9");
  exchange.begin_search();
  EXPECT_EQ(exchange.sender()->keep_step(100, [] { return false; }), kForever);
}

TEST_F(ExchangeTest, TellsOnceASearchWhatItLeftOut) {
  refuses = 1;
  exchange.hear(" search 8");
  exchange.begin_search();
  for (const char* line : {"", " hello", " 8", " keys 1"}) exchange.hear(line);
  exchange.hear(" 8 x,y" + std::string(kOneEntry));
  EXPECT_EQ(taken.size(), 1U);
  EXPECT_THAT(printed.lines(), IsEmpty());
  exchange.tell();
  EXPECT_THAT(printed.lines(),
              ElementsAre(HasSubstr("0 lines of other searches, 0 lines too many a second, 5 malformed "
                                    "entries, 1 entries refused")));
}

TEST_F(ExchangeTest, IgnoresEverythingWhileItIsOff) {
  set("TableExchange", "off");
  for (int searches = 0; searches < 2; ++searches) {
    exchange.hear(" search 8");
    exchange.hear(" 8" + std::string(kOneEntry));
    search();
    EXPECT_EQ(exchange.sender(), nullptr);
  }
  exchange.say_keys();
  EXPECT_THAT(taken, IsEmpty());
  const auto ignored = HasSubstr("tt is ignored: the option TableExchange is off");
  EXPECT_THAT(printed.lines(), ElementsAre(ignored, ignored));  // once a search
}

TEST_F(ExchangeTest, AFloodIsCutOffUntilTheNextSecond) {
  std::string line = " 8";
  for (std::size_t i = 0; i < kMostTableEntries; ++i) line += kOneEntry;
  exchange.hear(" search 8");
  exchange.begin_search();
  const std::size_t most = kMostHeardBytes / line.size();
  for (std::size_t i = 0; i < most + 3; ++i) exchange.hear(line);
  EXPECT_EQ(taken.size(), most * kMostTableEntries);
  now += 1s;
  exchange.hear(line);
  EXPECT_EQ(taken.size(), (most + 1) * kMostTableEntries);
  exchange.tell();
  EXPECT_THAT(printed.lines(), ElementsAre(HasSubstr(" 3 lines too many a second")));
}

TEST_F(ExchangeTest, SaysItsKeys) {
  exchange.set_keys(255);
  exchange.say_keys();
  EXPECT_THAT(printed.lines(), ElementsAre("tt keys 00000000000000ff"));
}

TEST_F(ExchangeTest, SendsEntriesAsTheOptionsSay) {
  EXPECT_EQ(exchange.least_depth(), std::nullopt);
  set("TableExchange", "depth");
  set("TableExchangeDepth", "11");
  EXPECT_EQ(exchange.least_depth(), 11);
  exchange.hear(" search 3");
  exchange.begin_search();
  exchange.hear(" search 4");  // for the next one
  exchange.sender()->send({{.key = 1, .depth = 12, .value = 5}});
  EXPECT_THAT(printed.lines(), ElementsAre("tt 3 0000000000000001,-,12,e,5,-"));
}

// ---- the sender ----

TEST(TableSender, PrintsWhatWaitsBeforeItEnds) {
  Printed printed;
  {
    TableSender sender(5, 0, printed.printer());
    for (int depth = 0; depth < 100; ++depth) sender.send({{.depth = depth}});
  }
  EXPECT_EQ(printed.lines().size(), 100U);
  EXPECT_EQ(printed.lines().front(), "tt 5 0000000000000000,-,0,e,0,-");
  EXPECT_EQ(printed.lines().back(), "tt 5 0000000000000000,-,99,e,0,-");
}

// Nobody reads; whoever searches goes on, and the oldest entries go.
TEST(TableSender, NobodyWaitsForTheOutput) {
  Printed printed;
  std::latch printing(1), read(1);
  std::atomic<bool> first = true;
  {
    TableSender sender(5, 0, [&](std::string_view line) {
      if (first.exchange(false)) {
        printing.count_down();
        read.wait();
      }
      printed.printer()(line);
    });
    sender.send({{.value = 0}});
    printing.wait();
    for (int value = 1; value <= 1'000; ++value) sender.send({{.value = value}});
    read.count_down();
  }
  ASSERT_EQ(printed.lines().size(), kMostWaitingBatches + 1);
  EXPECT_EQ(printed.lines()[1], "tt 5 0000000000000000,-,0,e,745,-");
  EXPECT_EQ(printed.lines().back(), "tt 5 0000000000000000,-,0,e,1000,-");
}

TEST(TableSender, KeepsToItsRate) {
  constexpr std::int64_t kBytesPerSecond = 100'000;
  Printed printed;
  const auto begin = std::chrono::steady_clock::now();
  {
    TableSender sender(5, kBytesPerSecond, printed.printer());
    const auto flood = [&] {
      for (int i = 0; i < 100; ++i) sender.send(std::vector<TableEntry>(kMostTableEntries));
      return printed.lines().size() >= 5;
    };
    EXPECT_TRUE(test::eventually(flood));
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin + TableSender::kBurst;
  const double longest = static_cast<double>(printed.lines().front().size() + 1);
  EXPECT_LE(static_cast<double>(printed.bytes()), taken.count() * kBytesPerSecond + longest);
}

}  // namespace
}  // namespace fuhyo::usi
