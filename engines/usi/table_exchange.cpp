#include "engines/usi/table_exchange.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::usi {
namespace {

using namespace std::chrono_literals;

constexpr auto kStepPoll = 100us;

void note(const TableExchange::Print& print, std::string_view text) {
  if (print) print("info string " + std::string(text));
}

}  // namespace

// ---- what is sent ----

TableSender::TableSender(std::int64_t search, std::int64_t bytes_per_second, Print print, Lockstep lockstep)
    : search_(search),
      bytes_per_second_(bytes_per_second),
      print_(std::move(print)),
      lockstep_(lockstep),
      thread_([this] { run(); }) {}

TableSender::~TableSender() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
}

void TableSender::send(std::vector<TableEntry> entries) {
  if (lockstep_.slice > 0) return print_(to_text(search_, entries));
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() == kMostWaitingBatches) waiting_.pop_front();
    waiting_.push_back(std::move(entries));
  }
  changed_.notify_all();
}

std::int64_t TableSender::keep_step(std::int64_t nodes, const std::function<bool()>& stopped) const {
  if (lockstep_.slice == 0) return kForever;
  while (true) {
    const std::int64_t allowed = lockstep_.allowed->load();
    const std::int64_t left = allowed * lockstep_.slice - nodes;
    if (left > 0 || stopped()) return left;
    print_(to_text(TableWaits{search_}));
    while (lockstep_.allowed->load() == allowed && !stopped()) std::this_thread::sleep_for(kStepPoll);
  }
}

void TableSender::run() {
  std::unique_lock lock(mutex_);
  Clock::time_point free_at = Clock::now();  // when all that was printed is within the rate
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    changed_.wait_until(lock, free_at - kBurst, [this] { return closing_; });
    if (waiting_.empty() || Clock::now() < free_at - kBurst) return;  // it closes
    const std::vector<TableEntry> entries = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const std::string line = to_text(search_, entries);
    print_(line);
    if (bytes_per_second_ > 0) {
      const auto bytes = static_cast<std::int64_t>(line.size() + 1);
      free_at = std::max(free_at, Clock::now()) + std::chrono::nanoseconds(bytes * 1'000'000'000 / bytes_per_second_);
    }
    lock.lock();
  }
}

// ---- the options ----

void TableExchange::add_options(OptionTable& table) {
  table.add_combo(
      "TableExchange", "off", {"off", "lines", "depth"},
      {"exchange entries of the transposition table with other engines, by lines \"tt\" (fuhyo-cluster sets "
       "it): those of the lines that are found, or all from a depth on",
       "置換表のエントリーを他のエンジンと「tt」行で交換する(fuhyo-clusterが設定する)。"
       "linesは読み筋の局面、depthは一定の深さ以上の局面すべて"});
  table.add_spin("TableExchangeDepth", 8, 1, kDeepestTableEntry,
                 {"the least depth of an entry that is sent, if TableExchange is depth",
                  "TableExchangeがdepthのとき、送るエントリーの最小の深さ"});
  table.add_spin("TableExchangeRate", 1'000'000, 1'000, 1'000'000'000,
                 {"bytes a second that are sent at most, if TableExchange is depth",
                  "TableExchangeがdepthのとき、1秒間に送るバイト数の上限"});
}

std::optional<int> TableExchange::least_depth() const {
  if (options_.text("TableExchange") != "depth") return std::nullopt;
  return static_cast<int>(options_.spin("TableExchangeDepth"));
}

TableExchange::TableExchange(const OptionTable& options, Take take, SearchControl::Now now)
    : options_(options), take_(std::move(take)), now_(std::move(now)) {}

std::unique_ptr<TableSender> TableExchange::sender() const {
  if (!on() || sending_ == 0 || !print_) return nullptr;
  return std::make_unique<TableSender>(sending_, least_depth() ? options_.spin("TableExchangeRate") : 0, print_,
                                       Lockstep{.slice = slice_, .allowed = &slices_});
}

void TableExchange::say_keys() const {
  if (on() && print_) print_(to_text(TableKeys{keys_}));
}

// ---- what is heard ----

void TableExchange::begin_search() {
  present_ = sending_ = std::exchange(announced_, 0);
  slice_ = std::exchange(announced_slice_, 0);
  slices_ = 1;
  told_off_ = false;
}

void TableExchange::hear(std::string_view text) {
  if (!on()) {
    if (!std::exchange(told_off_, true)) note(print_, "tt is ignored: the option TableExchange is off");
    return;
  }
  if (const auto number = batch_number(text)) {
    if (*number != present_) return leave_out({.stale = 1});
    if (is_flood(text.size())) return leave_out({.floods = 1});
  }
  const auto line = parse_table_line(text);
  if (!line) return leave_out({.malformed = 1});
  if (const auto* search = std::get_if<TableSearch>(&*line)) {
    present_ = announced_ = search->number;
    announced_slice_ = search->slice;
  } else if (const auto* next = std::get_if<TableNext>(&*line)) {
    if (next->search != sending_) return leave_out({.stale = 1});
    ++slices_;
  } else if (const auto* batch = std::get_if<TableBatch>(&*line)) {
    take(*batch);
  }
}

void TableExchange::take(const TableBatch& batch) {
  const LeftOut left_out{.malformed = batch.malformed, .refused = take_(batch.entries)};
  if (left_out != LeftOut{}) leave_out(left_out);
}

bool TableExchange::is_flood(std::size_t bytes) {
  if (const auto now = now_(); now - second_ >= 1s) {
    second_ = now;
    heard_bytes_ = 0;
  }
  heard_bytes_ += bytes;
  return heard_bytes_ > kMostHeardBytes;
}

void TableExchange::leave_out(const LeftOut& more) {
  const std::lock_guard lock(mutex_);
  left_out_.stale += more.stale;
  left_out_.floods += more.floods;
  left_out_.malformed += more.malformed;
  left_out_.refused += more.refused;
}

void TableExchange::tell() {
  LeftOut told;
  {
    const std::lock_guard lock(mutex_);
    told = std::exchange(left_out_, {});
  }
  if (told == LeftOut{}) return;
  note(print_,
       fmt::format("tt: left out: {} lines of other searches, {} lines too many a second, {} malformed entries, "
                   "{} entries refused",
                   told.stale, told.floods, told.malformed, told.refused));
}

}  // namespace fuhyo::usi
