#include "engines/usi/loop.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "engines/record/csa_move.h"
#include "engines/shogi/perft.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/background.h"
#include "engines/usi/bench.h"
#include "engines/usi/common_options.h"
#include "engines/usi/help.h"
#include "engines/usi/info_printer.h"
#include "engines/usi/levels.h"
#include "engines/usi/option_file.h"
#include "engines/usi/output.h"
#include "engines/usi/table_exchange.h"
#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

using namespace std::chrono_literals;

constexpr int kDeepestPerft = 12;
constexpr int kUsageError = 64;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// While "isready" takes long, an empty line now and then keeps impatient GUIs from giving up (YaneuraOu does so).
constexpr auto kSignOfLife = 5s;
// What "bench" works with, unless somebody has set them: its node signature is to identify the program, not the
// machine.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kBenchOptions = {
    {{"Threads", "1"}, {"USI_Hash", "64"}}};

bool is_limited(const GoLimits& given, const OptionTable& options) {
  const GoLimits limits = with_limits(given, common_options(options));
  if (options.find("Level") != nullptr && level_of(options, limits) != 0) return true;
  return limits.timed || limits.movetime_ms || limits.nodes || limits.depth || limits.mate_ms;
}

// What is known of a "go" that cannot be read: what is to be answered, and when.
GoLimits manner_of(std::string_view rest) {
  GoLimits limits;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word == "mate") return {.mate_ms = 0};
    if (word == "infinite") limits.infinite = true;
    if (word == "ponder") limits.ponder = true;
  }
  return limits;
}

// Limits that leave nothing to search count as the least that does, and moves that are none are nobody's to choose:
// what there is to say about it.
std::vector<std::string> mend(GoLimits& limits, std::string_view said, const shogi::Position& root) {
  std::vector<std::string> notes;
  const auto at_least_one = [&](auto& limit, std::string_view name) {
    if (!limit || *limit > 0) return;
    limit = 1;
    notes.push_back("go: " + std::string(name) + " must be 1 at least, and is taken for that");
  };
  at_least_one(limits.depth, "depth");
  at_least_one(limits.nodes, "nodes");
  const auto none = [&](shogi::Move move) { return !root.is_legal(move); };
  if (said.contains("searchmoves") && std::ranges::all_of(limits.searchmoves, none)) {
    notes.emplace_back("go: none of the searchmoves is a legal move");
  }
  return notes;
}

// What follows "setoption".
std::string setting_of(std::string_view name, std::string_view value) {
  return "name " + std::string(name) + " value " + std::string(value);
}

std::string left_over(std::string_view word) {
  return "'" + std::string(word.substr(0, 80)) +
         "' is no option=value, and nothing is set: a value with blanks wants setoption name NAME value VALUE";
}

class Loop {
 public:
  Loop(Engine& engine, std::ostream& out) : engine_(engine), exchange_(engine.table_exchange()), out_(out) {
    if (exchange_ != nullptr) exchange_->print_to([this](std::string_view line) { out_.line(line); });
  }
  ~Loop() {
    finish_search();
    if (exchange_ != nullptr) exchange_->print_to({});
  }

  // Options of a file, before anything else is read.
  void read_options(const std::filesystem::path& file);
  // False: quit.
  bool command(std::string_view line);
  bool all_known() const { return all_known_; }  // commands so far
  // Waits for the search in progress, unless only a further command can end it. False: it can.
  bool finish();
  // Command by command, until one says "quit", or there are no more: then a search that ends by itself may do so.
  void read(std::istream& in);

 private:
  struct Search {
    Search(const GoLimits& limits, bool has_limit)
        : control(limits.ponder), endless(limits.infinite), limited(has_limit) {}
    bool may_answer() const { return control.stopped() || (!endless && !control.pondering()); }
    // Without a further command.
    bool will_end() const { return answered || control.stopped() || (limited && may_answer()); }
    SearchControl control;
    const bool endless;  // its answer is wanted after "stop"
    const bool limited;  // by anything
    std::mutex mutex;
    std::condition_variable released;
    bool elsewhere = false;           // what is being searched is not the position to move in
    std::optional<GoLimits> changed;  // by "ponderhit btime ..."
    std::atomic<bool> answered = false;
  };

