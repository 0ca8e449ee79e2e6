// A book by search: the graph grows round by round, and what is searched is kept as soon as it is known. The same call
// goes on where the last one ended, and comes to the same graph, with any number of threads. Threads and files.
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

// Looks for the best moves of a position. The same position is answered in the same way, whatever was asked before.
using Look = std::function<std::expected<Found, std::string>(const shogi::Position&, const std::stop_token&)>;

struct BuildOptions {
  std::size_t positions = 0;   // to be searched
  int threads = 1;             // each with a Look of its own
  std::filesystem::path file;  // of the SearchLog
  std::string searches;        // how positions are searched, for the log
  std::int64_t every_s = 30;   // between two lines of progress
  std::function<void(std::string_view line)> say{};
};

struct BookBuilt {
  std::uint64_t fresh = 0;  // searched by this call; the others were known
  bool complete = false;    // else it was asked to stop
};

// A round searches the nearest positions: 32, or a sixteenth of what has been searched if that is more.
std::expected<BookBuilt, std::string> build_book(BookGraph& graph, const BuildOptions& options,
                                                 const std::function<std::expected<Look, std::string>()>& make_look,
                                                 const std::stop_token& stop);

}  // namespace fuhyo::learn
