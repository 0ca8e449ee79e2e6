// `fuhyo replay`: plays recorded games through a running server and compares what it made of them. Several games run at
// once, one thread each; the report comes at the end, in the order of the files.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/record/csa_reader.h"
#include "server/app/commands.h"
#include "server/app/replay/game.h"
#include "server/app/replay/plan.h"
#include "server/app/replay/stored_record.h"
#include "server/core/counted.h"
#include "server/net/endpoint.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string folder;
  std::string server = "127.0.0.1:4081";
  std::string records;
  unsigned jobs = 4;
  unsigned patience_s = 10;
  std::optional<unsigned> record_patience_s;
  bool verbose = false;

  std::chrono::milliseconds patience() const { return std::chrono::seconds(patience_s); }
  std::chrono::milliseconds record_patience() const {
    return std::chrono::seconds(record_patience_s.value_or(patience_s));
  }
};

enum class Verdict : std::uint8_t {
  equal,        // moves and end are those of the original
  equal_moves,  // the moves are; no rule, or another one, decides the end, and the server kept the rules
  unreadable,   // no record
  unplayable,   // a record, and no game that can be played
  differs,      // the server did not do what the rules and the record ask for
  failed,       // the game could not be played to its end
};

struct Job {
  std::string name;  // of the file, with the number of the game where it holds several
  ReplayPlan plan;
  Verdict verdict = Verdict::failed;
  std::string reason;
};

// ---- what there is to play ----

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> record_files(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file() && it->path().extension() == ".csa") files.push_back(it->path());
  }
  std::ranges::sort(files);
  return files;
}

Job job_for(std::string name, const record::Game& game) {
  auto plan = plan_replay(game);
  if (!plan) return {std::move(name), {}, Verdict::unplayable, std::move(plan.error())};
  return {std::move(name), std::move(*plan), Verdict::failed, "not played"};
}

void add_jobs(std::vector<Job>& jobs, const fs::path& path, const std::string& name) {
  const auto file = record::read_csa(read_file(path));
  if (!file) {
    jobs.push_back({name, {}, Verdict::unreadable, record::to_string(file.error())});
    return;
  }
  for (std::size_t i = 0; i < file->games.size(); ++i) {
    const std::string which = file->games.size() > 1 ? fmt::format("{}#{}", name, i + 1) : name;
    jobs.push_back(job_for(which, file->games[i].game));
  }
}

// ---- playing ----

void play(Job& job, const ServerAddresses& server, const std::string& tag, const ReplayOptions& options) {
  const auto played = play_game(server, job.plan, tag, options.patience());
  if (!played) {
    job.reason = played.error();
    return;
  }
  job.verdict = Verdict::differs;
  job.reason = difference(job.plan, *played);
  if (!job.reason.empty()) return;
  if (!options.records.empty()) {
    job.reason = stored_difference(options.records, job.plan, *played, options.record_patience());
    if (!job.reason.empty()) return;
  }
  job.verdict = job.plan.remark.empty() ? Verdict::equal : Verdict::equal_moves;
  job.reason = job.plan.remark;
}

void play_all(std::vector<Job>& jobs, const ServerAddresses& server, const ReplayOptions& options) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      if (jobs[i].verdict == Verdict::failed) play(jobs[i], server, fmt::format("r{}_{}", ::getpid(), i), options);
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(options.jobs);
  for (unsigned i = 0; i < options.jobs; ++i) threads.emplace_back(work);
}

// ---- the report ----

std::string_view heading(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal in moves and end";
    case Verdict::equal_moves:
      return "equal in moves, with an end of another kind";
    case Verdict::unreadable:
      return "no readable record";
    case Verdict::unplayable:
      return "not playable";
    case Verdict::differs:
      return "DIFFERENT";
    case Verdict::failed:
      return "FAILED";
  }
  return "";
}

int report(const std::vector<Job>& jobs, const ReplayOptions& options, double seconds) {
  std::map<Verdict, int> counts;
  std::size_t moves = 0;
  for (const Job& job : jobs) {
    ++counts[job.verdict];
    if (job.verdict <= Verdict::equal_moves) moves += job.plan.legal_moves();
    if (job.verdict == Verdict::equal && !options.verbose) continue;
    fmt::print("{}: {}{}{}\n", job.name, heading(job.verdict), job.reason.empty() ? "" : ": ", job.reason);
  }
  fmt::print("\n{}\n", core::counted(jobs.size(), "game"));
  for (const auto& [verdict, count] : counts) fmt::print("{:6} {}\n", count, heading(verdict));
  fmt::print("{} in {:.1f} s; stored records {}\n", core::counted(moves, "move"), seconds,
             options.records.empty() ? "not compared (no --records)" : "compared");
  return counts[Verdict::differs] + counts[Verdict::failed] > 0 ? kExitFailed : kExitOk;
}

int run(const ReplayOptions& options) {
  const auto server = net::resolve(options.server);
  if (!server) {
    fmt::print(stderr, "fuhyo replay: --server: {}\n", server.error());
    return kExitUsage;
  }
  std::error_code error;
  const std::vector<fs::path> files = record_files(options.folder, error);
  if (error || files.empty()) {
    fmt::print(stderr, "fuhyo replay: {}: {}\n", options.folder, error ? error.message() : "no *.csa files");
    return kExitNoInput;
  }
  if (auto reached = ReplayConnection::open(*server, options.patience()); !reached) {
    fmt::print(stderr, "fuhyo replay: {}\n", reached.error());
    return kExitUnavailable;
  }
  std::vector<Job> jobs;
  for (const fs::path& path : files) add_jobs(jobs, path, fs::relative(path, options.folder).string());
  const auto began = std::chrono::steady_clock::now();
  play_all(jobs, *server, options);
  return report(jobs, options, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

}  // namespace

Command add_replay(CLI::App& root) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* replay = manual::add_command(
      root, "replay", "Plays recorded games through a running server (started with --max-moves 0) and compares");
  replay->add_option("DIR", options->folder, "folder with *.csa files, searched with all folders below it")->required();
  replay->add_option("--server", options->server, "CSA address of the server")->capture_default_str();
  replay->add_option("--records", options->records, "records folder of that server: compares what it stored");
  replay->add_option("--jobs", options->jobs, "games at once")->check(CLI::Range(1, 32))->capture_default_str();
  replay->add_option("--patience", options->patience_s, "longest wait for a line, in seconds")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  replay->add_option("--record-patience", options->record_patience_s, "longest wait for a record [as --patience]")
      ->check(CLI::Range(0, 600));
  replay->add_flag("--verbose", options->verbose, "lists the equal games too");
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
