// `fuhyo tournament`: what a host does with an event. Without a server: its file is read back in words, tried out with
// results drawn by lot, and its tables are made of results from a file. With one: on_server.h.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/serve/host_facts.h"
#include "server/app/tournament/event_file.h"
#include "server/app/tournament/on_server.h"
#include "server/app/tournament/results_file.h"
#include "server/app/tournament/trf.h"
#include "server/core/tournament/explain.h"
#include "server/core/tournament/results.h"
#include "server/core/tournament/simulation.h"
#include "server/core/tournament/tables.h"
#include "server/core/tournaments/running_event.h"
#include "server/net/tournament/tables.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

using namespace core::tournament;

struct TournamentOptions {
  std::string file, data, config, results, format = "text", view = "usual", language = "en", division, output, save,
                                           record_link;
  int entrants = 0;
  std::uint64_t seed = 1;
  double spread = 600;
  Chances chances;
};

Language language_of(const TournamentOptions& options) {
  return options.language == "ja" ? Language::ja : Language::en;
}

int fail(const std::string& text, int code) {
  fmt::print(stderr, "{}", text);
  return code;
}

// Those that are formed and wanted; nothing is formed yet: none.
std::vector<DivisionKey> divisions_of(const Event& event, const EventState& state, const TournamentOptions& options) {
  std::vector<DivisionKey> keys;
  for (int stage = 0; stage < static_cast<int>(event.stages.size()); ++stage) {
    const auto& divisions = event.stages[static_cast<std::size_t>(stage)].divisions;
    for (int division = 0; division < static_cast<int>(divisions.size()); ++division) {
      const std::string& name = divisions[static_cast<std::size_t>(division)].name;
      const bool wanted = options.division.empty() || options.division == name;
      if (wanted && state.is_formed({stage, division})) keys.push_back({stage, division});
    }
  }
  return keys;
}

std::string render(const std::vector<Table>& tables, const TournamentOptions& options) {
  const Language language = language_of(options);
  if (options.format == "html") return net::tables_html(tables, language, options.record_link);
  std::string text;
  for (const Table& table : tables) {
    const View view = options.view == "usual"   ? usual_view(table.format)
                      : options.view == "cross" ? View::cross
                                                : View::rounds;
    if (options.format == "json") {
      text += net::table_json(table) + "\n";
    } else if (options.format == "csv") {
      text += net::table_csv(table, view, language);
    } else {
      text += (text.empty() ? "" : "\n") + table_text(table, view, language);
    }
  }
  return text;
}

int write_out(const std::string& text, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}", text);
    return kExitOk;
  }
  if (const auto written = store::replace_file(path, text); !written) {
    return fail(fmt::format("fuhyo tournament: {}\n", written.error()), kExitCannotCreate);
  }
  return kExitOk;
}

int show(const Event& event, const EventState& state, const TournamentOptions& options) {
  const std::vector<DivisionKey> divisions = divisions_of(event, state, options);
  if (divisions.empty()) {
    const std::string_view of = options.division.empty() ? event.name : options.division;
    return fail(fmt::format("fuhyo tournament: there is no table of '{}' yet\n", of), kExitUsage);
  }
  if (divisions.size() > 1 && (options.format == "csv" || options.format == "trf")) {
    return fail("fuhyo tournament: a file of CSV or TRF holds one table: which --division?\n", kExitUsage);
  }
  if (options.format == "trf") {
    const auto text = trf_text(event, state, divisions.front());
    return text ? write_out(*text, options.output)
                : fail(fmt::format("fuhyo tournament: {}\n", text.error()), kExitFailed);
  }
  std::vector<Table> tables;
  for (const DivisionKey division : divisions) tables.push_back(table_of(event, state, division));
  return write_out(render(tables, options), options.output);
}

