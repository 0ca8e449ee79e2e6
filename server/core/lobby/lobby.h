// The lobby: %%GAME, %%CHALLENGE, pairing in login order, built-in players that play on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/lobby/game_plan.h"
#include "server/core/lobby/waiter.h"
#include "server/core/part.h"
#include "server/core/sessions/session.h"

namespace fuhyo::core {

class Lobby : Part {
 public:
  explicit Lobby(const Parts& parts) : Part(parts) {}

  void on(const Serves& e);
  void on(const Awaits& e);
  void cooled(ConnId conn);  // it may be paired again

  void want(Session& s, const csa::Game& g);
  void wait_for(Session& s, const csa::GameName& name, csa::Turn turn, bool challenge);
  void stop_waiting(Session& s);
  void leave_queue(Session& s);             // it is connected again; nothing happens to one that does not wait
  bool cools_down(const Session& s) const;  // nobody is paired with it for a while
  void pair_everybody();
  // Those who wait for the buoy are paired at once: in login order, the one who set it last.
  void start_waiting_for(const std::string& buoy, const Session& setter);
  // A free built-in player that serves the group, or the one with that id, now waiting for its round; null: there is
  // none.
  Session* filler_of(const csa::GameName& group, std::string_view id = {});
  GamePlan plan_of(const Session& s) const;  // of what it wants, in the room where it is

  std::size_t waiting_in(std::string_view room) const;
  std::vector<ConnId> waiting_for(const std::string& room, const std::string& game_name) const;  // in login order
  std::vector<Waiter> waiters() const;                // where everybody may see them
  std::uint64_t changes() const { return changes_; }  // how often waiters() may have changed

 private:
  // Those who wait for one game of one room, by the colour wished and then by login order, the order of pairing.
  struct WaitingList {
    std::map<csa::Turn, std::map<std::uint64_t, ConnId>> by_turn;
  };

  void enter_queue(Session& s);  // the session waits for what it wants
  Session* rival_of(const Session& s);
  Session* rival_in(const WaitingList& list, csa::Turn turn);
  void cool_down(Session& s);  // tells it that it cools down, and when it is paired again
  void pair(Session& rival, Session& mover);
  bool pairs_directly(const Session& s) const;
  bool is_served(const Session& guest, const Session& by) const;
  Session* server_of(const Session& guest);
  void take_over_wish(Session& player, const Session& guest);

  std::map<std::pair<std::string, std::string>, WaitingList> waiting_;  // by room and full game name
  std::uint64_t changes_ = 0;
};

}  // namespace fuhyo::core
