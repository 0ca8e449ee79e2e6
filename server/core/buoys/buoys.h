// Buoys: start positions under a game name, good for a number of games; and sets of positions that rounds draw from.
// %%SETBUOY, %%SETBUOYSFEN, %%DELETEBUOY, %%GETBUOYCOUNT, %%BUOYS, %%FORK.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/core/buoys/start_position.h"
#include "server/core/part.h"
#include "server/core/sessions/session.h"
#include "server/core/sessions/shares.h"

namespace fuhyo::core {

struct PositionSet {
  std::string by;
  std::vector<StartPosition> positions;  // not empty
};

class Buoys : Part {
 public:
  explicit Buoys(const Parts& parts) : Part(parts) {}

  void keep(const Fact& fact);  // what stands from now on
  void on(const SetRead& e);

  void set_buoy(Session& s, const csa::SetBuoy& c);
  void set_buoy(Session& s, const csa::SetBuoySfen& c);
  void delete_buoy(Session& s, const csa::DeleteBuoy& c);
  void buoy_count(Session& s, const csa::GetBuoyCount& c);
  void list_buoys(Session& s, const csa::Buoys& c);
  void fork(Session& s, const csa::Fork& c);

  const BuoySet* find(std::string_view name) const;  // null: there is none
  const std::map<std::string, BuoySet, std::less<>>& all() const { return buoys_; }
  void use_up(const std::string& name);  // one game of it begins
  void remove(BuoyDeleted fact) { store(std::move(fact)); }

  const PositionSet* find_set(std::string_view name) const;
  const std::map<std::string, PositionSet, std::less<>>& sets() const { return sets_; }
  void remove_set(const std::string& name, const std::string& by);
  // "buoy NAME", "set NAME N", or what read_start_position() reads.
  std::expected<StartPosition, std::string> start_position(std::string_view text) const;

 private:
  void store(Fact fact);  // it stands from now on
  bool may_set_buoy(Session& s, const std::string& name, std::int64_t count);
  void add_buoy(Session& s, std::string name, StartPosition start, std::int64_t count, std::string_view reply);
  std::expected<std::size_t, std::string> load_set(std::string name, std::string text, std::string by);

  std::map<std::string, BuoySet, std::less<>> buoys_;
  Shares of_owner_;
  Shares of_network_;                                      // of owners without accounts; since the start
  std::unordered_map<std::string, std::string> networks_;  // of those: the network by the buoy's name
  std::map<std::string, PositionSet, std::less<>> sets_;
};

}  // namespace fuhyo::core