  void usi();
  void isready();
  void setoption(std::string_view rest);
  void position(std::string_view rest);
  void go(std::string_view rest);
  void refuse(const GoLimits& limits);
  void think(const Game& game, const GoLimits& limits, Search& search);
  SearchResult search_once(const Game& game, const GoLimits& limits, Search& search);
  void solve_mate(const Game& game, const GoLimits& limits, Search& search);
  void answer(Search& search, const std::string& line);
  void stop();
  void ponderhit(std::string_view rest);
  bool searching();
  void become_idle();
  void finish_search();
  void set_what_waited();
  bool get_ready();
  void getoption(std::string_view rest);
  void help(std::string_view rest);
  bool short_option(std::string_view name, std::string_view rest);
  bool assignments(std::string_view line);
  void perft(std::string_view rest);
  void display();
  void eval();
  void run_bench(std::string_view rest);
  bool extra(std::string_view word, std::string_view rest);

  Engine& engine_;
  TableExchange* const exchange_;  // or null
  Output out_;
  Background worker_;
  std::expected<Game, std::string> game_ = Game{};
  std::unique_ptr<Search> search_;  // of the newest "go"
  bool ready_ = false, all_known_ = true;
  std::vector<std::string> notes_;  // to be told when the engine gets ready
  std::vector<std::string> later_;  // "setoption"s that came during a search
};

bool Loop::command(std::string_view line) {
  out_.heard(line);
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (!searching()) set_what_waited();
  std::string_view rest = line;
  const std::string_view word = next_word(rest);
  if (word.empty()) return true;
  if (word == "quit") return false;
  if (word == "usi") {
    usi();
  } else if (word == "isready") {
    isready();
  } else if (word == "setoption") {
    setoption(rest);
  } else if (word == "usinewgame") {
    become_idle();
    engine_.new_game();
  } else if (word == "position") {
    position(rest);
  } else if (word == "go") {
    go(rest);
  } else if (word == "stop" || word == "gameover") {
    stop();  // some GUIs send "gameover" to a pondering engine without "stop"
  } else if (word == "ponderhit") {
    ponderhit(rest);
  } else if (word == "tt" && exchange_ != nullptr) {
    exchange_->hear(rest);
  } else if (word == "wait") {
    finish();
  } else if (!extra(word, rest) && !assignments(line) && !short_option(word, rest)) {
    all_known_ = false;
    out_.note("unknown command '" + std::string(word.substr(0, 80)) + "'");
  }
  return true;
}

void Loop::usi() {
  out_.line("id name " + engine_.name());
  out_.line("id author " + engine_.author());
  for (const std::string& declaration : engine_.options().declarations()) out_.line(declaration);
  out_.line("usiok");
}

void Loop::isready() {
  if (searching()) return out_.line("readyok");  // as it must have been
  finish_search();
  std::expected<void, std::string> result;
  // A game may begin with "go" right after this, so what the last one left is cleared here, before its clock runs.
  worker_.start([&] {
    result = engine_.get_ready();
    if (result) engine_.new_game();
  });
  while (!worker_.wait_for(kSignOfLife)) out_.line("");
  for (const std::string& note : std::exchange(notes_, {})) out_.note(note);
  if (!result) {
    out_.note("Error! " + result.error());
    return;
  }
  ready_ = true;
  for (const std::string& note : engine_.ready_notes()) out_.note(note);
  if (exchange_ != nullptr) exchange_->say_keys();
  out_.line("readyok");
}

void Loop::setoption(std::string_view rest) {
  if (searching()) {
    if (!search_->will_end()) return out_.note("setoption is ignored while a search runs");
    later_.emplace_back(rest);
    return;
  }
  worker_.wait();  // a search that was stopped, or has answered, a moment ago
  if (peek_word(rest) == "name") next_word(rest);
  const std::string_view name = next_word(rest);
  if (peek_word(rest) == "value") next_word(rest);
  const auto changed = engine_.options().set(name, trim(rest));
  // GUIs send USI_Ponder and USI_Hash to every engine, declared or not.
  if (!changed && (!name.starts_with("USI_") || engine_.options().find(name) != nullptr)) out_.note(changed.error());
  if (const std::string& file = engine_.options().text("DebugLogFile"); !out_.log_to(file)) {
    out_.note("DebugLogFile: '" + file + "' cannot be written");
  }
  ready_ = false;
}

