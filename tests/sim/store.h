// A store that is slow, goes away, loses acknowledgements and crashes, but keeps its word: what it reported durable is
// on its disk, a transaction is there whole or not at all, and recovery tells the facts of unfinished games. Virtual
// time.
#pragma once

#include <charconv>
#include <deque>
#include <map>

#include "server/core/journal.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

// The digits after the last '+' of a Game_ID.
inline std::uint64_t stamp_of(const std::string& csa_id) {
  std::uint64_t stamp = 0;
  const std::size_t begin = csa_id.rfind('+') + 1;
  std::from_chars(csa_id.data() + begin, csa_id.data() + csa_id.size(), stamp);
  return stamp;
}

inline bool is_end(const core::Fact& fact) {
  return std::holds_alternative<core::GameEnded>(fact) || std::holds_alternative<core::GameRejected>(fact);
}

template <class F>
inline F* find_fact(core::Transaction& transaction) {
  for (core::Journaled& row : transaction) {
    if (F* fact = std::get_if<F>(&row.fact)) return fact;
  }
  return nullptr;
}

class Store {
 public:
  explicit Store(Stage& stage) : stage_(stage), rng_(stage.rng.fork()) {}

  // Where it reports; replaced at every start of the server.
  struct Listeners {
    std::function<void(core::Seq)> durable;
    std::function<void(std::string)> lost;
    std::function<void()> back;
  };
  void listen(Listeners listeners) { listeners_ = std::move(listeners); }
  // Called at the moment a transaction is on the disk, before anybody is told.
  std::function<void(const core::Transaction&)> on_disk;
  // Called between a commit and its report, with the newest transaction of it: the world may crash the server here.
  std::function<void(const core::Transaction&)> after_commit;
  // A fact was read back and is not what was written.
  std::function<void(const std::string&)> garbled;

