// TLS handshakes, as many as a server can do.
#pragma once

#include <vector>

#include "tests/bench/load_poller.h"

namespace fuhyo::bench {

struct HandshakeFigures {
  int done = 0, failed = 0;
  double wall_s = 0;
  std::vector<double> times_ms;  // from before the connect to the end of the handshake
};

// `count` of them from `threads` threads, each connection closed at once.
HandshakeFigures measure_handshakes(const Target& target, int count, int threads);

}  // namespace fuhyo::bench
