#include "server/app/replay/game.h"

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

// Third client: makes the position one that the two may ask for. The buoy is gone with its one game.
std::expected<void, std::string> set_buoy(const ServerAddresses& server, const ReplayPlan& plan, std::string_view tag,
                                          std::string_view game, std::chrono::milliseconds patience) {
  auto host = ReplayConnection::open(server, patience);
  if (!host) return Failure(host.error());
  host->send(fmt::format("LOGIN {}_H - x1", tag));
  host->send(fmt::format("%%SETBUOYSFEN {} {} 1", game, plan.start_sfen));
  for (;;) {
    const auto line = host->line();
    if (!line) return Failure(line.error());
    if (*line == "##[SETBUOYSFEN] +OK") return {};
    if (line->starts_with("##[ERROR]") || *line == "LOGIN:incorrect") return Failure("no buoy: " + *line);
  }
}

// One player, logged in. CSA mode: the password carries the game name, and logging in asks for the game. Players come
// one after the other: the server allows an address only a few connections that are not logged in.
std::expected<ReplayConnection, std::string> log_in(const ServerAddresses& server, const std::string& name,
                                                    std::string_view password, std::chrono::milliseconds patience) {
  auto player = ReplayConnection::open(server, patience);
  if (!player) return player;
  player->send(fmt::format("LOGIN {} {}", name, password));
  const auto answer = player->line();
  if (!answer) return Failure(answer.error());
  if (*answer != fmt::format("LOGIN:{} OK", name)) return Failure(fmt::format("login refused: {}", *answer));
  return player;
}

// Two clients of one game. Every function waits until both have heard the same.
class Duel {
 public:
  Duel(ReplayConnection black, ReplayConnection white) : sides_{std::move(black), std::move(white)} {}

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
  std::size_t side = plan.white_first ? 1 : 0;
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
  const std::string game = fmt::format("{}{}-0-0", plan.start_sfen.empty() ? "" : "buoy_", tag);
  if (!plan.start_sfen.empty()) {
    if (auto set = set_buoy(server, plan, tag, game, patience); !set) return Failure(set.error());
  }
  auto black = log_in(server, fmt::format("{}_B", tag), game + "-B", patience);
  if (!black) return Failure(black.error());
  auto white = log_in(server, fmt::format("{}_W", tag), game + "-W", patience);
  if (!white) return Failure(white.error());
  Duel duel(std::move(*black), std::move(*white));
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
