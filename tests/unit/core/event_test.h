// What the tests of events inside the server share: a host with his event "cup", whose settings are written by TAB. And
// two players in a room of his.
#pragma once

#include <optional>

#include "tests/support/event_host.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {

constexpr std::string_view kRoundRobin =
    "name\tcup\nformat\tround-robin\ntime\t300-10F\ncountdown-s\t60\ngap-s\t120\nforfeit-s\t600\n";

inline std::string with_entrants(std::string_view settings, const Lines& names) {
  std::string text(settings);
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("entrant[{}].name\t{}\n", i, names[i]);
  return text;
}

class EventTest : public testing::Test {
 protected:
  VirtualServer& server() { return host.server(); }
  std::string done(const std::string& line) { return expect(true, line, host.host(line)); }
  std::string refused(const std::string& line) { return expect(false, line, host.host(line)); }

  void announce(const std::string& settings) { expect(true, settings, host.announce(settings)); }
  void begin(const Lines& names, std::string_view more = "") {
    announce(with_entrants(kRoundRobin, names) + std::string(more));
  }
  void announce_swiss(int rounds, const Lines& names, std::string_view more = "") {
    announce(with_entrants(fmt::format("name\tcup\nformat\tswiss\nrounds\t{}\ntime\t60-1F\n{}", rounds, more), names));
  }
  void come(const Lines& names) {
    for (const std::string& name : names) host.come_csa(name);
  }
  void start() { done("start cup"); }
  // Announced, everybody there in CSA mode, and the first round under way.
  void hold(const Lines& names, std::string_view more = "") {
    begin(names, more);
    come(names);
    start();
    advance_s(60);
  }
  void advance_s(std::int64_t s) { server().advance(s * 1000); }
  // The only game that is open.
  core::GameOpened only_game() const {
    EXPECT_THAT(host.open_games(), SizeIs(1));
    return host.open_games().empty() ? core::GameOpened{} : host.open_games().front();
  }

  EventHost host;

 private:
  static std::string expect(bool ok, const std::string& line, const core::AdminResult& result) {
    EXPECT_EQ(result.ok, ok) << line << ": " << result.text;
    return result.text;
  }
};

// A, who is Black, and B in CSA mode; their room has the games "ruled-*".
class RoomGame : public EventTest {
 protected:
  void set_room(const std::string& settings) {
    const auto done = server().admin("set-room ruled " + settings);
    EXPECT_TRUE(done.ok) << done.text;
  }
  void both_come() {
    server().log_in("A", "A ruled-60-0-B,tA");
    server().log_in("B", "B ruled-60-0-W,tB");
  }
  void both_agree() {
    host.agree(opened());
    server().forget_heard();
  }
  // From an sfen, unless it is empty, on; what A is told before both agree.
  Lines begin(std::string_view settings, std::string_view sfen = "") {
    const std::string start = sfen.empty() ? "" : fmt::format(" start=\"sfen {}\"", sfen);
    set_room(fmt::format("games=ruled-* resume=position {}{}", settings, start));
    both_come();
    const Lines summary = server().heard("A");
    both_agree();
    return summary;
  }
  core::GameOpened opened() const { return host.facts<core::GameOpened>().back(); }
  std::optional<core::GameEnded> end() const {
    const auto ends = host.facts<core::GameEnded>();
    return ends.empty() ? std::nullopt : std::optional(ends.back());
  }
};

}  // namespace fuhyo::test