// What of an event this program's server does not hold, as a line; empty: nothing.
std::string refusal_of_server(const std::string& file) {
  constexpr std::size_t kMostName = 32;
  const auto text = read_small_file(file, kMostEventBytes);
  const auto settings = text ? settings_of_toml(*text) : std::vector<core::tournament::Setting>{};
  if (!settings) return {};
  const auto event = core::read_stored_event(settings_text(*settings), kMostName);
  return event ? std::string() : fmt::format("`fuhyo serve` does not run it: {}\n", event.error());
}

int too_many(const Event& event, const TournamentOptions& options) {
  if (static_cast<std::size_t>(options.entrants) <= event.entry.most) return kExitOk;
  return fail(fmt::format("fuhyo tournament: there is room for {} (entry.max)\n", event.entry.most), kExitUsage);
}

int check_file(const TournamentOptions& options) {
  const auto event = read_event_file(options.file);
  if (!event) return fail(event.error(), kExitFailed);
  if (const int code = too_many(*event, options); code != kExitOk) return code;
  const auto entrants = options.entrants == 0 ? most_entrants(*event) : static_cast<std::size_t>(options.entrants);
  const core::Wall now = wall_now();
  const std::string text = explain(*event, entrants, language_of(options), local_time_zone(now), now);
  return write_out(text + refusal_of_server(options.file), options.output);
}

int make_table(const TournamentOptions& options) {
  if (options.results.empty()) {
    const auto running = event_of_server(options.data, options.config, options.file);
    if (!running) return fail(fmt::format("fuhyo tournament: {}\n", running.error()), kExitFailed);
    return show(running->event(), running->state(), options);
  }
  const auto event = read_event_file(options.file);
  if (!event) return fail(event.error(), kExitFailed);
  const auto rows = read_results_file(options.results);
  if (!rows) return fail(rows.error(), kExitNoInput);
  const auto decisions = decisions_of(*event, *rows);
  if (!decisions) return fail(problems_text(options.results, decisions.error()), kExitFailed);
  EventState state(*event);
  for (const Decision& decision : *decisions) state.apply(decision);
  return show(*event, state, options);
}

int list_entrants(const TournamentOptions& options) {
  const auto text = read_small_file(options.file, kMostResultBytes);
  if (!text) return fail(text.error() + "\n", kExitNoInput);
  const auto toml = trf_entrants(*text);
  if (!toml) return fail(problems_text(options.file, toml.error()), kExitFailed);
  return write_out(*toml, options.output);
}

// Fills up with players of evenly spaced strength.
void fill(Event& event, const TournamentOptions& options) {
  const auto wanted = static_cast<std::size_t>(options.entrants);
  if (wanted == 0) return;
  if (event.entrants.size() > wanted) event.entrants.resize(wanted);
  constexpr double kMiddle = 2000;
  for (std::size_t i = event.entrants.size(); i < wanted; ++i) {
    const double place = wanted < 2 ? 0 : static_cast<double>(i) / static_cast<double>(wanted - 1);
    const double rate = kMiddle + options.spread * (0.5 - place);
    event.entrants.push_back(
        {.player = fmt::format("player{:02}", i + 1), .title = {}, .seed = 0, .rate = static_cast<int>(rate)});
  }
}

int simulate(const TournamentOptions& options) {
  auto event = read_event_file(options.file);
  if (!event) return fail(event.error(), kExitFailed);
  if (const int code = too_many(*event, options); code != kExitOk) return code;
  fill(*event, options);
  if (event->entrants.empty()) return fail("fuhyo tournament: who plays? --entrants N\n", kExitUsage);
  Simulation simulation(*event, {}, options.chances, options.seed);
  while (simulation.step()) continue;
  if (!options.save.empty()) {
    const auto rows = rows_of(*event, simulation.decisions());
    if (const int code = write_out(results_csv(rows), options.save); code != kExitOk) return code;
  }
  if (const int code = show(*event, simulation.state(), options); code != kExitOk) return code;
  if (!simulation.stuck()) return kExitOk;
  return fail(fmt::format("it does not go on: {}\n", to_string(*simulation.stuck())), kExitFailed);
}

