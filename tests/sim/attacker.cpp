// A hostile program: floods, endless lines, half lines, other protocols, random bytes, crowds, guessed passwords,
// sockets that are never read.

#include "tests/sim/clients.h"

namespace fuhyo::sim {
namespace {

constexpr int kMostAttacks = 12;

constexpr std::array<std::string_view, 5> kOtherProtocols = {
    "GET / HTTP/1.1\r\nHost: shogi\r\n\r\n", "\x16\x03\x01\x02\x01\x01\xfc\x03\x03", "SSH-2.0-OpenSSH_9.2\r\n",
    "EHLO shogi\r\n", "*1\r\n$4\r\nPING\r\n"};

constexpr std::array<std::string_view, 12> kConfused = {
    "START:sim+x", "+7776FU", "-3334FU,T0",         "%TORYO",          "AGREE",  "REJECT",
    "LOGOUT",      "#WIN",    "BEGIN Game_Summary", "%%GAME g-60-5 +", "%KACHI", "%%GAME ../../etc-1-1 *"};

class Attacker final : public Guest {
 public:
  Attacker(const Scene& scene, std::string address, std::vector<std::string> names)
      : Guest(scene), address_(std::move(address)), names_(std::move(names)) {}

  void start() override {
    stage_.time.after(rng_.between(0, 20 * kSecond), [this] { attack(); });
  }
  void connected(core::ConnId conn) override {
    const std::size_t act = rng_.below(9);
    if (act == 0) return;  // says nothing
    if (act == 1) return say(conn, rng_.pick(kOtherProtocols));
    if (act == 2) return say(conn, random_bytes(400));
    if (act == 3) return say(conn, line_of(rng_.chance(0.5) ? 1025 : 100'000));
    if (act == 4) return say(conn, "LOGIN someone x");  // half a line, then silence
    if (act == 5) {                                     // guesses
      for (int i = 0; i < 25; ++i) say(conn, fmt::format("LOGIN {} guess{} y z\n", rng_.pick(names_), i));
      return;
    }
    if (act == 6) return say(conn, fmt::format("LOGIN {} g-60-5,guess\n", rng_.pick(names_)));
    log_in(conn);
    if (act == 7) return flood(conn, 3000);
    for (int i = 0; i < 30; ++i) say(conn, fmt::format("{}\n", rng_.pick(kConfused)));
    if (rng_.chance(0.5)) say(conn, line_of(5000) + "\n");
  }
  void lost(core::ConnId conn) override { std::erase(open_, conn); }
  void wind_down() override {
    leaving_ = true;
    for (const core::ConnId conn : std::exchange(open_, {})) network_.hang_up(conn);
  }
  void heard(core::ConnId, std::string_view) override {}

 private:
  // One attack is a connection or a crowd of them.
  void attack() {
    if (leaving_ || stage_.quiet || ++attacks_ > kMostAttacks) return;
    const std::size_t crowd = rng_.chance(0.2) ? 1 + rng_.below(15) : 1;
    for (std::size_t i = 0; i < crowd; ++i) {
      Network::Caller caller;
      caller.address = address_;
      caller.reads = !rng_.chance(0.3);
      open_.push_back(network_.dial(*this, caller));
    }
    stage_.time.after(rng_.between(kSecond, 60 * kSecond), [this] { attack(); });
  }

  void log_in(core::ConnId conn) {
    const std::string name = fmt::format("evil{}", rng_.below(3));
    const std::string& game = rng_.pick(stage_.scenario.games);
    if (rng_.chance(0.5)) return say(conn, fmt::format("LOGIN {} {},e\n", name, game));
    say(conn, fmt::format("LOGIN {} e x1\n%%GAME {} *\nAGREE\n", name, game));
  }

  void flood(core::ConnId conn, int lines) {
    if (lines <= 0 || stage_.quiet || std::ranges::find(open_, conn) == open_.end()) return;
    constexpr std::array<std::string_view, 5> kLines = {"\n", "%%WHO\n", "%%LIST\n", "%%HELP\n", "+7776FU\n"};
    std::string text;
    for (int i = 0; i < 100; ++i) text += rng_.pick(kLines);
    say(conn, text);
    stage_.time.after(rng_.between(1, 300) * kMillisecond, [this, conn, lines] { flood(conn, lines - 100); });
  }

  void say(core::ConnId conn, std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
      auditor_.sent(conn, text.substr(begin, end - begin));
    }
    network_.send(conn, text);
  }

  std::string random_bytes(std::size_t most) {
    std::string bytes(1 + rng_.below(most), '\0');
    for (char& c : bytes) c = static_cast<char>(rng_.below(256));
    return bytes;
  }

  std::string line_of(std::size_t size) { return std::string(size, "A+%"[rng_.below(3)]); }

  std::string address_;
  std::vector<std::string> names_;
  std::vector<core::ConnId> open_;
  int attacks_ = 0;
  bool leaving_ = false;
};

}  // namespace

std::unique_ptr<Client> make_attacker(const Scene& scene, std::string address, std::vector<std::string> names) {
  return std::make_unique<Attacker>(scene, std::move(address), std::move(names));
}

}  // namespace fuhyo::sim
