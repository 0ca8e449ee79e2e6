// Connections: how they open, flood and end, and the limits of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/core/part.h"
#include "server/core/sessions/session.h"
#include "server/core/sessions/shares.h"

namespace fuhyo::core {

class Sessions : Part {
 public:
  explicit Sessions(const Parts& parts) : Part(parts) {}

  void on(const Opened& e);
  void on(const ClientLine& e);
  void on(const BadInput& e);
  void on(const Closed& e);
  void login_due(ConnId conn);  // it has not logged in

  Session* find(ConnId conn);
  const Session* find(ConnId conn) const;
  Session* find_name(std::string_view name);
  const std::unordered_map<ConnId, Session>& all() const { return sessions_; }
  std::unordered_map<ConnId, Session>& all() { return sessions_; }
  // In the order of their logins, by which they are paired and listed.
  const std::map<std::uint64_t, ConnId>& by_login() const { return by_login_; }
  std::size_t before_login() const { return unknown_; }
  std::uint64_t logins() const { return logins_; }  // since the start

  bool is_throwaway(const Session& s) const;
  bool is_spared(std::string_view address) const;  // from the limits and penalties of an address
  bool has_place(const Session& s, bool known);
  void admit(Session& s);                       // it has logged in
  void drop(Session& s, std::string_view why);  // leave, close the connection, forget it
  // Carries out the lines that have waited for the answer to LOGIN, or for its budget, as far as they may be now.
  void answer_held(ConnId conn);
  void turn_begins(const Session& s);  // in its game: it waits for its budget no longer

 private:
  void make_room_for_stranger(const Session& newcomer);
  bool is_shut_out(const Session& s) const;
  bool has_its_share(const Session& s) const;
  void leave(Session& s, std::string_view why);  // ends what it was doing
  void forget(ConnId conn);
  void hold(Session& s, const ClientLine& e);
  void carry_out(Session& s, const ClientLine& e);
  void carry_out_held(Session& s);  // the first one
  std::int64_t owed_us(Session& s);
  void cut_flood(Session& s);
  void pause(Session& s, bool paused);

  std::unordered_map<ConnId, Session> sessions_;
  std::unordered_map<std::string, ConnId> names_;
  std::map<std::uint64_t, ConnId> by_login_;
  std::uint64_t logins_ = 0;
  Shares per_network_, unknown_per_network_;
  std::size_t unknown_ = 0;           // connections before login
  std::map<ConnId, bool> strangers_;  // those of them on sockets, the oldest first; true: it has sent a line
  Instant full_until_;                // until then no idle session is searched for ...
  std::size_t full_for_ = 0;          // ... for those whose network holds so many, or more
};

}  // namespace fuhyo::core
