// Members as processes: starts, asks and ends them, and restarts ended ones between moves.
// One thread at a time calls it. Lines of members come on threads of their own; a mutex guards the state. The processes
// end with this object, or with the program.
#pragma once

#include <chrono>
#include <condition_variable>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engines/members/config.h"
#include "engines/members/mate_search.h"
#include "engines/usi/background.h"
#include "engines/usi/engine.h"
#include "engines/usi/process.h"

namespace fuhyo::members {

class MemberPool {
 public:
  using Report = std::function<void(const usi::Info&)>;
  // ChildProcess::spawn, or what starts a process elsewhere. Called from a thread of the pool's.
  using Spawn = std::function<std::expected<std::unique_ptr<usi::ChildProcess>, std::string>(
      const usi::ChildProcess::Options&, usi::ChildProcess::Events)>;

  explicit MemberPool(Spawn spawn = &usi::ChildProcess::spawn) : spawn_(std::move(spawn)) {}
  ~MemberPool();
  MemberPool(const MemberPool&) = delete;
  MemberPool& operator=(const MemberPool&) = delete;

  // Starts the processes that do not run, sets the options of all, and waits until all are ready for a new game, or
  // cannot be. What is wrong with each, in their order: an error names the engine and quotes it; empty: nothing.
  std::vector<std::string> get_ready(const std::vector<MemberConfig>& configs);
  // Notes of the members since the last call.
  std::vector<std::string> take_notes();

  // Those of the last get_ready(), in its order. They may be looked at and asked by Question::look only.
  std::vector<Member*> members() const;

  // What is asked of the members within one search. Both are called with the mutex held; times are monotonic
  // milliseconds.
  struct Question {
    std::function<bool(std::int64_t now)> look;  // whether it is over; after any change of a member, and often
    std::function<std::vector<usi::Info>(std::int64_t now)> lines;  // to report behind the members' own ones
  };
  // Until it is over; then those that have ended are restarted. These two report the lines of the members, at most
  // every `interval_ms`.
  void run(const Question& question, std::int64_t interval_ms, const Report& report);
  // For members that are to go on after run(): ends it all by `rest`, unless they are needed within so much. It is
  // called as Question::look is.
  void rest_after(std::chrono::milliseconds time, std::function<void(std::int64_t now)> rest);
  usi::Checkmate search_mate(const usi::Game& game, std::int64_t limit_ms, const usi::SearchControl& control,
                             std::int64_t interval_ms, const Report& report);

 private:
  struct Slot {
    explicit Slot(MemberConfig wanted) : config(std::move(wanted)), member(config.setup) {}
    MemberConfig config;
    Member member;
    bool ended = true;                           // there is no process
    bool restarting = false;                     // the thread of spawner_ is at it: nobody else touches the process
    int restarts = 0;                            // since the last get_ready()
    std::unique_ptr<usi::ChildProcess> process;  // last: its thread uses the members above
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;

  std::unique_ptr<usi::ChildProcess> take_process(Slot& slot);
  void start(Slot& slot);  // on the thread of spawner_
  void on_line(Slot& slot, const std::string& line);
  void on_closed(Slot& slot, const std::string& why);
  void set_members(const std::vector<MemberConfig>& configs);
  void quit(Slots leaving);
  void restart_ended();
  void end_wait_for_rest();
  // With the mutex held.
  static bool can_stay(const Slot& slot, const MemberConfig& config);
  static void send_lines(Slot& slot);
  void tick(std::int64_t now);
  std::vector<usi::Info> take_infos(std::vector<usi::Info> lines);

  const Spawn spawn_;
  usi::Background spawner_;  // children die with the thread that started them: this one lives as long as they
  usi::Background rester_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Slots slots_;
  bool waits_for_rest_ = false;
};

}  // namespace fuhyo::members
