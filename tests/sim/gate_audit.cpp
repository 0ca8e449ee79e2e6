// Audit of the durability gate: at the moment when bytes leave, what they tell is on the disk.

#include "tests/sim/auditor.h"

namespace fuhyo::sim {

void Auditor::leaving(const core::Outbox::Ready& ready) {
  Conn& c = conns_[ready.conn];
  check_gates(c, ready.bytes.size());
  c.leaving_partial += ready.bytes;
  std::size_t begin = 0;
  for (std::size_t end; (end = c.leaving_partial.find('\n', begin)) != std::string::npos; begin = end + 1) {
    line_leaves(ready.conn, c, std::string_view(c.leaving_partial).substr(begin, end - begin));
  }
  c.leaving_partial.erase(0, begin);
  if (ready.close) session_ends(ready.conn);
}

// What leaves is what was pushed for this connection, in order, and each piece's `after` is on the disk.
void Auditor::check_gates(Conn& c, std::size_t bytes) {
  while (bytes > 0) {
    if (c.pushed.empty() || c.pushed.front().second > bytes) {
      return violate(Check::gate, "bytes leave that nobody sent");
    }
    const auto [after, size] = c.pushed.front();
    c.pushed.pop_front();
    bytes -= size;
    if (after > last_on_disk_) {
      violate(Check::gate, fmt::format("bytes leave that wait for {}; the disk has {}", core::value(after),
                                       core::value(last_on_disk_)));
    }
  }
}

void Auditor::line_leaves(core::ConnId id, Conn& c, std::string_view line) {
  const Told told = c.leaving.line(line);
  pay(id, c, told);
  if (told == Told::logged_in) session_begins(id, line.substr(6, line.size() - 9));  // "LOGIN:name OK"
  if (!is_durable(told, c.leaving, line)) {
    violate(Check::gate, fmt::format("'{}' leaves for connection {} before it is on the disk", line, core::value(id)));
  }
}

bool Auditor::is_durable(Told told, const ClientView& view, std::string_view line) const {
  if (told == Told::listed) return durable_game(line.substr(9)) != nullptr;  // "##[LIST] id"
  const bool of_game = told == Told::summary || told == Told::start || told == Told::reject || told == Told::move ||
                       told == Told::special || told == Told::reason || told == Told::verdict;
  if (!of_game) return true;
  const Seen& seen = view.games().back();
  const Durable* game = durable_game(seen.id);
  if (game == nullptr) return false;
  switch (told) {
    case Told::summary:
      return std::ranges::equal(
          seen.past, game->moves | std::views::take(seen.past.size()),
          [](const std::string& past, const core::MoveMade& move) { return past.starts_with(move.csa + ","); });
    case Told::start:
      return game->started;
    case Told::reject:
      return !game->rejections.empty() || !game->ends.empty();
    case Told::move: {
      const std::size_t n = seen.past.size() + seen.moves.size();
      return n <= game->moves.size() && line.starts_with(game->moves[n - 1].csa + ",");
    }
    case Told::special:
    case Told::reason:
    case Told::verdict:
      return !game->ends.empty();
    default:
      return true;
  }
}

const Auditor::Durable* Auditor::durable_game(std::string_view csa_id) const {
  const auto id = ids_.find(csa_id);
  if (id == ids_.end()) return nullptr;
  const auto game = durable_.find(id->second);
  return game == durable_.end() ? nullptr : &game->second;
}

// Whoever has tried several secrets for the name got in by one of them.
void Auditor::check_owner(const Conn& c, std::string_view name) {
  if (!owned_.contains(name)) {
    const bool closed = stage_.scenario.closes && lives_ > 1 && !c.builtin;
    if (closed) violate(Check::owner, fmt::format("{} has no account, and the server is closed", name));
    return;
  }
  std::set<std::string> secrets;
  for (const auto& [of, secret] : c.shown) {
    if (of == name) secrets.insert(secret);
  }
  const auto owner = owners_.find(name);
  if (owner == owners_.end()) {
    if (secrets.size() == 1) owners_.emplace(name, *secrets.begin());
    return;
  }
  if (secrets.contains(owner->second)) return stage_.marks.hit("owner_came");
  violate(Check::owner, fmt::format("{} is owned, and another secret let somebody in", name));
}

// The end of the old session and the beginning of the new one may leave in the same instant, in either order.
void Auditor::session_begins(core::ConnId id, std::string_view name) {
  check_owner(conns_[id], name);
  const auto [it, fresh] = sessions_.emplace(name, id);
  if (fresh) return;
  const bool newer = conns_[id].login > conns_[it->second].login;
  const core::ConnId loser = newer ? it->second : id;
  if (!conns_[loser].gone) replaced_[loser] = stage_.time.now_us();
  if (newer) it->second = id;
}

void Auditor::session_ends(core::ConnId id) {
  Conn& c = conns_[id];
  check_paid(id, c);
  c.over = true;
  std::erase_if(sessions_, [id](const auto& session) { return session.second == id; });
  const auto replaced = replaced_.find(id);
  if (replaced == replaced_.end()) return;
  if (replaced->second < stage_.time.now_us()) {
    violate(Check::sessions, fmt::format("connection {} was open {} us after its name was given away", core::value(id),
                                         stage_.time.now_us() - replaced->second));
  }
  replaced_.erase(replaced);
}

}  // namespace fuhyo::sim
