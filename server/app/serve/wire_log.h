// What each player sent and was sent, one file a player: <folder>/<name>.log, lines like
//   2026-11-21T04:14:40.123456Z > +7776FU        or, as shogi-server has it,
//   2026-11-21T04:14:40 [INFO] IN: +7776FU
// ('>' from the player, stamped on arrival; '<' to the player). Passwords are masked, other bytes than printable ASCII
// escaped. A file that grows beyond `max_bytes` becomes <name>.log.1, replacing an older one. Lines before a successful
// LOGIN are kept until it is known whose they are, and dropped with the connection otherwise.
// The calls come from the core's thread and only queue; a thread of its own writes. When the disk cannot follow, lines
// are left out and the gap is written down: players are never slowed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::app {

class WireLog {
 public:
  struct Options {
    std::filesystem::path folder;     // must exist
    std::size_t max_bytes = 4 << 20;  // of one file; there are at most two a player
    std::size_t max_queued_bytes = 8 << 20;
    bool like_shogi_server = false;
  };
  using Warn = std::function<void(std::string_view text)>;  // called from the writing thread

  WireLog(Options options, Warn warn);
  ~WireLog();  // writes what is queued
  WireLog(const WireLog&) = delete;
  WireLog& operator=(const WireLog&) = delete;

  void opened(core::ConnId conn, std::string_view peer);
  void received(core::ConnId conn, std::string_view line, core::Wall at);
  void sent(core::ConnId conn, std::string_view bytes, core::Wall at);
  void closed(core::ConnId conn);

 private:
  struct Entry {
    enum class Kind : std::uint8_t { opened, received, sent, closed } kind{};
    core::ConnId conn{};
    core::Wall at;
    std::string text;
  };
  struct Stream {              // of one connection; the writing thread's
    std::string name;          // empty before login
    std::string before_login;  // formatted lines
  };

  void push(Entry entry);
  void run();
  void write(const std::vector<Entry>& entries, std::size_t dropped);
  void digest(const Entry& entry, std::map<std::string, std::string>& by_player);
  void line(Stream& stream, char direction, const Entry& entry, std::string_view text,
            std::map<std::string, std::string>& by_player);
  void append(const std::string& player, std::string_view text);

  const Options options_;
  const Warn warn_;
  std::unordered_map<core::ConnId, Stream> streams_;
  bool complained_ = false;

  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<Entry> queue_;
  std::size_t queued_bytes_ = 0, dropped_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace fuhyo::app
