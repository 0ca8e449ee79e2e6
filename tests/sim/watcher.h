// Somebody who watches every game that he hears of by %%MONITOR2ON, is cut off now and then, and comes again.
#pragma once

#include <string>
#include <string_view>

#include "tests/sim/auditor.h"
#include "tests/sim/network.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Watcher final : public Client {
 public:
  Watcher(Stage& stage, Network& network, Auditor& auditor)
      : stage_(stage), network_(network), auditor_(auditor), rng_(stage.rng.fork()) {}

  void start() override { come(); }
  void connected(core::ConnId conn) override;
  void heard(core::ConnId conn, std::string_view line) override;
  void lost(core::ConnId conn) override;
  void wind_down() override;

 private:
  void come();
  void look(core::ConnId conn);
  void say(core::ConnId conn, const std::string& line);

  Stage& stage_;
  Network& network_;
  Auditor& auditor_;
  Rng rng_;
  core::ConnId conn_{};
  bool leaving_ = false;
};

}  // namespace fuhyo::sim
