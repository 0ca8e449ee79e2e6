#include "server/app/replay_game.h"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace fuhyo::app {
namespace {

using Failure = std::unexpected<std::string>;
using Close = ReplayPlan::Close;

bool is_result(std::string_view line) {
  return line == "#WIN" || line == "#LOSE" || line == "#DRAW" || line == "#CENSORED";
}

// Two clients of one game. Every function waits until both have heard the same.
class Duel {
 public:
  Duel(ReplayConnection black, ReplayConnection white) : sides_{std::move(black), std::move(white)} {}

  // CSA mode: the password carries the game name, and logging in asks for the game.
  std::expected<void, std::string> log_in(std::string_view tag) {
    constexpr std::array kColours = {'B', 'W'};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string name = fmt::format("{}_{}", tag, kColours[side]);
      sides_[side].send(fmt::format("LOGIN {} {}-0-0-{}", name, tag, kColours[side]));
      const auto answer = sides_[side].line();
      if (!answer) return Failure(answer.error());
      if (*answer != fmt::format("LOGIN:{} OK", name)) return Failure(fmt::format("login refused: {}", *answer));
    }
    return {};
  }

  std::expected<std::string, std::string> start() {
    constexpr std::string_view kId = "Game_ID:";
    std::string id;
    for (ReplayConnection& side : sides_) {
      for (std::string line; line != "END Game_Summary";) {
        auto heard = side.line();
        if (!heard) return Failure(heard.error());
        line = std::move(*heard);
        if (line.starts_with(kId)) id = line.substr(kId.size());
      }
      side.send("AGREE");
    }
    const auto started = both();
    if (!started) return Failure(started.error());
    if (*started != "START:" + id) return Failure(fmt::format("no START but '{}'", *started));
    return id;
  }

  void send(std::size_t side, std::string_view line) { sides_[side].send(line); }

  std::expected<std::string, std::string> both() {
    auto black = sides_[0].line();
    if (!black) return black;
    auto white = sides_[1].line();
    if (!white) return white;
    if (*black != *white) return Failure(fmt::format("Black hears '{}' and White '{}'", *black, *white));
    return black;
  }

  // Reads up to the result of both sides; returns the reason given for it.
  std::expected<std::string, std::string> finish(std::string first) {
    std::string reason = std::move(first);
    for (ReplayConnection& side : sides_) {
      for (;;) {
        auto line = side.line();
        if (!line) return line;
        if (is_result(*line)) break;
        if (line->starts_with('#')) reason = std::move(*line);
      }
    }
    return reason;
  }

 private:
  std::array<ReplayConnection, 2> sides_;
};

// Sends the moves until they are used up or the server ends the game; returns the line that began the end, if any.
std::expected<std::optional<std::string>, std::string> send_moves(Duel& duel, const ReplayPlan& plan,
                                                                  PlayedGame& played) {
  std::size_t side = 0;
  for (const std::string& move : plan.moves) {
    duel.send(side, move);
    auto line = duel.both();
    if (!line) return Failure(fmt::format("{} (ply {})", line.error(), played.accepted.size() + 1));
    if (!line->starts_with(move + ",T")) return std::move(*line);
    played.accepted.push_back(move);
    side ^= 1;
  }
  if (plan.close == Close::resign) duel.send(side, "%TORYO");
  if (plan.close == Close::declare || plan.close == Close::misdeclare) duel.send(side, "%KACHI");
  return std::nullopt;
}

bool is_expected_end(Close close, std::string_view end) {
  switch (close) {
    case Close::resign:
      return end == "#RESIGN";
    case Close::declare:
      return end == "#JISHOGI";
    case Close::misdeclare:
    case Close::illegal_move:
      return end == "#ILLEGAL_MOVE";
    case Close::repetition:
      return end == "#SENNICHITE" || end == "#OUTE_SENNICHITE";
  }
  return false;
}

}  // namespace

std::expected<PlayedGame, std::string> play_game(const ServerAddresses& server, const ReplayPlan& plan,
                                                 std::string_view tag, std::chrono::milliseconds patience) {
  auto black = ReplayConnection::open(server, patience);
  if (!black) return Failure(black.error());
  auto white = ReplayConnection::open(server, patience);
  if (!white) return Failure(white.error());
  Duel duel(std::move(*black), std::move(*white));
  if (auto in = duel.log_in(tag); !in) return Failure(in.error());
  PlayedGame played;
  auto id = duel.start();
  if (!id) return Failure(id.error());
  played.id = std::move(*id);
  auto ended = send_moves(duel, plan, played);
  if (!ended) return Failure(ended.error());
  auto reason = duel.finish(ended->value_or(""));
  if (!reason) return Failure(fmt::format("no end: {}", reason.error()));
  played.end = std::move(*reason);
  return played;
}

std::string difference(const ReplayPlan& plan, const PlayedGame& played) {
  if (played.accepted.size() != plan.legal_moves()) {
    return fmt::format("the server ended it after {} of {} moves: {}", played.accepted.size(), plan.legal_moves(),
                       played.end);
  }
  if (!is_expected_end(plan.close, played.end)) return fmt::format("the server ended it by {}", played.end);
  return "";
}

}  // namespace fuhyo::app