void add_file(CLI::App& command, TournamentOptions& options) {
  command.add_option("FILE", options.file, "the event (docs/tournaments.md)")->required();
  command.add_option("--lang", options.language, "en or ja")->check(CLI::IsMember({"en", "ja"}))->capture_default_str();
  command.add_option("--output", options.output, "into this file instead of standard output")->type_name("FILE");
}

void add_table_options(CLI::App& command, TournamentOptions& options) {
  command
      .add_option("--format", options.format,
                  "text, csv, html (one page of all tables), json (a line a table), trf (FIDE's report)")
      ->check(CLI::IsMember({"text", "csv", "html", "json", "trf"}))
      ->capture_default_str();
  command.add_option("--view", options.view, "columns are rounds, or opponents (cross); usual: as the format has it")
      ->check(CLI::IsMember({"usual", "rounds", "cross"}))
      ->capture_default_str();
  command.add_option("--division", options.division, "this one only")->type_name("NAME");
  command.add_option("--record-link", options.record_link, "html: games link to this and the id of their record")
      ->type_name("URL");
}

void add_simulation_options(CLI::App& command, TournamentOptions& options) {
  const auto share = CLI::Range(0.0, 1.0);
  command.add_option("--entrants", options.entrants, "so many play; those of the file first")
      ->check(CLI::Range(2, static_cast<int>(kMostEntrants)));
  command.add_option("--seed", options.seed, "the same seed, the same event")->capture_default_str();
  command.add_option("--spread", options.spread, "points of rating from the strongest to the weakest who is made up")
      ->check(CLI::Range(0.0, 10'000.0))
      ->capture_default_str();
  command.add_option("--draws", options.chances.draws, "share of games")->check(share)->capture_default_str();
  command.add_option("--forfeits", options.chances.forfeits, "share of games")->check(share)->capture_default_str();
  command.add_option("--crashes", options.chances.crashes, "share of games")->check(share)->capture_default_str();
  command.add_option("--save-results", options.save, "writes the results as a CSV file for `fuhyo tournament table`")
      ->type_name("FILE");
}

}  // namespace

Command add_tournament(CLI::App& root) {
  auto options = std::make_shared<TournamentOptions>();
  CLI::App* tournament = manual::add_command(root, "tournament", "Checks, tries out, tabulates and runs tournaments");
  tournament->require_subcommand(1);
  CLI::App* check =
      manual::add_command(*tournament, "check", "Says in words what a file means, or what is wrong with it");
  add_file(*check, *options);
  check->add_option("--entrants", options->entrants, "computed for so many; without it for as many as may play")
      ->check(CLI::Range(2, static_cast<int>(kMostEntrants)));
  CLI::App* table = manual::add_command(
      *tournament, "table", "Makes the tables of an event from a file of results, or asks the running server for one");
  add_file(*table, *options);
  table
      ->add_option("--results", options->results,
                   "results, .csv, .jsonl or .trf; without them FILE is the name of an event of the server")
      ->type_name("FILE");
  table->add_option("--data", options->data, "the data folder of the server")->type_name("DIR");
  table->add_option("--config", options->config, "its configuration")->type_name("FILE");
  add_table_options(*table, *options);
  CLI::App* trial = manual::add_command(*tournament, "simulate", "Plays an event with results drawn by strength");
  add_file(*trial, *options);
  add_table_options(*trial, *options);
  add_simulation_options(*trial, *options);
  CLI::App* entrants = manual::add_command(*tournament, "entrants",
                                           "Writes the players of FIDE's report (TRF) as [[entrant]] of an event file");
  entrants->add_option("FILE", options->file, "the report, .trf")->required();
  entrants->add_option("--output", options->output, "into this file instead of standard output")->type_name("FILE");
  const Command on_server = add_server_tournament(*tournament);
  return [options, check, table, entrants, on_server] {
    if (const int code = on_server(); code >= 0) return code;
    if (check->parsed()) return check_file(*options);
    if (entrants->parsed()) return list_entrants(*options);
    return table->parsed() ? make_table(*options) : simulate(*options);
  };
}

}  // namespace fuhyo::app
