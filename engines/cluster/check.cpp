#include "engines/cluster/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

#include "engines/cluster/engine.h"

namespace fuhyo::cluster {
namespace {

constexpr std::int64_t kSpeedMs = 1'000, kMostMs = 30'000;
constexpr const char* kMate = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";

bool is_ready(const Measurement::Seat& seat) { return seat.member->state() == members::Member::State::ready; }

// Names of the others with whom it exchanges entries.
std::string partners_of(const Measurement::Seat& seat, const std::vector<Measurement::Seat>& seats) {
  std::string names;
  for (const Measurement::Seat& other : seats) {
    const bool partner = &other != &seat && is_ready(other) && other.role != Role::mate &&
                         other.member->table_keys() == seat.member->table_keys();
    if (partner) names += (names.empty() ? "" : ", ") + other.member->name();
  }
  return names;
}

std::string exchange_of(const Measurement::Seat& seat, const std::vector<Measurement::Seat>& seats) {
  if (!seat.member->table_keys()) return "exchanges no entries";
  const std::string partners = partners_of(seat, seats);
  return partners.empty() ? "nobody else has its keys" : "exchanges entries with " + partners;
}

std::string task_of(const Measurement::Seat& seat, bool leads) {
  if (seat.role == Role::mate) return seat.mates ? "looks for mates" : "was to look for mates, and did not find one";
  return leads ? "leads" : "searches, ponders and takes over";
}

}  // namespace

bool Measurement::look(std::int64_t now) {
  if (begun_ == 0) {
    begun_ = now;
    for (Seat& seat : seats_) {
      if (is_ready(seat)) ask(seat, now);
    }
  }
  bool waiting = false;
  for (Seat& seat : seats_) {
    if (seat.step < 2 && seat.member->answered()) take(seat, now);
    waiting = waiting || (seat.step < 2 && seat.member->asked());
  }
  if (waiting && now - begun_ < kMostMs) return false;
  for (Seat& seat : seats_) {
    if (seat.member->asked() && !seat.member->answered()) seat.member->abandon(now);
  }
  return true;
}

void Measurement::ask(Seat& seat, std::int64_t now) {
  seat.asked = now;
  if (seat.role == Role::mate) {
    // A busy machine may be slow to find it: only the end of the measurement ends this search.
    seat.member->ask(*usi::parse_position(kMate), {.mate_ms = usi::kForever}, now);
  } else if (seat.step == 0) {
    seat.member->ask(usi::Game{}, {.nodes = 1}, now);
  } else {
    seat.member->ask(usi::Game{}, {.movetime_ms = kSpeedMs}, now);
  }
}

void Measurement::take(Seat& seat, std::int64_t now) {
  const std::int64_t ms = now - seat.asked;
  if (seat.role == Role::mate) {
    seat.answer_ms = ms;
    seat.mates = seat.member->mate() && seat.member->mate()->kind == usi::Checkmate::Kind::mate;
    seat.step = 2;
  } else if (seat.step == 0) {
    seat.answer_ms = ms;
    seat.step = 1;
    ask(seat, now);
  } else {
    seat.nodes_per_s = seat.member->nodes() * 1'000 / std::max<std::int64_t>(ms, 1);
    seat.step = 2;
  }
}

std::vector<std::string> report_of(const ClusterFile& file, const std::vector<Measurement::Seat>& seats) {
  const auto leads = [](const Measurement::Seat& seat) { return is_ready(seat) && seat.role == Role::root; };
  const auto searches = [](const Measurement::Seat& seat) { return is_ready(seat) && seat.role != Role::mate; };
  auto leader = std::ranges::find_if(seats, leads);
  if (leader == seats.end()) leader = std::ranges::find_if(seats, searches);
  std::vector<std::string> lines;
  for (auto seat = seats.begin(); seat != seats.end(); ++seat) {
    const NodeSettings& node = file.nodes[static_cast<std::size_t>(seat - seats.begin())];
    std::string line = fmt::format("{} ({}, {} threads, {} MB): ", seat->member->name(), to_text(node.role),
                                   node.threads, node.memory_mb);
    if (!is_ready(*seat)) {
      lines.push_back(line + "is not ready: " + seat->member->why_off());
      continue;
    }
    line += task_of(*seat, seat == leader);
    if (seat->nodes_per_s) line += fmt::format("; {} nodes a second", *seat->nodes_per_s);
    line += seat->answer_ms ? fmt::format("; answers in {} ms", *seat->answer_ms) : "; does not answer";
    if (seat->role != Role::mate) line += "; " + exchange_of(*seat, seats);
    lines.push_back(std::move(line));
  }
  return lines;
}

int check(const std::string& file, const std::string& beside, std::ostream& out) {
  const auto settings = read_cluster_file(file, beside);
  if (!settings) {
    out << settings.error() << '\n';
    return 1;
  }
  usi::OptionTable options;
  usi::add_common_options(options);
  usi::add_time_options(options);
  members::MemberPool pool;
  const std::vector<std::string> errors = pool.get_ready(configs_of(*settings, options));
  std::vector<Measurement::Seat> seats;
  for (members::Member* const member : pool.members()) {
    seats.push_back({.member = member, .role = settings->nodes[seats.size()].role});
  }
  Measurement measurement(std::move(seats));
  std::vector<std::string> lines;
  const auto look = [&](std::int64_t now) {
    const bool over = measurement.look(now);
    if (over) lines = report_of(*settings, measurement.seats());
    return over;
  };
  pool.run({.look = look, .lines = [](std::int64_t) { return std::vector<usi::Info>(); }}, kMostMs,
           [](const usi::Info&) {});
  for (const std::string& line : lines) out << line << '\n';
  bool good = true;
  for (const std::string& error : errors) {
    if (!error.empty()) out << "Error! " << error << '\n', good = false;
  }
  return good ? 0 : 1;
}

}  // namespace fuhyo::cluster