// "Threads 2", "Threads = 2", and "Threads" alone to see it.
bool Loop::short_option(std::string_view name, std::string_view rest) {
  if (engine_.options().find(name) == nullptr) return false;
  std::string_view value = trim(rest);
  if (value.starts_with('=')) value = trim(value.substr(1));
  if (value.empty()) {
    getoption(name);
  } else {
    setoption(setting_of(name, value));
  }
  return true;
}

// "Threads=2 MultiPV=3": all of them, or none.
bool Loop::assignments(std::string_view line) {
  std::vector<std::string> settings;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    if (equals == std::string_view::npos || engine_.options().find(name) == nullptr) {
      if (!settings.empty()) out_.note(left_over(word));
      return !settings.empty();
    }
    settings.push_back(setting_of(name, word.substr(equals + 1)));
  }
  for (const std::string& setting : settings) setoption(setting);
  return true;
}

void Loop::set_what_waited() {
  for (const std::string& rest : std::exchange(later_, {})) setoption(rest);
}

void Loop::getoption(std::string_view rest) {
  finish();
  const std::string_view wanted = next_word(rest);
  if (!wanted.empty() && engine_.options().find(wanted) == nullptr) {
    out_.note("no option named '" + std::string(wanted) + "'");
    return;
  }
  const OptionTable::Option* const only = wanted.empty() ? nullptr : engine_.options().find(wanted);
  for (const OptionTable::Option& option : engine_.options().all()) {
    if (only == nullptr || only == &option) out_.line(option.name + " = " + option.value);
  }
}

void Loop::help(std::string_view rest) {
  const char* locale = std::getenv("LC_ALL");
  if (locale == nullptr || *locale == 0) locale = std::getenv("LANG");
  if (trim(rest) == "page") {
    out_.line(options_page(engine_.options()));
    return;
  }
  for (const std::string& line : help_lines(engine_.options(), rest, language_of(locale))) out_.line(line);
}

void Loop::position(std::string_view rest) {
  game_ = parse_position(rest);
  if (!game_) out_.note("Error! " + game_.error());
}

void Loop::go(std::string_view rest) {
  become_idle();
  if (exchange_ != nullptr) exchange_->begin_search();
  auto limits = parse_go(rest);
  if (!limits) out_.note("Error! " + limits.error());
  if (!limits || !game_) return refuse(limits ? *limits : manner_of(rest));
  for (const std::string& note : mend(*limits, rest, game_->current())) out_.note(note);
  const bool mate = limits->mate_ms.has_value();
  search_ = std::make_unique<Search>(*limits, is_limited(*limits, engine_.options()));
  search_->elsewhere = limits->ponder && !mate && !game_->moves.empty() && engine_.options().check("Stochastic_Ponder");
  worker_.start([this, mate, game = *game_, given = *limits, &search = *search_] {
    if (mate) {
      solve_mate(game, given, search);
    } else {
      think(game, given, search);
    }
  });
}

// There is nothing to search, and still one answer to give, when it is wanted.
void Loop::refuse(const GoLimits& limits) {
  if (limits.mate_ms) return out_.line(to_text(Checkmate{.kind = Checkmate::Kind::timeout}));
  search_ = std::make_unique<Search>(limits, true);
  worker_.start([this, &search = *search_] { answer(search, to_text(BestMove{})); });
}

// Once whoever ponders or analyses wants it.
void Loop::answer(Search& search, const std::string& line) {
  std::unique_lock lock(search.mutex);
  search.released.wait(lock, [&] { return search.may_answer(); });
  lock.unlock();
  if (exchange_ != nullptr) exchange_->tell();
  search.answered = true;
  out_.line(line);
}

