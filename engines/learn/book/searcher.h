// fuhyo-nnue as the Searcher of a book. One thread at a time per engine.
#pragma once

#include <expected>
#include <string>

#include "engines/learn/book/build.h"

namespace fuhyo::learn {

struct SearcherOptions {
  std::string network;  // file; empty: the one that is built in
  int fv_scale = 16;
  std::int64_t nodes = 50'000;  // a position
  int lines = 4;                // MultiPV, at most kMostLines
  int hash_mb = 16;
};

// An engine of one thread, which clears its state before each position. Fails if the network cannot be loaded.
std::expected<Searcher, std::string> make_searcher(const SearcherOptions& options);
// The options and the network's fingerprint as text: searches with the same text have the same results. Reads the
// network's file.
std::expected<std::string, std::string> text_of_searches(const SearcherOptions& options);

}  // namespace fuhyo::learn
