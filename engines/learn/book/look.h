// fuhyo-nnue as what looks at the positions of a book. One thread at a time per engine.
#pragma once

#include <expected>
#include <string>

#include "engines/learn/book/build.h"

namespace fuhyo::learn {

struct LookOptions {
  std::string network;  // file; empty: the one that is built in
  int fv_scale = 16;
  std::int64_t nodes = 50'000;  // a position
  int lines = 4;                // MultiPV, at most kMostLines
  int hash_mb = 16;
};

// An engine of one thread, which forgets everything before each position. Fails if the network cannot be loaded.
std::expected<Look, std::string> make_look(const LookOptions& options);
// What tells its searches from others: the network's fingerprint and all that the options say. Reads the network's
// file.
std::expected<std::string, std::string> text_of_searches(const LookOptions& options);

}  // namespace fuhyo::learn
