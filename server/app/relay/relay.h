// The other servers that are followed: a connection and a Follower each, and one journal for what they tell. On a
// thread of its own.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "server/app/join/options.h"
#include "server/app/relay/follower.h"
#include "server/app/serve/log.h"
#include "server/core/journal.h"

namespace fuhyo::app {

struct RelaySource {
  JoinOptions address;  // host and port, and whom to believe
  Follower::Config follow;
};

class Relay {
 public:
  // `recovered`: what the journal holds. The journal and the log outlive it.
  Relay(std::vector<RelaySource> sources, core::Journal& journal, const core::Recovery& recovered, Log& log);
  ~Relay();  // hangs up
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Reads the authorities to believe (the error names the file), and puts the rooms into the journal. Once, before
  // start().
  std::expected<void, std::string> set_up(const core::Recovery& recovered);
  void start();  // once
  void stop();   // any thread; again does nothing. Returns when nothing is appended any more

 private:
  class Line;
  void append(std::vector<core::Fact> facts);
  void set_rooms(const core::Recovery& recovered);

  core::Journal& journal_;
  Log& log_;
  core::Seq last_;
  core::GameId last_game_;
  boost::asio::io_context io_{1};
  std::vector<RelaySource> sources_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::thread thread_;
};

}  // namespace fuhyo::app
