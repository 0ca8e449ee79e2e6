// A store as the contracts of all stores see it, whichever database is below it. A database takes part by instantiating
// the suites with a maker of StoreUnderTest.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <ostream>

#include "server/core/rating/history.h"
#include "server/store/store.h"
#include "tests/support/expected.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {

// As long as tests wait for anything at all: only a hang reaches it.
inline constexpr int kPatience_ms = std::chrono::milliseconds(kPatience).count();

// Nothing is too old, and what failed is tried again soon.
inline store::JournalLimits test_limits() {
  return {.keep_us = INT64_MAX / 2,
          .keep_rows = INT64_MAX / 2,
          .prune_rows = 2,
          .prune_next_ms = 1,
          .retry_first_ms = 1,
          .retry_longest_ms = 10};
}

// One empty database, and what the tests do to it from outside.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;

  virtual std::unique_ptr<store::Store> make(const store::JournalLimits& limits) = 0;
  std::unique_ptr<store::Store> make() { return make(test_limits()); }

  // One that is refused at once where another one writes: it does not wait until that one has gone.
  virtual std::unique_ptr<store::Store> make_hasty() { return make(); }

  virtual void break_off(bool broken) = 0;  // commits fail from now on / work again
  // As a tool would, past everything that tests do to the store: each row's cells joined by |.
  virtual std::vector<std::string> ask(const std::string& sql) = 0;

  virtual std::string migrations() const = 0;  // the table that says what the tables have been through

  // The n-th operation from now fails; 0: none does. What an operation is depends on the database.
  virtual void fail_at(std::uint64_t n) = 0;
  virtual std::uint64_t operations() const = 0;  // since then
};

// Of one database, whose name is that of the cases.
struct StoreMaker {
  std::string name;
  std::function<std::unique_ptr<StoreUnderTest>()> make;
  std::unique_ptr<StoreUnderTest> operator()() const { return make(); }
  friend std::ostream& operator<<(std::ostream& out, const StoreMaker& maker) { return out << maker.name; }
};

// Of every suite: with a store of its own for each test.
class StoreContract : public ::testing::TestWithParam<StoreMaker> {
 protected:
  // Writes the facts as one transaction, and closes the journal.
  void write(std::vector<core::Fact> facts) {
    core::Recovery recovery;
    const auto journal = value_of(store_->open_journal({}, recovery));
    journal->append(Script(recovery.last).transaction(std::move(facts)));
    EXPECT_TRUE(journal->close());
  }
  // Writes the rates of a day beside whatever else goes on.
  void rate(const std::string& day, const std::map<std::string, core::rating::RatedDay::Rate>& rates) {
    core::rating::RatedDay rated;
    rated.rates = rates;
    ASSERT_TRUE(value_of(store_->open_ratings())->write_day(day, rated));
  }

  const std::unique_ptr<StoreUnderTest> under_test_ = GetParam()();
  const std::unique_ptr<store::Store> store_ = under_test_->make();
};

}  // namespace fuhyo::test
