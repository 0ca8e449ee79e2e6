#include "tests/sim/auditor.h"

#include <charconv>

namespace fuhyo::sim {
namespace {

constexpr std::array<std::string_view, kChecks> kNames = {
    "gate",       "lost_move", "one_order", "phantom", "legality", "verdict",    "clock",    "echo",
    "one_result", "sessions",  "deadline",  "flag",    "honest",   "whole_step", "sequence", "codec",
    "leak",       "drain",     "told",      "secret",  "limits",   "ratings",    "late",     "owner"};

// A line that plays, resigns or leaves: what the core puts to a game.
bool is_game_line(std::string_view line) {
  if (line.starts_with("LOGOUT")) return true;
  return line.size() > 1 && (line[0] == '+' || line[0] == '-' || line[0] == '%') && line[1] != '%';
}

// For people: random bytes as \xhh, endless lines cut.
std::string printable(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, 200)) {
    if (c >= ' ' && c <= '~')
      text += c;
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return line.size() > 200 ? text + "..." : text;
}

std::string_view word(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  const std::string_view first = text.substr(0, text.find(' '));
  text.remove_prefix(first.size());
  return first;
}

// "LOGIN name secret x1", "LOGIN name game,secret": the name and the secret; empty where it is neither.
std::pair<std::string, std::string> shown_by(std::string_view line) {
  if (word(line) != "LOGIN") return {};
  const std::string name(word(line));
  std::string_view secret = word(line);
  if (word(line) != "x1") secret.remove_prefix(secret.find(',') + 1);  // npos + 1: there is no game before it
  return {name, std::string(secret)};
}

std::string move_part(std::string_view line) { return std::string(line.substr(0, line.find(','))); }

}  // namespace

std::string_view to_string(Check check) { return kNames[static_cast<std::size_t>(check)]; }

void Auditor::violate(Check check, std::string text) {
  if (stage_.trace) stage_.trace(fmt::format("VIOLATION {}: {}", to_string(check), text));
  violations_.push_back({check, stage_.time.now_us(), std::move(text)});
}

void Auditor::mix(std::string_view bytes) {
  for (const char c : bytes) digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
  digest_ = (digest_ ^ static_cast<std::uint64_t>(stage_.time.now_us())) * 1099511628211u;
}

void Auditor::sent(core::ConnId id, std::string_view line) {
  if (stage_.trace) stage_.trace(fmt::format("{} > {}", core::value(id), printable(line)));
  if (is_game_line(line)) {
    Conn& c = conns_[id];
    const Seen* game = c.view.game();
    c.sent.insert(fmt::format("{} {}", game == nullptr ? "" : game->id, move_part(line)));
  }
  mix(line);
}

void Auditor::told(core::ConnId id, std::string_view line) {
  if (stage_.trace) stage_.trace(fmt::format("{} < {}", core::value(id), printable(line)));
  mix(line);
  if (conns_[id].view.line(line) == Told::second_verdict) {
    violate(Check::one_result, fmt::format("connection {} was told a second result: {}", core::value(id), line));
  }
}

void Auditor::read(const core::ClientLine& line) {
  if (is_game_line(line.text)) conns_[line.conn].transit.push_back({move_part(line.text), line.arrived});
}

void Auditor::heard_by_core(const core::Input& input) {
  if (const auto* durable = std::get_if<core::Durable>(&input)) return begin_turns(durable->upto);
  if (const auto* opened = std::get_if<core::Opened>(&input)) {
    conns_[opened->conn].opened_us = stage_.time.now_us();
    conns_[opened->conn].builtin = opened->kind == core::ConnectionKind::builtin;
    return;
  }
  if (const auto* line = std::get_if<core::ClientLine>(&input)) {
    Conn& c = conns_[line->conn];
    if (auto shown = shown_by(line->text); !shown.first.empty()) c.shown.insert(std::move(shown));
    const bool answer = line->text.starts_with("AGREE") || line->text.starts_with("REJECT");
    if (answer && c.game && decided_.at(*c.game).started) return answered_return(c, line->conn, line->text);
    if (!is_game_line(line->text)) return;
    if (line->text.starts_with("LOGOUT") && c.logged_in) logouts_.insert(line->conn);
    GameLine heard = std::move(c.transit.front());
    c.transit.pop_front();
    const Decided* game = c.game ? &decided_.at(*c.game) : nullptr;
    const bool plays = game != nullptr && game->started && game->playing[game->conns[0] == line->conn ? 0 : 1];
    if (plays || !c.honest) (plays ? c.lines : c.early).push_back(std::move(heard));
    return;
  }
  if (const auto* command = std::get_if<core::AdminLine>(&input)) {
    std::uint64_t number = 0;
    if (command->text.starts_with("resume ") &&
        std::from_chars(command->text.data() + 7, command->text.data() + command->text.size(), number).ec ==
            std::errc{}) {
      let_go_on(core::GameId{number});
    }
    return;
  }
  if (const auto* stall = std::get_if<core::Stalled>(&input)) return stood_still(*stall);
  if (std::holds_alternative<core::Stop>(input)) draining_ = stopping_ = true;
  if (std::holds_alternative<core::Drain>(input)) draining_ = true;
  if (const auto* closed = std::get_if<core::Closed>(&input)) {
    session_ends(closed->conn);
    went(closed->conn);
  }
  if (const auto* bad = std::get_if<core::BadInput>(&input)) {
    session_ends(bad->conn);
    went(bad->conn);
  }
}

