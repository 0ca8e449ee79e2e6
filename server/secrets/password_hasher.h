// Makes and checks password hashes away from everybody else: one thread of a low priority, a bounded queue, and at
// most half of one core, so that a flood of logins is no flood of work. submit() is for any thread and never blocks;
// the callback comes on the hasher's thread, which shall only post it on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

#include "server/csa/secret.h"

namespace fuhyo::secrets {

class PasswordHasher {
 public:
  struct Check {
    std::string encoded;  // empty: nobody has that name. The answer is no, after as long as any other
    csa::Secret text;
  };
  struct Make {
    csa::Secret text;
  };
  using Job = std::variant<Check, Make>;

  struct Result {
    bool ok = false;           // the password is right; the hash is made
    std::string encoded = {};  // of a Make; of a Check that is right and whose hash has not today's parameters
  };
  using Callback = std::function<void(Result)>;

  struct Options {
    // Of jobs that wait; a Make that comes then is refused. Of checks the core sends one after the other: whoever logs
    // in waits for so few whose new passwords are hashed.
    std::size_t queue = 4;
    double share_of_core = 0.5;  // in CPU time; more than 0
  };

  explicit PasswordHasher(const Options& options);
  PasswordHasher() : PasswordHasher(Options{}) {}
  ~PasswordHasher() { stop(); }
  PasswordHasher(const PasswordHasher&) = delete;
  PasswordHasher& operator=(const PasswordHasher&) = delete;

  // False: too many wait for a Make, or it has stopped; the callback will not come.
  bool submit(Job job, Callback callback);
  std::size_t waiting() const;

  // Waits for the job under way alone. What waits is thrown away, without a callback. Again does no harm.
  void stop();

 private:
  struct Entry {
    Job job;
    Callback callback;
  };
  void run();

  const Options options_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::deque<Entry> queue_;
  bool stopped_ = false;

  std::thread thread_;
};

}  // namespace fuhyo::secrets
