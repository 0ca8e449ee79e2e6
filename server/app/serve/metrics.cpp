#include "server/app/serve/metrics.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "server/net/metrics_text.h"

namespace fuhyo::app {
namespace {

using net::MetricsText;
using enum MetricsText::Kind;

const std::chrono::system_clock::time_point kStart = std::chrono::system_clock::now();

// In the order of core::EndKind.
constexpr std::array<std::string_view, 13> kEnds = {
    "toryo",      "abnormal",   "time_up",         "kachi",     "illegal_kachi", "illegal_move", "oute_kaihimore",
    "uchifuzume", "sennichite", "oute_sennichite", "max_moves", "chudan",        "adjudicated"};
static_assert(kEnds.size() == std::tuple_size_v<decltype(NodeFigures::ended)>);

// As a label. In all other states nobody can play with it: "away".
constexpr std::array<std::pair<core::EngineState, std::string_view>, 3> kEngineStates = {
    {{core::EngineState::plays, "playing"},
     {core::EngineState::in_the_lobby, "waiting"},
     {core::EngineState::waits_for_a_seat, "no_seat"}}};

template <class Word, std::size_t size>
void words(MetricsText& text, std::string_view label, const std::array<std::uint64_t, size>& values) {
  for (std::size_t i = 0; i < size; ++i) text.value(values[i], {{label, to_string(static_cast<Word>(i))}});
}

void people(MetricsText& text, const core::Figures& f) {
  text.family("fuhyo_sessions", gauge, "Connections to the CSA ports, and built-in players, by what they do.");
  words<core::SessionState>(text, "state", f.sessions);
  text.family("fuhyo_logins_total", counter, "Logins since the start.").value(f.logins);
  text.family("fuhyo_refusals_total", counter, "Who was not let in, or was cut off, by cause.");
  words<core::Refusal>(text, "cause", f.refused);
}

void games(MetricsText& text, const GameFigures& f) {
  text.family("fuhyo_rooms", gauge, "Rooms besides the main one.").value(f.core.rooms);
  text.family("fuhyo_games", gauge, "Games by how they stand.")
      .value(f.core.games_agreeing, {{"state", "agreeing"}})
      .value(f.core.games_running, {{"state", "running"}})
      .value(f.core.games_paused, {{"state", "paused"}})
      .value(f.core.games_suspended, {{"state", "suspended"}});
  text.family("fuhyo_accepts_games", gauge, "1 where new games may begin; 0 while draining or with the file STOP.")
      .value(std::uint64_t{f.core.takes_games ? 1U : 0U});
  text.family("fuhyo_pairings_total", counter, "Games that two players were given, by what paired them.");
  words<core::PairedBy>(text, "by", f.core.paired);
  text.family("fuhyo_pairing_wait_seconds", histogram, "How long players at sockets had waited for their game.")
      .histogram(f.core.waited);
  text.family("fuhyo_rounds_total", counter, "Floodgate rounds held.").value(f.node.rounds);
  text.family("fuhyo_games_ended_total", counter, "Games that ended, by how.");
  for (std::size_t i = 0; i < kEnds.size(); ++i) text.value(f.node.ended[i], {{"end", kEnds[i]}});
}

void delays(MetricsText& text, const GameFigures& f) {
  text.family("fuhyo_move_echo_seconds", histogram,
              "From the arrival of a move to its hand-over to the opponent's connection, the disk included.")
      .histogram(f.moves.socket, {{"to", "socket"}})
      .histogram(f.moves.builtin, {{"to", "builtin"}});
  text.family("fuhyo_move_charged_seconds", histogram, "The part of it that the opponent's clock had run already.")
      .histogram(f.moves.on_clock);
  text.family("fuhyo_journal_delay_seconds", histogram, "From giving rows to the journal to knowing them durable.")
      .histogram(f.node.journal);
  text.family("fuhyo_journal_rows_total", counter, "Rows committed since the start.").value(f.journal.rows);
  text.family("fuhyo_journal_commits_total", counter, "Commits since the start.").value(f.journal.commits);
  text.family("fuhyo_journal_failures_total", counter, "Commits that failed and were tried again.")
      .value(f.journal.failures);
  text.family("fuhyo_records_up", gauge, "0 while record files cannot be written.")
      .value(std::uint64_t{f.records_up ? 1U : 0U});
  text.family("fuhyo_loop_stalls_total", counter, "Turns of the event loop that came more than a second late.")
      .value(f.stalls);
}

void queues(MetricsText& text, const GameFigures& f) {
  text.family("fuhyo_queue_length", gauge, "What waits, by queue.")
      .value(f.core.lines, {{"queue", "lines"}})
      .value(f.node.waiting_rows, {{"queue", "journal"}})
      .value(f.password_queue, {{"queue", "passwords"}})
      .value(static_cast<std::uint64_t>(f.seats.waiting), {{"queue", "seats"}})
      .value(f.core.restarts, {{"queue", "restarts"}});
  text.family("fuhyo_slow_readers_total", counter, "Connections given up because too much output waited for them.")
      .value(f.node.slow_readers);
}

void engines(MetricsText& text, const GameFigures& f) {
  text.family("fuhyo_engines", gauge, "Built-in players, those of workers included, by what they do.");
  std::uint64_t away = 0;
  for (const auto& [state, count] : f.engines) away += count;
  for (const auto& [state, label] : kEngineStates) {
    const auto found = f.engines.find(state);
    const std::uint64_t count = found == f.engines.end() ? 0 : found->second;
    away -= count;
    text.value(count, {{"state", label}});
  }
  text.value(away, {{"state", "away"}});
  text.family("fuhyo_engine_threads", gauge, "Threads that engines of this machine may think with, and those in use.")
      .value(static_cast<std::uint64_t>(f.seats.capacity), {{"state", "all"}})
      .value(static_cast<std::uint64_t>(f.seats.taken), {{"state", "taken"}});
  text.family("fuhyo_workers", gauge, "Machines that lend engines.")
      .value(f.workers_connected, {{"state", "connected"}})
      .value(f.workers_away, {{"state", "away"}});
}

std::uint64_t open_files() {
  std::error_code error;
  std::uint64_t count = 0;
  for (std::filesystem::directory_iterator it("/proc/self/fd", error), end; !error && it != end; it.increment(error)) {
    ++count;
  }
  return count;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

std::string game_metrics(const GameFigures& f) {
  MetricsText text;
  people(text, f.core);
  games(text, f);
  delays(text, f);
  queues(text, f);
  engines(text, f);
  text.family("fuhyo_tls_certificate_left_seconds", gauge,
              "Until the TLS certificate ends, in whole days; absent without one.");
  if (f.tls_ends_in_s) text.value(static_cast<double>(*f.tls_ends_in_s));
  return text.take();
}

std::string process_metrics() {
  rusage usage{};
  static_cast<void>(::getrusage(RUSAGE_SELF, &usage));
  rlimit files{};
  static_cast<void>(::getrlimit(RLIMIT_NOFILE, &files));
  std::uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  MetricsText text;
  text.family("fuhyo_build_info", gauge, "1, with the version of the program.")
      .value(std::uint64_t{1}, {{"version", FUHYO_VERSION}});
  text.family("process_cpu_seconds_total", counter, "Processor time of the server, without its engines.")
      .value(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  text.family("process_resident_memory_bytes", gauge, "Memory of the server, without its engines.")
      .value(resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
  text.family("process_open_fds", gauge, "Open files and sockets.").value(open_files());
  text.family("process_max_fds", gauge, "Files and sockets that may be open.")
      .value(static_cast<std::uint64_t>(files.rlim_cur));
  text.family("process_start_time_seconds", gauge, "When the server started, since 1970.")
      .value(std::chrono::duration<double>(kStart.time_since_epoch()).count());
  return text.take();
}

void MetricsBoard::show(GameFigures figures) {
  auto fresh = std::make_shared<const GameFigures>(std::move(figures));
  const std::lock_guard lock(mutex_);
  figures_.swap(fresh);
}

std::string MetricsBoard::text() const {
  std::shared_ptr<const GameFigures> figures;
  {
    const std::lock_guard lock(mutex_);
    figures = figures_;
  }
  return (figures ? game_metrics(*figures) : std::string()) + process_metrics();
}

}  // namespace fuhyo::app
