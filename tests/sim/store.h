// A store that is slow, goes away, loses acknowledgements and crashes, but keeps its word: what it reported durable is
// on its disk, a step is there whole or not at all, and recovery tells the facts of unfinished games. Virtual time.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Store {
 public:
  explicit Store(Stage& stage) : stage_(stage), rng_(stage.rng.fork()) {}

  // Where it reports; replaced at every start of the server.
  struct Ears {
    std::function<void(core::Seq)> durable;
    std::function<void(std::string)> lost;
    std::function<void()> back;
  };
  void listen(Ears ears) { ears_ = std::move(ears); }
  // Called at the moment a step is on the disk, before anybody is told.
  std::function<void(const core::Step&)> on_disk;
  // Called between a commit and its report, with the newest step of it: the world may crash the server here.
  std::function<void(const core::Step&)> after_commit;
  // A fact was read back and is not what was written.
  std::function<void(const std::string&)> garbled;

  void append(core::Step step);
  // The server's process is gone: what is not on the disk is lost, but for whole steps of a commit that runs.
  void crash();
  core::Recovery recover();

  bool is_away() const { return away_; }
  core::Seq last() const { return rows_.empty() ? core::Seq{} : rows_.back().seq; }
  const std::vector<core::Journaled>& rows() const { return rows_; }

 private:
  void begin_commit();
  void end_commit();
  void report(core::Seq upto);
  void go_away(std::string why, bool committed);
  void write(core::Step step);
  void tamper(core::Step& step);
  void tamper_at_crash();
  core::Journaled read_back(const core::Journaled& row);
  std::int64_t duration_us();
  // Runs it later, unless the server crashes first.
  void later(std::int64_t delay_us, std::function<void()> action);

  Stage& stage_;
  Rng rng_;
  Ears ears_;
  std::vector<core::Journaled> rows_;  // the disk
  std::deque<core::Step> queue_;
  core::Step newest_step_;  // on the disk
  std::uint64_t boot_ = 0;
  std::size_t in_commit_ = 0;  // steps at the front of the queue that the running commit holds
  bool away_ = false;
};

}  // namespace fuhyo::sim
