// The interfaces between connections and the core: transports (CSA sockets in net, built-in players in host) and the
// sink of their inputs (the node in app). All calls are on the core's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/core/effects.h"
#include "server/core/ids.h"

namespace fuhyo::core {

// Owns connections and carries out what the core wants done with them. A ConnId that it does not (any longer) know is
// ignored. None of these calls blocks; inputs that they cause may be delivered before they return.
class Transport {
 public:
  virtual ~Transport() = default;
  // Whole lines, in order. A peer that does not take them is given up, not waited for.
  virtual void write(ConnId conn, std::string bytes) = 0;
  // Calls `done`, on any thread, once what was written so far has been handed on: to the kernel, as far as the peer
  // takes it, or to the engine of a built-in player. It may not come if the connection is gone by then.
  virtual void when_written(ConnId conn, std::function<void()> done) {
    static_cast<void>(conn);
    done();
  }
  // Ends the connection after everything written so far.
  virtual void close(ConnId conn, std::string_view why) = 0;
  // Delivers everything that has arrived as ClientLines, and then ReadPassed with this token (or Closed).
  virtual void read_pass(ConnId conn, std::uint64_t token) = 0;
  virtual void limit_lines(ConnId conn, std::size_t bytes) = 0;
  virtual void throttle(ConnId conn, bool paused) = 0;
};

// What a transport reports to. It outlives every transport.
class InputSink {
 public:
  virtual ~InputSink() = default;
  // A new connection: tells the core (Opened) and returns its identity. `peer` is "192.0.2.7:50312" for a socket,
  // `secure` as in Opened.
  virtual ConnId open(Transport& transport, ConnectionKind kind, std::string room, std::string peer, bool secure) = 0;
  // ClientLine, BadInput, ReadPassed, Closed. Each connection that was opened ends with exactly one Closed, whichever
  // side ended it; after that its transport hears nothing of it. May be called from within the calls above.
  virtual void deliver(Input input) = 0;
  // The clock of ClientLine::arrived.
  virtual Instant now() const = 0;
};

}  // namespace fuhyo::core
