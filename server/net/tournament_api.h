// The events' part of the API: which there are, one of them with its pairings, results and tables, and its tables as
// files. It is made of what spectators may know (EventView), on every node; tables take time to make, so what was made
// is kept until something changes. On the web thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/lobby/waiter.h"
#include "server/net/feed.h"
#include "server/net/tournament/event_json.h"

namespace fuhyo::net {

struct EventReply {
  unsigned status = 200;
  std::string content_type;
  std::string body;
  std::string etag;       // weak: the time of the answer is not in it; empty: of a refusal
  std::string file_name;  // to be saved under; empty: to be shown
};

class TournamentApi {
 public:
  // Answers that are kept: so many, and so large together. A table of 200 rounds of 256 has 13 MB as JSON.
  static constexpr std::size_t kMostKept = 256, kMostKeptBytes = 64 * 1024 * 1024;

  // `zone`: the server's, in which timetables are written.
  explicit TournamentApi(core::TimeZone zone) : zone_(std::move(zone)) {}

  static bool takes(std::string_view path);
  // `lobby`: who waits for games; null: not known here.
  EventReply reply_to(std::string_view path, std::string_view query, const Feed& feed,
                      const std::vector<core::Waiter>* lobby, core::Wall now);

 private:
  struct Kept {
    std::uint64_t revision = 0;
    EventPresence presence;
    std::string text, etag;
  };
  template <class Make>
  const Kept& kept(const std::string& key, std::uint64_t revision, EventPresence presence, Make make);
  EventReply list(const Feed& feed, core::Wall now);
  EventReply one(const core::EventView::Shown& shown, const Feed& feed, const std::vector<core::Waiter>* lobby,
                 core::Wall now);
  EventReply tables(const core::EventView::Shown& shown, std::string_view extension, std::string_view query);

  core::TimeZone zone_;
  std::map<std::string, Kept, std::less<>> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace fuhyo::net
