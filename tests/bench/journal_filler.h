// Fills a store with games, as fast as it takes them: what the benchmarks of a large store begin with.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <expected>
#include <fmt/format.h>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engines/record/csa_move.h"
#include "engines/shogi/movegen.h"
#include "server/core/games/game.h"
#include "server/store/store.h"

namespace fuhyo::bench {

constexpr std::uint64_t kAhead = 200'000;  // rows that wait for the store at most

// One game, whose facts serve all of them.
inline std::expected<std::vector<core::Fact>, std::string> random_game(int plies) {
  core::GameOpened opened{.game = core::GameId{1}, .room = "main", .csa_id = "", .game_name = "club-900-5F"};
  opened.resume = core::ResumeRule::position;
  opened.time = {.total_s = 900, .increment_s = 5};
  opened.start_sfen = std::string(shogi::Position::kStartSfen);
  std::vector<core::Fact> facts = {opened, core::GameStarted{.game = opened.game, .at = {}}};
  core::Game game(opened, 4096);
  std::mt19937 dice(1);
  for (int ply = 0; ply < plies; ++ply) {
    const shogi::MoveList moves = shogi::legal_moves(game.position());
    const std::string move = record::to_csa(game.position(), moves[dice() % moves.size()]);
    const csa::MoveLine line{.move = move, .comment = "* 120 -3334FU +2625FU -4132KI", .line = move};
    core::Ruling ruling = game.judge(line, 4 * core::kSecond);
    if (!ruling.move || ruling.end) return std::unexpected("the random game ended early");
    facts.emplace_back(std::move(*ruling.move));
  }
  core::Ruling end = game.judge(csa::Special{.line = "%TORYO"}, core::kSecond);
  facts.emplace_back(std::move(*end.end));
  return facts;
}

// Steps to a journal, not too many ahead of what it has written.
class Feed {
 public:
  core::JournalEvents events() {
    core::JournalEvents events;
    events.durable = [this](core::Seq seq) {
      const std::lock_guard lock(mutex_);
      durable_ = seq;
      changed_.notify_one();
    };
    return events;
  }
  void wait(core::Seq last) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return std::to_underlying(last) - std::to_underlying(durable_) < kAhead; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  core::Seq durable_{};
};

inline core::Transaction transaction_of(const std::vector<core::Fact>& facts, std::size_t count, std::uint64_t id,
                                        core::Seq& seq) {
  core::Transaction transaction;
  for (core::Fact fact : std::vector(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(count))) {
    std::visit(
        [&](auto& one) {
          if constexpr (requires { one.game; }) one.game = core::GameId{id};
        },
        fact);
    if (auto* opened = std::get_if<core::GameOpened>(&fact)) {
      opened->black = {.name = fmt::format("ann{}", id), .id = fmt::format("ann{}+1", id)};
      opened->white = {.name = fmt::format("bob{}", id), .id = fmt::format("bob{}+1", id)};
      opened->csa_id = fmt::format("bench+club-900-5F+ann{0}+bob{0}+{1}", id, 20260101000000 + id);
    }
    transaction.push_back({.seq = seq = core::next(seq), .fact = std::move(fact)});
  }
  return transaction;
}

struct Filling {
  std::uint64_t games = 10'000;  // finished ones, of random legal moves
  int plies = 98;                // of each, before it is resigned
  std::uint64_t live = 0;        // games after these that are still being played, half as long
};

// Rows that the journal has then; the error says why it could not be filled. The store must be empty.
inline std::expected<std::uint64_t, std::string> fill_journal(store::Store& store, const Filling& filling) {
  const auto facts = random_game(filling.plies);
  if (!facts) return std::unexpected(facts.error());
  Feed feed;
  core::Recovery recovery;
  const auto journal = store.open_journal(feed.events(), recovery);
  if (!journal) return std::unexpected(journal.error());
  core::Seq seq = recovery.last;
  for (std::uint64_t id = 1; id <= filling.games + filling.live; ++id) {
    const bool finished = id <= filling.games;
    (*journal)->append(transaction_of(*facts, finished ? facts->size() : facts->size() / 2, id, seq));
    feed.wait(seq);
  }
  if (!(*journal)->close()) return std::unexpected("the store fails");
  return std::to_underlying(seq) - std::to_underlying(recovery.last);
}

}  // namespace fuhyo::bench
