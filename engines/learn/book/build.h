// Builds a book by search: the graph grows round by round, and each result is logged at once. The same call resumes
// where the last one ended, and builds the same graph with any number of threads. Uses threads and files.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engines/learn/book/graph.h"

namespace fuhyo::learn {

// Searches a position for its best moves. The result depends on the position alone.
using Searcher =
    std::function<std::expected<SearchResult, std::string>(const shogi::Position&, const std::stop_token&)>;

struct BuildOptions {
  std::size_t positions = 0;   // to be searched
  int threads = 1;             // each with a Searcher of its own
  std::filesystem::path file;  // of the SearchLog
  std::string searches;        // how positions are searched, for the log
  std::int64_t every_s = 30;   // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

struct BookBuilt {
  std::uint64_t fresh = 0;  // searched by this call; the others were in the log
  bool complete = false;    // else it was stopped
};

// Each round searches the nearest positions: 32, or a sixteenth of the number searched so far if that is more.
std::expected<BookBuilt, std::string> build_book(
    BookGraph& graph, const BuildOptions& options,
    const std::function<std::expected<Searcher, std::string>()>& make_searcher, const std::stop_token& stop);

}  // namespace fuhyo::learn