void Auditor::on_disk(const core::Transaction& transaction) {
  last_on_disk_ = transaction.back().seq;
  for (const core::Journaled& row : transaction) {
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) {
      ids_[opened->csa_id] = opened->game;
    }
    if (const auto* account = std::get_if<core::AccountSet>(&row.fact)) owned_.insert(account->name);
    if (stage_.trace) stage_.trace(fmt::format("disk {} {}", core::value(row.seq), core::encode(row.fact).payload));
    add(durable_, row, false);
    mix(fmt::format("{} {}", core::value(row.seq), row.fact.index()));
  }
}

// A group of lines may begin below the limit.
void Auditor::holds(core::ConnId id, std::size_t bytes) {
  constexpr std::size_t kGroup = 64 * 1024;
  if (bytes <= stage_.scenario.limits.output_bytes + kGroup) return;
  violate(Check::limits, fmt::format("{} bytes wait for connection {}", bytes, core::value(id)));
}

void Auditor::check_secret(std::string_view text, std::string_view where) {
  if (text.find(kSecretMark) == text.npos) return;
  violate(Check::secret, fmt::format("{}: {}", where, printable(text)));
}

void Auditor::check_counters(const core::AdminResult& counters) {
  const auto count = [&](std::string_view name) {
    std::size_t number = 0;
    for (const auto& row : counters.rows) {
      if (row.at(0) == name) std::from_chars(row.at(1).data(), row.at(1).data() + row.at(1).size(), number);
    }
    return number;
  };
  const core::Limits& limits = stage_.scenario.limits;
  const std::size_t connections = count("connections");
  const std::size_t games = count("games running") + count("games paused") + count("games suspended");
  // Built-in players are not turned away.
  const bool right =
      connections <= limits.sessions + stage_.scenario.builtin &&
      count("connections before login") <= limits.unauthenticated + stage_.scenario.builtin &&
      count("lines waiting for their turn") <= 2 * games * (limits.queued_lines + 1);  // who left waits there too
  if (!right)
    violate(Check::limits, fmt::format("beyond the limits: {} connections, {} waiting lines", connections,
                                       count("lines waiting for their turn")));
}

void Auditor::check_rates(const core::GameOpened& opened) {
  const auto known = [&](const core::Seat& seat) {
    const core::PlayerRating* rating = seat.id.empty() ? nullptr : ratings_->find(seat.id);
    return rating == nullptr ? 0 : static_cast<std::int32_t>(rating->rate);
  };
  if (opened.black_rate == known(opened.black) && opened.white_rate == known(opened.white)) return;
  violate(Check::ratings, fmt::format("{} states the rates {} and {}, not {} and {}", opened.csa_id, opened.black_rate,
                                      opened.white_rate, known(opened.black), known(opened.white)));
}

void Auditor::check_ratings(const core::PlayerRatings& grown, const core::PlayerRatings& recomputed) {
  for (const auto& [id, rating] : recomputed.players) {
    const core::PlayerRating* had = grown.find(id);
    // A search that begins elsewhere may end on the other side of a whole number.
    if (had != nullptr && had->group == rating.group && std::abs(had->rate - rating.rate) <= 1) continue;
    violate(Check::ratings, fmt::format("{} has the rate {}, not {}", id, had == nullptr ? 0 : had->rate, rating.rate));
  }
}

void Auditor::crashed(const std::vector<core::Journaled>& disk) {
  last_on_disk_ = disk.empty() ? core::Seq{} : disk.back().seq;
  if (!disk.empty() && !transaction_ends_.contains(last_on_disk_)) {
    violate(Check::whole_step,
            fmt::format("after the crash the disk ends at {}, within a transaction", core::value(last_on_disk_)));
  }
  transaction_ends_.erase(transaction_ends_.upper_bound(last_on_disk_), transaction_ends_.end());
  for (const auto& [id, game] : decided_) {
    if (!game.over) stage_.marks.hit(game.started ? Mark("crash_in_game") : Mark("crash_before_agreement"));
  }
  decided_.clear();
  waiting_.clear();
  sessions_.clear();
  replaced_.clear();
  owing_.clear();
  logouts_.clear();
  for (auto& [id, c] : conns_) {
    if (c.opened_us > 0) c.over = true;  // others have dialled, and the next life of the server answers
    c.owed.clear();
    c.game.reset();
  }
  rejoining_.clear();
  continuing_.reset();
  draining_ = drained_ = stopping_ = false;
  ratings_ = std::make_shared<core::PlayerRatings>();
  durable_.clear();
  for (const core::Journaled& row : disk) add(durable_, row, false);
  revive();
}

std::size_t Auditor::unfinished() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(durable_, [](const auto& game) { return !game.second.over(); }));
}

}  // namespace fuhyo::sim