void Loop::solve_mate(const Game& game, const GoLimits& limits, Search& search) {
  const auto report = [this](const Info& info) { out_.line(to_text(info)); };
  const Checkmate answer = engine_.solve_mate(game, limits, search.control, report);
  search.answered = true;
  out_.line(to_text(answer));
}

SearchResult Loop::search_once(const Game& game, const GoLimits& limits, Search& search) {
  const CommonOptions options = common_options(engine_.options());
  const bool all = limits.infinite || options.consideration;
  InfoPrinter printer({.interval_ms = all ? 0 : options.pv_interval_ms, .wdl = options.show_wdl},
                      [this](std::string_view line) { out_.line(line); });
  // What a book knows is known at once, and told whole.
  SearchResult result{.best = engine_.book_move(game, limits, [this](const Info& info) { out_.line(to_text(info)); })};
  if (result.best.kind != BestMove::Kind::resign) return result;
  result = engine_.search(game, with_limits(limits, options), search.control,
                          [&](const Info& info) { printer.report(info); });
  // Whoever waits for a hit or for the end wants to see what there is.
  if (!search.control.restarting()) printer.finish();
  if (!all && result.best.kind == BestMove::Kind::move && result.score && resigns(*result.score, options)) {
    out_.note("resigns, as ResignValue says");
    result.best = {};
  }
  return result;
}

void Loop::think(const Game& game, const GoLimits& limits, Search& search) {
  if (!ready_ && !get_ready()) return answer(search, to_text(BestMove{}));
  ready_ = true;
  Game before = game;
  if (search.elsewhere) before.moves.pop_back();
  // The position before his move is his to move in: our clock says nothing about it.
  GoLimits at_first = limits;
  if (search.elsewhere) at_first.timed = false, at_first.infinite = true;
  SearchResult result = search_once(before, at_first, search);
  std::unique_lock lock(search.mutex);
  search.released.wait(lock, [&] { return search.may_answer(); });
  if (search.control.restarting()) {
    search.control.begin_again();
    GoLimits now = search.changed.value_or(limits);
    lock.unlock();
    now.ponder = false;
    result = search_once(game, now, search);
    lock.lock();
  }
  lock.unlock();
  answer(search, to_text(result.best));
}

void Loop::stop() {
  if (!search_) return;
  {
    const std::lock_guard lock(search_->mutex);
    search_->control.stop();
  }
  search_->released.notify_all();
}

// ShogiHome says "go ponder" before it knows the clocks, and tells them with the hit.
void Loop::ponderhit(std::string_view rest) {
  if (!search_ || !search_->control.pondering()) return;
  auto limits = parse_go(rest);
  if (!limits) out_.note("Error! " + limits.error());
  {
    const std::lock_guard lock(search_->mutex);
    const bool told = limits && limits->timed;
    if (told) search_->changed = *std::move(limits);
    if (told || search_->elsewhere) {
      search_->control.restart();
    } else {
      search_->control.ponderhit();
    }
  }
  search_->released.notify_all();
}

// A search that has neither answered nor been told to end.
bool Loop::searching() { return worker_.busy() && search_ && !search_->control.stopped() && !search_->answered; }

// For a command that needs the engine for itself.
void Loop::become_idle() {
  if (!finish()) finish_search();
  set_what_waited();
}

void Loop::finish_search() {
  stop();
  worker_.wait();
}

bool Loop::finish() {
  if (search_ && !search_->will_end()) return false;
  worker_.wait();
  set_what_waited();
  return true;
}

void Loop::read(std::istream& in) {
  for (std::string line; std::getline(in, line);) {
    if (!command(line)) return;
  }
  if (search_ && !search_->will_end()) return;
  // An empty line now and then finds out whether anybody still listens.
  while (!worker_.wait_for(kSignOfLife) && out_.intact()) out_.line("");
}

void Loop::read_options(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (in) notes_ = read_option_file(engine_.options(), in);
  if (!out_.log_to(engine_.options().text("DebugLogFile"))) notes_.emplace_back("DebugLogFile cannot be written");
}

bool Loop::get_ready() {
  for (const std::string& note : std::exchange(notes_, {})) out_.note(note);
  const auto result = engine_.get_ready();
  if (!result) out_.note("Error! " + result.error());
  return result.has_value();
}

