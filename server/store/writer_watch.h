// Whether a game server writes the store: for one that waits to be the next. One thread at a time.
#pragma once

#include <expected>
#include <string>

namespace fuhyo::store {

class WriterWatch {
 public:
  virtual ~WriterWatch() = default;

  // Asked anew. The error: the store is away, so that nobody can tell.
  virtual std::expected<bool, std::string> is_written() = 0;
};

}  // namespace fuhyo::store
