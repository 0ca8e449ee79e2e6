// The files in the data folder that hosts write: floodgate groups, rooms, sets of positions, tournaments, accounts of
// an old server, STOP. Read for the core when the server starts, when an operator says so, and (groups) after each
// round, then on a thread beside the core's. The functions belong to the core's thread.
#pragma once

#include <expected>
#include <functional>
#include <made/host_commands.h>
#include <map>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/app/config/config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/node.h"
#include "server/app/serve/round_files.h"

namespace fuhyo::app {

class DataFiles {
 public:
  DataFiles(const ServeConfig& config, Log& log, boost::asio::io_context& io, Node& node);

  // Groups and rooms, at once; what is wrong with them, which the log has, too.
  std::vector<std::string> read();
  void reread_group(const std::string& game_name);
  void look_for_stop_file();      // to be called now and then
  void remove_stop_file() const;  // of a former run
  // The core gets the answer. `command` is about one of these files.
  void answer(core::HostCommand command, const core::HostRequest& request);
  // Work beside the core that may take a while; the core gets what it returns.
  void run(std::function<core::Input()> work);
  void close();  // waits for work that has begun; what waits is done, and told nobody

 private:
  core::floodgate::GroupSettings defaults() const;
  std::vector<std::string> take_group(const std::string& game_name, std::expected<GroupFile, std::string> file);
  std::vector<std::string> take_rooms();

  const ServeConfig& config_;
  Log& log_;
  boost::asio::io_context& io_;
  Node& node_;
  std::map<std::string, std::vector<std::string>> group_warnings_;  // said of each group's file
  bool stop_file_ = false;                                          // it was there
  boost::asio::thread_pool thread_{1};
};

}  // namespace fuhyo::app
