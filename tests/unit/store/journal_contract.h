// What every store has to do, whichever database is below it. A store takes part by instantiating JournalContract with
// a maker of StoreUnderTest.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "server/store/journal_reader.h"

namespace fuhyo::test {

// One empty database, and what the tests do to it from outside.
class StoreUnderTest {
 public:
  struct Retention {
    std::int64_t keep_us = INT64_MAX / 2;
    std::int64_t keep_rows = INT64_MAX / 2;
  };
  struct Archived {  // what the row of a finished game says
    std::uint64_t game = 0;
    std::string csa_id, black, white, end_kind, outcome, moves, notes;
    std::int64_t preset_plies = 0, plies = 0;
    bool operator==(const Archived&) const = default;
  };

  virtual ~StoreUnderTest() = default;
  virtual std::expected<std::unique_ptr<core::Journal>, std::string> open(core::JournalEvents events,
                                                                          core::Recovery& out, Retention retention) = 0;
  virtual std::unique_ptr<store::JournalReader> reader() = 0;
  virtual void break_disk(bool broken) = 0;  // commits fail from now on / work again
  virtual void take_lease() = 0;             // as another writer would
  virtual std::vector<Archived> archive() = 0;
};

using StoreMaker = std::function<std::unique_ptr<StoreUnderTest>()>;

class JournalContract : public ::testing::TestWithParam<StoreMaker> {
 protected:
  std::unique_ptr<core::Journal> open(core::JournalEvents events, StoreUnderTest::Retention retention = {});

  std::unique_ptr<StoreUnderTest> store_ = GetParam()();
  core::Recovery recovery_;  // of the newest open()
};

}  // namespace fuhyo::test