  void append(core::Transaction transaction) {
    const core::Seq seq = transaction.back().seq;
    queue_.push_back(std::move(transaction));
    if (stage_.strikes(Plant::ack_early)) listeners_.durable(seq);
    begin_commit();
  }
  // The server's process is gone: what is not on the disk is lost, but for whole transactions of a commit that runs.
  void crash() {
    ++boot_;
    away_ = false;
    if (in_commit_ > 0) stage_.marks.hit("crash_in_commit");
    for (std::size_t kept = rng_.below(in_commit_ + 1); kept > 0; --kept) {
      write(std::move(queue_.front()));
      queue_.pop_front();
    }
    in_commit_ = 0;
    queue_.clear();
    tamper_at_crash();
  }
  core::Recovery recover() {
    core::Recovery recovery;
    recovery.last = last();
    std::map<core::GameId, bool> over;
    std::map<std::string, core::Journaled> keyed_facts;
    for (const core::Journaled& row : rows_) {
      if (const auto keyed = core::keyed_fact_of(row.fact)) {
        std::erase_if(keyed_facts, [&](const auto& entry) {
          return keyed->prefix ? entry.first.starts_with(keyed->key) : entry.first == keyed->key;
        });
        if (!keyed->deleted) keyed_facts.emplace(keyed->key, read_back(row));
      }
      over[core::game_of(row.fact)] |= is_end(row.fact) || core::game_of(row.fact) == core::GameId{};
      if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) {
        recovery.last_game = std::max(recovery.last_game, opened->game);
        recovery.last_stamp = std::max(recovery.last_stamp, stamp_of(opened->csa_id));
      }
    }
    if (stage_.planted(Plant::forget_stamp)) recovery.last_stamp = 0;
    for (auto& [game, ended] : over) {
      if (!ended && stage_.strikes(Plant::forget_game)) ended = true;
    }
    for (const core::Journaled& row : rows_) {
      if (!over.at(core::game_of(row.fact))) recovery.live.push_back(read_back(row));
    }
    for (const auto& [key, row] : keyed_facts) recovery.keyed_facts.push_back(row);
    std::ranges::sort(recovery.keyed_facts, {}, &core::Journaled::seq);
    return recovery;
  }

  bool is_away() const { return away_; }
  core::Seq last() const { return rows_.empty() ? core::Seq{} : rows_.back().seq; }
  const std::vector<core::Journaled>& rows() const { return rows_; }

 private:
  // One transaction holds what queued while the last one ran; at times less.
  void begin_commit() {
    if (away_ || in_commit_ > 0 || queue_.empty()) return;
    in_commit_ = queue_.size();
    if (!stage_.quiet && rng_.chance(stage_.scenario.store.part)) in_commit_ = 1 + rng_.below(queue_.size());
    if (in_commit_ > 1) stage_.marks.hit("commit_grouped");
    later(duration_us(), [this] { end_commit(); });
  }
  void end_commit() {
    const StoreProfile& p = stage_.scenario.store;
    if (!stage_.quiet && rng_.chance(p.failed)) {
      stage_.marks.hit("commit_failed");
      return go_away("disk full", false);
    }
    for (; in_commit_ > 0; --in_commit_) {
      write(std::move(queue_.front()));
      queue_.pop_front();
    }
    const std::uint64_t boot = boot_;
    after_commit(newest_transaction_);
    if (boot != boot_) return;  // crashed
    if (!stage_.quiet && rng_.chance(p.lost_ack)) {
      stage_.marks.hit("ack_lost");
      return go_away("connection lost", true);
    }
    later(rng_.between(0, 200), [this, upto = last()] { report(upto); });
    begin_commit();
  }
  void report(core::Seq upto) {
    listeners_.durable(upto);
    if (rng_.chance(0.01)) listeners_.durable(upto);  // told twice
  }
  // The outcome of a commit is unknown until the store is back and can be asked for its newest seq.
  void go_away(std::string why, bool committed) {
    away_ = true;
    in_commit_ = 0;
    listeners_.lost(std::move(why));
    later(1 + rng_.exponential(stage_.scenario.store.away_us), [this, committed] {
      away_ = false;
      if (committed) report(last());
      listeners_.back();
      begin_commit();
    });
  }
  void write(core::Transaction transaction) {
    tamper(transaction);
    for (core::Journaled& row : transaction) {
      if (auto* move = std::get_if<core::MoveMade>(&row.fact); move && stage_.planted(Plant::swap_rows)) {
        const auto before = std::find_if(rows_.rbegin(), rows_.rend(), [&](const core::Journaled& other) {
          const auto* made = std::get_if<core::MoveMade>(&other.fact);
          return made != nullptr && made->game == move->game;
        });
        if (before != rows_.rend() && stage_.strikes(Plant::swap_rows)) {
          std::swap(std::get<core::MoveMade>(before->fact).csa, move->csa);
        }
      }
      rows_.push_back(row);
    }
    if (!transaction.empty()) on_disk(transaction);
    newest_transaction_ = std::move(transaction);
  }
  void tamper(core::Transaction& transaction) {
    if (find_fact<core::MoveMade>(transaction) != nullptr) {
      if (stage_.strikes(Plant::skip_seq)) transaction.back().seq = core::next(transaction.back().seq);
      if (stage_.strikes(Plant::drop_row)) {
        std::erase_if(transaction, [](const auto& row) { return std::holds_alternative<core::MoveMade>(row.fact); });
      }
    }
    if (auto* ended = find_fact<core::GameEnded>(transaction)) {
      const bool decided = ended->outcome == core::Outcome::black_wins || ended->outcome == core::Outcome::white_wins;
      if (decided && stage_.strikes(Plant::flip_outcome)) {
        ended->outcome =
            ended->outcome == core::Outcome::black_wins ? core::Outcome::white_wins : core::Outcome::black_wins;
      }
      if (stage_.strikes(Plant::wrong_board)) std::swap(ended->final_board[2], ended->final_board[5]);
      if (stage_.strikes(Plant::phantom_row)) {
        core::MoveMade phantom{.game = ended->game, .ply = ended->plies + 1, .csa = "+1716FU", .at = {}};
        transaction.insert(transaction.end() - 1, core::Journaled{transaction.back().seq, phantom});
      }
      if (stage_.strikes(Plant::duplicate_result)) transaction.push_back(transaction.back());
    }
  }
  void tamper_at_crash() {
    if (stage_.planted(Plant::tear_step) && newest_transaction_.size() > 1 &&
        newest_transaction_.back() == rows_.back()) {
      rows_.pop_back();
    }
    if (stage_.planted(Plant::lose_tail) && rows_.size() > 3) rows_.resize(rows_.size() - 3);
  }
  core::Journaled read_back(const core::Journaled& row) {
    core::EncodedFact encoded = core::encode(row.fact);
    if (stage_.strikes(Plant::garble_payload)) encoded.payload.back() = '\x01';
    const auto decoded = core::decode(encoded.kind, encoded.version, encoded.payload);
    if (!decoded) {
      garbled(decoded.error());
      return row;
    }
    if (*decoded != row.fact) garbled("differs: " + encoded.payload);
    return {row.seq, *decoded};
  }
  std::int64_t duration_us() {
    const StoreProfile& p = stage_.scenario.store;
    if (!stage_.quiet && rng_.chance(p.slow)) {
      stage_.marks.hit("commit_slow");
      return rng_.between(kSecond, p.slow_us);
    }
    return 1 + rng_.exponential(p.commit_us);
  }
  // Runs it later, unless the server crashes first.
  void later(std::int64_t delay_us, std::function<void()> action) {
    stage_.time.after(delay_us, [this, boot = boot_, action = std::move(action)] {
      if (boot == boot_) action();
    });
  }

  Stage& stage_;
  Rng rng_;
  Listeners listeners_;
  std::vector<core::Journaled> rows_;  // the disk
  std::deque<core::Transaction> queue_;
  core::Transaction newest_transaction_;  // on the disk
  std::uint64_t boot_ = 0;
  std::size_t in_commit_ = 0;  // transactions at the front of the queue that the running commit holds
  bool away_ = false;
};

}  // namespace fuhyo::sim
