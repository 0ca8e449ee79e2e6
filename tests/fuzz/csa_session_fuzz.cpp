// Four clients of the production core under virtual time. A line of input is one step:
//   A...D  then text: that client says it        ~N  N milliseconds pass
//   #A     that client hangs up                  !   commits wait from now on;  .  they happen
// The core survives, forgets nobody, and does the same when the same happens again.

#include "tests/fuzz/fuzz.h"
#include "tests/support/virtual_server.h"

namespace {

using fuhyo::fuzz::require;

constexpr std::string_view kClients = "ABCD";
constexpr std::int64_t kLongestPause_ms = 400'000;
constexpr int kSteps = 400;

class Play {
 public:
  void step(std::string_view line) {
    const char what = line.front();
    const std::string_view rest = line.substr(1);
    if (kClients.find(what) != std::string_view::npos) say(std::string(1, what), rest);
    if (what == '~') server_.advance(pause(rest));
    if (what == '!') server_.hold_commits(true);
    if (what == '.') server_.commit();
    if (what == '#' && !rest.empty()) hang_up(std::string(1, rest.front()));
  }

  // Everything that waits is let go, and everybody leaves.
  std::uint64_t finish() {
    server_.hold_commits(false);
    server_.commit();
    for (const char client : kClients) hang_up(std::string(1, client));
    require(server_.server().sessions() == 0, "who is gone is forgotten");
    server_.advance(kLongestPause_ms);
    require(server_.server().games("main") == 0, "a game without players ends");
    return server_.server().digest();
  }

 private:
  static std::int64_t pause(std::string_view digits) {
    std::int64_t ms = 0;
    for (const char c : digits.substr(0, 6)) ms = c >= '0' && c <= '9' ? ms * 10 + (c - '0') : ms;
    return std::min(ms, kLongestPause_ms);
  }

  void say(const std::string& client, std::string_view text) {
    if (!is_open(client)) {
      server_.open(client);
      known_ += client;
    }
    server_.say(client, text);
  }
  void hang_up(const std::string& client) {
    if (is_open(client)) server_.hang_up(client);
  }
  bool is_open(const std::string& client) const { return known_.contains(client) && server_.is_open(client); }

  fuhyo::test::VirtualServer server_;
  std::string known_;
};

std::uint64_t play(std::string_view script) {
  Play play;
  for (int steps = 0; !script.empty() && steps < kSteps; ++steps) {
    if (const std::string_view line = fuhyo::fuzz::take_line(script); !line.empty()) play.step(line);
  }
  return play.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view script = fuhyo::fuzz::text(data, size);
  require(play(script) == play(script), "the same events give the same state");
  return 0;
}
