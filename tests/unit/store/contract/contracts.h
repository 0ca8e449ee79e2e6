// What every store has to do, suite by suite. A database takes part by INSTANTIATE_STORE_CONTRACTS(Name, maker).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "server/core/journal.h"
#include "server/core/rating/games.h"
#include "server/store/store.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/contract/store_under_test.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {

class JournalContract : public StoreContract {
 protected:
  std::unique_ptr<store::QueuedJournal> open(core::JournalEvents events,
                                             const store::JournalLimits& limits = test_limits());
  std::string refusal();
  std::unique_ptr<store::JournalReader> reader();
  // What the rows of finished games say.
  std::vector<std::string> archive();

  Listener listener_;
  Script script_;
  core::Recovery recovery_;  // of the newest open()
};

class ArchiveContract : public StoreContract {
 protected:
  // Writes the facts and closes the journal.
  void write(std::vector<core::Fact> facts);
  std::vector<std::uint64_t> games(const std::string& wanted, std::size_t limit = 10);

  const std::unique_ptr<store::Store> store_ = under_test_->make();
};

// Finished games of players, and what the web asks of them.
class CatalogueContract : public StoreContract {
 protected:
  // Finished, a second after the one before it; unless changed: players a+1 and b+2, game name "g-900-0", won by Black
  // on ply 3.
  void play(const std::function<void(core::FinishedGame&)>& change = [](core::FinishedGame&) {});
  // Writes these facts and all games, and opens the catalogue.
  void keep(const std::vector<core::Fact>& others = {});
  std::vector<std::uint64_t> found(const core::GameQuery& query);

  std::vector<core::FinishedGame> played_;
  const std::unique_ptr<store::Store> store_ = under_test_->make();
  std::unique_ptr<core::Catalogue> catalogue_;
};

// A journal with ratings beside it, as a running server has them.
class RatingContract : public StoreContract {
 protected:
  RatingContract();
  void write(std::vector<core::Fact> facts);
  std::size_t read();

  Listener listener_;
  Script script_;
  const std::unique_ptr<store::Store> store_ = under_test_->make();
  std::unique_ptr<store::QueuedJournal> journal_;
  std::unique_ptr<store::RatingArchive> archive_;
  core::rating::Games games_;
};

// A journal that is closed and held, as while a folder is moved over.
class ImportContract : public StoreContract {
 protected:
  void open();
  std::unique_ptr<store::ArchiveImport> begin(bool dry = false);
  std::vector<std::string> numbers_and_ids();

  core::Recovery recovery_;
  const std::unique_ptr<store::Store> store_ = under_test_->make();
  std::unique_ptr<store::QueuedJournal> journal_;
};

// A store of everything, on its way through exports.
class TransferContract : public StoreContract {
 protected:
  // Fills the store: games of every fate, two of them live, names of any bytes, buoys, acts, rounds, rates.
  void fill();
  std::string exported(store::Store& from);
  // Imports the text; empty: it went well.
  std::string imported(store::Store& to, const std::string& text);

  TemporaryFolder folder_;
  const std::unique_ptr<store::Store> store_ = under_test_->make();
  const std::unique_ptr<store::Store> file_ = *store::make_store("sqlite:" + folder_.file("other.db"));
};

// Every operation below fails in turn; each case takes one in kFaultCases of them, beginning at its own.
constexpr std::uint64_t kFaultCases = 8;
class FaultContract : public ::testing::TestWithParam<std::tuple<StoreMaker, std::uint64_t>> {};

inline std::string case_name(const StoreMaker& maker) { return maker.name; }
inline std::string case_name(const FaultContract::ParamType& param) {
  return std::get<0>(param).name + "_" + std::to_string(std::get<1>(param));
}

#define INSTANTIATE_STORE_CONTRACT(contract, values) \
  INSTANTIATE_TEST_SUITE_P(, contract, values, [](const auto& info) { return case_name(info.param); })
#define INSTANTIATE_STORE_CONTRACTS(name, maker)                                                               \
  const auto kStore = ::testing::Values(StoreMaker{#name, maker});                                             \
  INSTANTIATE_STORE_CONTRACT(FaultContract,                                                                    \
                             ::testing::Combine(kStore, ::testing::Range<std::uint64_t>(1, kFaultCases + 1))); \
  INSTANTIATE_STORE_CONTRACT(JournalContract, kStore);                                                         \
  INSTANTIATE_STORE_CONTRACT(ArchiveContract, kStore);                                                         \
  INSTANTIATE_STORE_CONTRACT(CatalogueContract, kStore);                                                       \
  INSTANTIATE_STORE_CONTRACT(RatingContract, kStore);                                                          \
  INSTANTIATE_STORE_CONTRACT(ImportContract, kStore);                                                          \
  INSTANTIATE_STORE_CONTRACT(TransferContract, kStore)

}  // namespace fuhyo::test
