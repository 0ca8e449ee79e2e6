// A hostile program: floods, endless lines, half lines, other protocols, random bytes, crowds, guessed passwords,
// sockets that are never read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/auditor.h"
#include "tests/sim/network.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Attacker final : public Client {
 public:
  // It tries the names that it is told.
  Attacker(Stage& stage, Network& network, Auditor& auditor, std::string address, std::vector<std::string> names)
      : stage_(stage),
        network_(network),
        auditor_(auditor),
        rng_(stage.rng.fork()),
        address_(std::move(address)),
        names_(std::move(names)) {}

  void start() override;
  void connected(core::ConnId conn) override;
  void heard(core::ConnId, std::string_view) override {}
  void lost(core::ConnId conn) override;
  void wind_down() override;

 private:
  void attack();
  void flood(core::ConnId conn, int lines);
  void log_in(core::ConnId conn);
  void say(core::ConnId conn, std::string_view text);  // line end included, or not
  std::string random_bytes(std::size_t most);
  std::string line_of(std::size_t size);

  Stage& stage_;
  Network& network_;
  Auditor& auditor_;
  Rng rng_;
  std::string address_;
  std::vector<std::string> names_;
  std::vector<core::ConnId> open_;
  int attacks_ = 0;
  bool leaving_ = false;
};

}  // namespace fuhyo::sim
