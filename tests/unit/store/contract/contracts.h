// What every store has to do, suite by suite. A database takes part by INSTANTIATE_STORE_CONTRACTS(Name, maker).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

#include "server/core/rating/games.h"
#include "server/store/transfer/export_reader.h"
#include "server/store/transfer/export_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/contract/store_under_test.h"

namespace fuhyo::test {

class JournalContract : public StoreContract {
 protected:
  std::unique_ptr<store::QueuedJournal> open(core::JournalEvents events,
                                             const store::JournalLimits& limits = test_limits()) {
    return value_of(under_test_->make(limits)->open_journal(std::move(events), recovery_));
  }
  std::string refusal() { return error_of(under_test_->make_hasty()->open_journal({}, recovery_)); }
  std::unique_ptr<store::JournalReader> reader() { return value_of(under_test_->make()->open_reader()); }
  // What the rows of finished games say.
  std::vector<std::string> archive();

  Listener listener_;
  Script script_;
  core::Recovery recovery_;  // of the newest open()
};

class ArchiveContract : public StoreContract {
 protected:
  std::vector<std::uint64_t> games(const std::string& wanted, std::size_t limit = 10);
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

  // Takes games into the index of positions, so many at most; how many there were.
  std::size_t take_in(std::size_t most) { return value_of(value_of(store_->open_positions())->take_in(most)); }

  std::vector<core::FinishedGame> played_;
  std::unique_ptr<core::Catalogue> catalogue_;
};

// A journal with ratings beside it, as a running server has them.
class RatingContract : public StoreContract {
 protected:
  void write(std::vector<core::Fact> facts) {
    ASSERT_TRUE(listener_.keeps(*journal_, script_.transaction(std::move(facts))));
  }
  // The games that are known then.
  std::size_t read();

  Listener listener_;
  Script script_;
  core::Recovery recovery_;
  const std::unique_ptr<store::QueuedJournal> journal_ = value_of(store_->open_journal(listener_.events(), recovery_));
  const std::unique_ptr<store::RatingArchive> archive_ = value_of(store_->open_ratings());
  core::rating::Games games_;
};

// A journal that is closed and held, as while a folder is moved over.
class ImportContract : public StoreContract {
 protected:
  // Opens it, writes these facts, and closes it.
  void hold(std::vector<core::Fact> facts = {});
  std::unique_ptr<store::ArchiveImport> begin(bool dry = false) { return value_of(store_->begin_import(dry)); }
  std::vector<std::string> numbers_and_ids() { return under_test_->ask("SELECT game, csa_id FROM game ORDER BY game"); }

  core::Recovery recovery_;
  std::unique_ptr<store::QueuedJournal> journal_;
};

// The bytes of an export, so many at a time.
inline store::ExportSource source_of(std::string_view bytes, std::size_t portion = 1000) {
  return [bytes, portion](std::span<char> room) mutable -> std::expected<std::size_t, std::string> {
    const std::size_t size = bytes.copy(room.data(), std::min(room.size(), portion));
    bytes.remove_prefix(size);
    return size;
  };
}
// An export as a text.
inline std::string text_of(store::Dump& dump, const std::string& origin) {
  std::string text;
  const auto written = store::write_export(dump, origin, [&](std::string_view part) {
    text += part;
    return std::expected<void, std::string>();
  });
  EXPECT_TRUE(written) << written.error().text;
  return text;
}

// A store of everything, on its way through exports.
class TransferContract : public StoreContract {
 protected:
  // Fills the store: games of every fate, two of them live, names of any bytes, buoys, acts, rounds, rates.
  void fill();
  std::string exported(store::Store& from) { return text_of(*value_of(from.open_dump()), from.name()); }
  // Imports the text; empty: it went well.
  std::string imported(store::Store& to, const std::string& text);

  TemporaryFolder folder_;
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