bool Loop::extra(std::string_view word, std::string_view rest) {
  if (word == "help" || word == "getoption") {
    word == "help" ? help(rest) : getoption(rest);
    return true;
  }
  if (word != "perft" && word != "d" && word != "eval" && word != "bench") return false;
  become_idle();
  if (word == "bench") {
    run_bench(rest);
  } else if (!game_) {
    out_.note("Error! " + game_.error());
  } else if (word == "perft") {
    perft(rest);
  } else if (word == "d") {
    display();
  } else {
    eval();
  }
  return true;
}

void Loop::perft(std::string_view rest) {
  const auto depth = to_integer(next_word(rest));
  if (!depth || *depth < 1 || *depth > kDeepestPerft) {
    out_.note("perft: a depth from 1 to " + std::to_string(kDeepestPerft) + " expected");
    return;
  }
  const SearchControl watch;
  std::uint64_t total = 0;
  shogi::Position root = game_->current();
  for (const auto& [move, nodes] : shogi::perft_divide(root, static_cast<int>(*depth))) {
    out_.line(shogi::to_usi(move) + ": " + std::to_string(nodes));
    total += nodes;
  }
  const std::int64_t time_ms = watch.elapsed_ms();
  out_.line("nodes: " + std::to_string(total));
  out_.line("time: " + std::to_string(time_ms) + " ms");
}

void Loop::display() {
  const shogi::Position position = game_->current();
  std::string board = record::csa_board(position);
  if (board.ends_with('\n')) board.pop_back();
  out_.line(board);
  out_.line("sfen " + position.sfen());
  if (position.in_check()) out_.line("in check");
}

void Loop::eval() {
  if (!get_ready()) return;
  for (const std::string& line : engine_.eval_lines(game_->current())) out_.line(line);
}

void Loop::run_bench(std::string_view rest) {
  OptionTable& options = engine_.options();
  const OptionTable before = options;
  for (const auto& [name, value] : kBenchOptions) {
    if (const auto* option = options.find(name); option != nullptr && !option->chosen) {
      static_cast<void>(options.set(name, value));
    }
  }
  const bool able = get_ready();
  options = before;
  ready_ = false;
  if (!able) return;
  if (exchange_ != nullptr) exchange_->begin_search();
  GoLimits limits = engine_.bench_limits();
  if (const auto limit = to_integer(next_word(rest)); limit && *limit > 0) {
    limits = limits.nodes ? GoLimits{.nodes = *limit} : GoLimits{.depth = static_cast<int>(*limit)};
  }
  const BenchResult total = bench(engine_, limits, [this](std::string_view line) { out_.line(line); });
  out_.line("nodes: " + std::to_string(total.nodes));
  if (total.trace != 0) out_.line("trace: " + std::to_string(total.trace));
  out_.line("time: " + std::to_string(total.time_ms) + " ms");
  out_.line("nps: " + std::to_string(total.nodes * 1000 / std::max<std::int64_t>(total.time_ms, 1)));
}

}  // namespace

void run_loop(Engine& engine, std::istream& in, std::ostream& out) {
  Loop loop(engine, out);
  loop.read(in);
}

int run_program(Engine& engine, std::span<const std::string> arguments, const std::filesystem::path& program,
                std::string_view more_help) {
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "--version")) {
    const std::string name = program.filename().string();
    std::cout << (arguments[0] == "--help" ? usage(name).append(more_help) : name + " " FUHYO_VERSION "\n");
    return 0;
  }
  Loop loop(engine, std::cout);
  loop.read_options(program.parent_path() / kOptionFile);
  std::string line;
  for (std::size_t i = 0; i <= arguments.size() && !arguments.empty(); ++i) {
    if (i < arguments.size() && arguments[i] != ",") {
      line += arguments[i] + " ";
      continue;
    }
    if (!loop.command(line)) return 0;
    const bool over = loop.finish();
    line.clear();
    if (!loop.all_known()) return kUsageError;
    // A search without an end goes on until the standard input says more.
    if (i == arguments.size() && over) return 0;
  }
  loop.read(std::cin);
  return 0;
}

}  // namespace fuhyo::usi
