// The configuration in force: what can change while a server runs does when it is read again. On one thread.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "server/app/config/config.h"

namespace fuhyo::app {

class LiveConfig {
 public:
  // Resolves the configuration anew, from the same flags, variables and file.
  using Reread = std::function<std::expected<Resolved, std::string>()>;

  LiveConfig(Resolved resolved, Reread reread);
  const ServeConfig& now() const { return config_; }  // the same object for ever

  struct Change {  // keys of settings
    std::vector<std::string> made;
    std::vector<std::string> later;  // need a restart
  };
  // An error says all that is wrong, in one line; then nothing has changed.
  std::expected<Change, std::string> reread();

 private:
  ServeConfig config_;
  std::map<std::string, Said, std::less<>> said_;  // in force, by key
  const Reread reread_;
};

}  // namespace fuhyo::app
