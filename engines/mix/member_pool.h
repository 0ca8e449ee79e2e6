// The members of a mix as processes: started, asked, mended between moves, ended.
// Everything is called from one thread at a time. What members say comes on threads of their own; a mutex holds the two
// apart. They die with this object, or with the program.
#pragma once

#include <condition_variable>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engines/mix/mate_hunt.h"
#include "engines/mix/settings.h"
#include "engines/mix/vote.h"
#include "engines/usi/background.h"
#include "engines/usi/engine.h"
#include "engines/usi/process.h"

namespace fuhyo::mix {

class MemberPool {
 public:
  using Report = std::function<void(const usi::Info&)>;

  MemberPool() = default;
  ~MemberPool();
  MemberPool(const MemberPool&) = delete;
  MemberPool& operator=(const MemberPool&) = delete;

  // Starts who is not there, tells everybody his options and waits until all are ready for a new game. The error names
  // the engine, and what it said.
  std::expected<void, std::string> get_ready(const std::vector<Post>& posts);
  // What the members said meanwhile.
  std::vector<std::string> take_notes();

  // Both tell what the members say, at most every `interval_ms`.
  Outcome consult(Terms terms, const usi::SearchControl& control, std::int64_t interval_ms, const Report& report);
  usi::Checkmate hunt_mate(const usi::Game& game, std::int64_t limit_ms, const usi::SearchControl& control,
                           std::int64_t interval_ms, const Report& report);

 private:
  struct Slot {
    explicit Slot(Post wanted) : post(std::move(wanted)), member(post.setup) {}
    Post post;
    Member member;
    bool ended = true;                           // there is no process
    bool mending = false;                        // the thread of spawner_ is at it: nobody else touches the process
    int restarts = 0;                            // since the last get_ready()
    std::unique_ptr<usi::ChildProcess> process;  // last: its thread uses the members above
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;

  std::unique_ptr<usi::ChildProcess> take_process(Slot& slot);
  void start(Slot& slot);  // on the thread of spawner_
  void on_line(Slot& slot, const std::string& line);
  void on_closed(Slot& slot, const std::string& why);
  void seat(const std::vector<Post>& posts);
  void dismiss(Slots leaving);
  void mend();
  // With the mutex held.
  static bool can_stay(const Slot& slot, const Post& post);
  static void send_lines(Slot& slot);
  void attend(std::int64_t now);
  std::vector<Member*> members() const;
  std::vector<usi::Info> said(std::vector<usi::Info> picture);
  // Until there is an outcome. `step` and `picture` are called with the mutex held.
  template <class Talk, class Step, class Picture>
  void run(Talk& talk, const usi::SearchControl& control, std::int64_t interval_ms, const Report& report, Step step,
           Picture picture);

  usi::Background spawner_;  // children die with the thread that started them: this one lives as long as they
  std::mutex mutex_;
  std::condition_variable changed_;
  Slots slots_;
};

}  // namespace fuhyo::mix
