// Takes the positions of finished games into the store's index of them, on a thread of its own, with the least of the
// processor. Players and games never wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "server/store/position_index.h"

namespace fuhyo::app {

class PositionService {
 public:
  struct Rests {
    std::chrono::milliseconds portion{200};   // between two portions of a long past
    std::chrono::milliseconds gather{2'000};  // games that end meanwhile are taken in together
    std::chrono::milliseconds retry{5'000};   // while the store is away
  };

  // Begins at once with what is there. `warn` is called on the service's thread.
  PositionService(std::unique_ptr<store::PositionIndex> index, std::function<void(std::string_view)> warn,
                  const Rests& rests);
  PositionService(std::unique_ptr<store::PositionIndex> index, std::function<void(std::string_view)> warn)
      : PositionService(std::move(index), std::move(warn), Rests{}) {}
  ~PositionService();  // ends after the game that it has in hand
  PositionService(const PositionService&) = delete;
  PositionService& operator=(const PositionService&) = delete;

  // A game has ended. Any thread; returns at once.
  void ask();

 private:
  void run();
  bool take_in();  // false: there was nothing, or the store is away
  bool rest(std::chrono::milliseconds time);

  const std::unique_ptr<store::PositionIndex> index_;
  const std::function<void(std::string_view)> warn_;
  const Rests rests_;
  bool away_ = false;  // the thread's

  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = true, closing_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace fuhyo::app
