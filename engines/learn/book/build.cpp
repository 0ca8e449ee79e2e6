#include "engines/learn/book/build.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engines/learn/book/search_log.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;
using BuildClock = std::chrono::steady_clock;
constexpr std::size_t kLeastRound = 32, kRoundPart = 16;

class Build {
 public:
  Build(BookGraph& graph, const BuildOptions& options, SearchLog log, std::vector<Searcher> searchers)
      : graph_(graph), options_(options), log_(std::move(log)), searchers_(std::move(searchers)) {}

  std::expected<BookBuilt, std::string> run(const std::stop_token& stop) {
    while (graph_.searched() < options_.positions) {
      const std::size_t round = std::max(kLeastRound, graph_.searched() / kRoundPart);
      const auto wanted = graph_.next(std::min(round, options_.positions - graph_.searched()));
      if (wanted.empty()) {
        say(fmt::format("there are no more positions: {} are all", graph_.searched()));
        break;
      }
      if (auto done = search(wanted, stop); !done) return Failure(done.error());
      if (stop.stop_requested()) return BookBuilt{.fresh = fresh_};
      for (const record::PackedSfen& position : wanted) {
        if (auto done = graph_.add(position, *log_.find(position)); !done) {
          return Failure(fmt::format("{}: is not of this program: {}", options_.file.string(), done.error()));
        }
      }
    }
    graph_.count_plies();
    tell();
    return BookBuilt{.fresh = fresh_, .complete = true};
  }

 private:
  // What the log does not know yet.
  std::expected<void, std::string> search(const std::vector<record::PackedSfen>& wanted, const std::stop_token& stop) {
    todo_.clear();
    for (const record::PackedSfen& position : wanted) {
      if (log_.find(position) == nullptr) todo_.push_back(position);
    }
    if (todo_.empty()) return {};
    std::ranges::reverse(todo_);
    std::vector<std::jthread> threads;
    for (const Searcher& searcher : searchers_) threads.emplace_back([&] { work(searcher, stop); });
    threads.clear();  // they end
    if (!why_.empty()) return Failure(why_);
    return log_.sync();
  }

  void work(const Searcher& searcher, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      record::PackedSfen packed;
      {
        const std::lock_guard lock(mutex_);
        if (todo_.empty() || !why_.empty()) return;
        packed = todo_.back();
        todo_.pop_back();
      }
      auto found = searcher(*record::unpack(packed), stop);
      if (stop.stop_requested()) return;  // it may have been cut short
      const std::lock_guard lock(mutex_);
      const auto done = found ? log_.append(packed, *found) : Failure(found.error());
      if (!done && why_.empty()) why_ = done.error();
      if (!done) return;
      ++fresh_;
      if (BuildClock::now() - told_ >= std::chrono::seconds(options_.every_s)) tell();
    }
  }

  void say(std::string_view line) const {
    if (options_.say) options_.say(line);
  }
  void tell() {
    told_ = BuildClock::now();
    const double seconds = std::chrono::duration<double>(told_ - began_).count();
    std::string rate;
    if (fresh_ > 0) rate = fmt::format(", {:.1f} a second", static_cast<double>(fresh_) / std::max(seconds, 0.001));
    say(fmt::format("{} of {} positions, {} searched now{}", std::min(log_.size(), options_.positions),
                    options_.positions, fresh_, rate));
  }

  BookGraph& graph_;
  const BuildOptions& options_;
  SearchLog log_;
  std::vector<Searcher> searchers_;
  std::mutex mutex_;
  std::vector<record::PackedSfen> todo_;  // the next one last
  std::string why_;                       // the first thing that went wrong
  std::uint64_t fresh_ = 0;
  BuildClock::time_point began_ = BuildClock::now(), told_ = began_;
};

}  // namespace

std::expected<BookBuilt, std::string> build_book(
    BookGraph& graph, const BuildOptions& options,
    const std::function<std::expected<Searcher, std::string>()>& make_searcher, const std::stop_token& stop) {
  auto log = SearchLog::open(options.file, options.searches);
  if (!log) return Failure(log.error());
  if (log->size() > 0 && options.say)
    options.say(fmt::format("searched before: {}", record::counted(log->size(), "position")));
  if (log->cut() > 0 && options.say) options.say(fmt::format("a search that was not written to its end is left out"));
  std::vector<Searcher> searchers;
  for (int i = 0; i < std::max(options.threads, 1); ++i) {
    auto searcher = make_searcher();
    if (!searcher) return Failure(searcher.error());
    searchers.push_back(std::move(*searcher));
  }
  return Build(graph, options, *std::move(log), std::move(searchers)).run(stop);
}

}  // namespace fuhyo::learn
