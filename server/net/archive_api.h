// The archive's part of the API: games that are over, players, rounds, buoys; and records of games in every format. The
// catalogue is asked on a thread of its own, one query after the other, so that neither spectators nor players wait
// for a disk. On the web thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "server/core/analyst.h"
#include "server/core/catalogue.h"
#include "server/core/commentary/commentator.h"
#include "server/core/logins/fair_queue.h"
#include "server/core/logins/penalties.h"
#include "server/net/archive_json.h"
#include "server/net/feed.h"
#include "server/net/page_about.h"

namespace fuhyo::net {

struct ArchiveOptions {
  std::shared_ptr<core::Catalogue> catalogue;           // null: nothing is archived here
  std::function<std::vector<RoundTime>()> round_times;  // asked on the catalogue's thread, may read files; empty: none
  std::size_t queries = 32;                             // at a time, the one that runs included
  std::shared_ptr<core::Analyst> analyst;               // null: games are not analysed here
  std::shared_ptr<core::Commentator> commentator;       // speaks of games, also of those that run; null: nobody does
  std::function<core::Instant()> clock;                 // empty: the machine's
  core::TimeZone zone;                                  // in which players are rated by days
};

struct ArchiveReply {
  unsigned status = 200;
  std::string content_type;
  std::string body;
  std::string file_name;           // to be saved under; empty: to be shown
  std::string_view cached;         // cache_times.h; empty: by nobody
  std::optional<PageAbout> about;  // instead of a body: the answer to about()
};

class ArchiveApi {
 public:
  // `warn` is called on the web thread.
  ArchiveApi(ArchiveOptions options, core::Comments comments, std::function<void(std::string_view)> warn)
      : options_(std::move(options)),
        comments_(comments),
        warn_(std::move(warn)),
        waiting_(std::max<std::size_t>(options_.queries, 1) - 1),
        spent_({.tolerated_us = kAtOnce_us * kShare, .most_us = 2 * kAtOnce_us * kShare}) {}
  // Before the first query: the thread on which the catalogue is asked.
  void ask_on(boost::asio::any_io_executor thread) { thread_ = std::move(thread); }

  static bool takes(std::string_view path);
  // `site`: "https://host:port", as the caller names it. `caller`: his network. `feed`: the games that are running or
  // have just ended, and what spectators have seen: of the others the end is not there.
  boost::asio::awaitable<ArchiveReply> reply_to(std::string_view path, std::string_view query, std::string site,
                                                std::string caller, const Feed& feed, core::Wall now);
  // The title and text of the page of a game or a player. Nothing: not available now.
  boost::asio::awaitable<std::optional<PageAbout>> about(PagePath page, PageLanguage language, std::string caller,
                                                         const Feed& feed, core::Wall now);

  // A query may take a tenth of a second and more. So a caller from another machine may use so much time of the
  // catalogue's thread at once, and one part in so many of it in the long run.
  static constexpr std::int64_t kAtOnce_us = 3 * core::kSecond, kShare = 10;

 private:
  using Work = std::function<core::Catalogue::Answer<ArchiveReply>(core::Catalogue&)>;

  Work work_for(std::string_view path, std::string_view query, std::string site, const Feed& feed,
                core::Wall now) const;
  Work analysis_work(core::GameId game, std::string_view query, std::string caller, const Feed& feed) const;
  boost::asio::awaitable<ArchiveReply> picture(const core::GameStory& game, std::string_view query, std::string caller,
                                               const Feed& feed, core::Wall now);
  std::optional<ArchiveReply> from_feed(std::string_view name, const Feed& feed, core::Wall now) const;
  struct Turn;  // of a query, in its coroutine
  boost::asio::awaitable<ArchiveReply> ask(Work work, std::vector<core::EndsSeen> seen, const std::string& caller);
  boost::asio::awaitable<core::Catalogue::Answer<ArchiveReply>> answer(Work work, std::vector<core::EndsSeen> seen);
  core::Instant now() const;
  void next();

  const ArchiveOptions options_;
  const core::Comments comments_;
  const std::function<void(std::string_view)> warn_;
  boost::asio::any_io_executor thread_;
  bool busy_ = false;               // a query runs
  core::FairQueue<Turn*> waiting_;  // the others, fair by caller
  core::Penalties spent_;           // time of the catalogue's thread, by who asked
};

}  // namespace fuhyo::net
