// What the unit tests of the core share: a server under virtual time for each of them, and matchers by their own names.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "server/core/floodgate/schedule.h"
#include "tests/support/virtual_server.h"

namespace fuhyo {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

}  // namespace fuhyo

namespace fuhyo::test {

// From now on the rounds of that group are held by that file.
inline void hold_rounds(VirtualServer& server, std::string_view group, std::string_view file) {
  const core::floodgate::ScheduleFile read = core::floodgate::parse_schedule(file, {.max_moves = 256});
  EXPECT_THAT(read.warnings, testing::IsEmpty());
  server.deliver(
      core::GroupChanged{{.game_name = std::string(group), .schedule = read.schedule, .settings = read.settings}});
}

// A built-in player comes, and says something.
inline void open_builtin(VirtualServer& server, core::ConnId conn, const std::string& name,
                         const std::string& room = "main") {
  server.deliver(core::Opened{.conn = conn, .kind = core::ConnectionKind::builtin, .room = room, .peer = name});
}
inline void say_builtin(VirtualServer& server, core::ConnId conn, const std::string& text) {
  server.deliver(core::ClientLine{.conn = conn, .text = text, .arrived = {server.now_ms() * 1000}});
}

class ServerTest : public testing::Test {
 protected:
  explicit ServerTest(core::Rules rules = test_rules(), core::Limits limits = {}) : server(std::move(rules), limits) {}

  // Begins again by other rules and limits than those of the tests.
  void serve(auto change, core::Rules rules = test_rules()) {
    core::Limits limits;
    if constexpr (requires { change(rules, limits); }) {
      change(rules, limits);
    } else if constexpr (requires { change(rules); }) {
      change(rules);
    } else {
      change(limits);
    }
    server = VirtualServer(std::move(rules), limits);
  }
  // Gives an admin command; returns the reply.
  std::string done(const std::string& command) {
    const core::AdminResult result = server.admin(command);
    EXPECT_TRUE(result.ok) << command << ": " << result.text;
    return result.text;
  }
  std::string refused(const std::string& command) {
    const core::AdminResult result = server.admin(command);
    EXPECT_FALSE(result.ok) << command << ": " << result.text;
    return result.text;
  }
  template <class F>
  std::vector<F> facts() const {
    return server.facts<F>();
  }
  Lines ask(const std::string& client, std::string_view line) { return server.ask(client, line); }

  // What a client is told at that moment; "early:" stands before it if something came sooner.
  Lines told_after(std::int64_t ms, const std::string& client) {
    server.advance(ms - 1);
    Lines told = server.heard(client);
    if (!told.empty()) told.insert(told.begin(), "early:");
    server.advance(1);
    for (std::string& line : server.heard(client)) told.push_back(std::move(line));
    return told;
  }

  VirtualServer server;
};

}  // namespace fuhyo::test
