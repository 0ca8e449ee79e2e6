// Follows the games of one other server as a spectator does: lines in, lines out, facts out. It learns of games by
// %%LIST, of their begin by %%WHO, of their moves by %%MONITOR2ON, and says nothing else; it never plays, waits or
// chats. One request at a time, so far apart as it is told. Pure: no socket, no clock. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/app/relay/relayed_game.h"
#include "server/core/civil_time.h"
#include "server/core/ids.h"
#include "server/csa/secret.h"

namespace fuhyo::app {

class Follower {
 public:
  struct Config {
    std::string room;  // where its games are shown
    std::string login;
    csa::Secret password;
    std::int64_t every_us = 2 * core::kSecond;  // from a request to the next one, at least
    core::TimeZone zone;                        // of the times in records
  };
  struct Effects {
    std::vector<std::string> lines;  // to be sent
    std::vector<core::Fact> facts;
    std::vector<std::string> notes;    // for the log
    std::optional<std::string> fault;  // the line is of no use: connect again, later
  };

  // Bounds of what a server can make it keep.
  static constexpr std::size_t kMostGames = 1'000;   // of one list
  static constexpr std::size_t kMostLines = 16'384;  // of one record
  // An answer that has not come by then never will.
  static constexpr std::int64_t kAnswer_us = 60 * core::kSecond;
  // A record that does not come is asked for again after the time of so many requests.
  static constexpr int kAgain = 15;

  // `last_game`: the newest number of a game in the journal; counted on here. `unfinished`: of this room.
  Follower(Config config, core::GameId& last_game, const std::vector<core::GameStory>& unfinished);

  void connected(core::Now now);
  void disconnected();
  void line(std::string_view text, core::Now now);
  void tick(core::Now now);
  core::Instant due() const;                     // when tick() has something to do
  bool welcome() const { return listed_once_; }  // a whole list has come over this connection
  Effects take() { return std::exchange(effects_, {}); }

 private:
  enum class Asked : std::uint8_t { nothing, login, list, who, show };

  struct Watched {
    std::optional<RelayedGame> game;           // nothing: its record has not come yet
    std::vector<std::string> lines;            // of an answer that has not ended
    std::optional<core::Instant> asked;        // over this connection
    std::optional<std::int32_t> record_plies;  // of the record that came for it
    int closed = 0;                            // so often the line was closed in place of it
    bool strange = false;                      // not what it was before: nothing more is taken of it
    bool over() const { return game && game->story().ended.has_value(); }
  };

  void online_line(std::string_view text, core::Now now);
  void list_line(std::string_view text);
  void take_list();
  void who_line(std::string_view text, core::Now now);
  void show_line(std::string_view text, core::Now now);
  void record_line(std::string_view id, std::string_view text, core::Now now);
  void take_block(const std::string& id, Watched& watched, core::Now now);
  void take_record(const std::string& id, Watched& watched, core::Now now);
  void take_lines(const std::string& id, Watched& watched, const WatchedLines& lines, std::int32_t ply, core::Now now);
  RelayedGame open(WatchedRecord& record, core::Now now);
  void ask(core::Now now);
  void ask(Asked what, std::string line, core::Now now);
  bool ask_for_record(core::Now now);
  bool is_wanted(const Watched& watched, core::Now now) const;
  void take_closing();
  bool any_to_start() const;
  std::string local_time(core::Wall at) const;

  const Config config_;
  core::GameId& last_game_;
  Effects effects_;
  bool connected_ = false;
  Asked asked_ = Asked::nothing;  // what has not been answered yet
  core::Instant asked_at_{};      // the last request
  int since_list_ = 0;            // requests
  bool listed_once_ = false, shown_ = false, who_is_next_ = false;
  std::string reading_;          // the last request is for the record of this game, and nothing of it has come
  bool tells_comments_ = false;  // of moves, as they are made
  std::set<std::string, std::less<>> unreadable_;  // players: what they say makes the server close the line
  std::set<std::string, std::less<>> listed_;
  std::vector<std::string> missing_;  // no longer listed; asked for by %%SHOW, the last one first
  std::map<std::string, Watched, std::less<>> games_;
};

}  // namespace fuhyo::app
