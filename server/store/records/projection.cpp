#include "server/store/records/projection.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/record_text.h"
#include "server/store/records/path.h"

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;
using core::Seq;

constexpr std::array<std::string_view, 3> kListNames = {"00LIST", "00LIST.floodgate", "00LIST.others"};
constexpr std::string_view kCursorName = ".fuhyo-cursor";
constexpr std::string_view kCursorHead = "fuhyo-records-1";
constexpr std::string_view kPrunedRoom = "demo";

bool take_number(std::string_view& text, std::uint64_t& value) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

RecordsProjection::RecordsProjection(fs::path folder, std::size_t keep_demo, FileMode mode)
    : folder_(std::move(folder)), keep_demo_(keep_demo), mode_(mode) {}

std::expected<RecordsProjection, std::string> RecordsProjection::open(const fs::path& folder, std::size_t keep_demo,
                                                                      FileMode mode) {
  std::error_code error;
  const fs::path absolute = fs::absolute(folder, error);  // 00LIST shows absolute paths
  if (error) return std::unexpected(fmt::format("cannot resolve {}: {}", folder.string(), error.message()));
  RecordsProjection projection(absolute.lexically_normal(), keep_demo, mode);
  DiskResult done = make_folder(projection.folder_, mode);
  if (done) done = projection.load_cursor();
  if (done) done = sync_folder(projection.folder_);
  if (!done) return std::unexpected(std::move(done.error()));
  projection.find_demo_records();
  return projection;
}

// ---- the cursor ----

// No cursor, or a broken one: everything is applied again, which is only slow.
DiskResult RecordsProjection::load_cursor() {
  auto text = read_file(folder_ / kCursorName);
  if (!text) return std::unexpected(std::move(text.error()));
  std::string_view rest = *text;
  std::uint64_t seq = 0;
  ListSizes sizes{};
  bool good = rest.starts_with(kCursorHead);
  if (good) rest.remove_prefix(kCursorHead.size());
  good = good && take_number(rest, seq);
  for (std::uint64_t& size : sizes) good = good && take_number(rest, size);
  if (!good || rest != "\n") return restart();
  applied_ = Seq{seq};
  return open_lists(sizes);
}

DiskResult RecordsProjection::save_cursor() {
  Seq seq = applied_;
  ListSizes sizes = list_sizes();
  // A running game must be read again from its beginning.
  for (const auto& [id, live] : live_) {
    if (live.first > seq) continue;
    seq = Seq{core::value(live.first) - 1};
    sizes = live.lists;
  }
  std::error_code ignored;
  if (seq == Seq{} && !fs::exists(folder_ / kCursorName, ignored)) return {};  // none says the same
  auto saved = replace_file(folder_ / kCursorName,
                            fmt::format("{} {} {}\n", kCursorHead, core::value(seq), fmt::join(sizes, " ")));
  if (saved) saved = sync_folder(folder_);
  return saved;
}

DiskResult RecordsProjection::restart() {
  applied_ = Seq{};
  live_.clear();
  dirty_.clear();
  finished_.clear();
  return open_lists({});
}

DiskResult RecordsProjection::open_lists(const ListSizes& from) {
  lists_.clear();
  lists_from_ = from;
  caught_up_ = false;
  for (std::size_t i = 0; i < kLists; ++i) {
    auto list = RecordsList::open(folder_ / kListNames[i], from[i], mode_);
    if (!list) return std::unexpected(std::move(list.error()));
    lists_.push_back(std::move(*list));
  }
  return {};
}

void RecordsProjection::caught_up() {
  caught_up_ = true;
  for (RecordsList& list : lists_) list.forget_old_lines();
}

RecordsProjection::ListSizes RecordsProjection::list_sizes() const {
  if (!caught_up_) return lists_from_;  // a former life may have written more than has been applied again
  ListSizes sizes{};
  for (std::size_t i = 0; i < kLists; ++i) sizes[i] = lists_[i].size();
  return sizes;
}

// ---- facts ----

void RecordsProjection::apply(const core::Journaled& row) {
  if (row.seq <= applied_) return;
  applied_ = row.seq;
  const core::GameId game = core::game_of(row.fact);
  if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) {
    open_game(row.seq, *opened);
  } else if (const auto* rejected = std::get_if<core::GameRejected>(&row.fact)) {
    finish(game, record_rejected(*rejected), nullptr);
  } else if (const auto* ended = std::get_if<core::GameEnded>(&row.fact)) {
    const auto it = live_.find(game);
    if (it != live_.end()) finish(game, record_end(it->second.opened, *ended), ended);
  } else if (const auto* said = std::get_if<core::CommentAdded>(&row.fact)) {
    add_comment(*said);
  } else if (const std::string lines = core::record_lines(row.fact); !lines.empty()) {
    grow(game, lines);
  }
}

void RecordsProjection::open_game(Seq seq, const core::GameOpened& fact) {
  Live& live = live_[fact.game];
  live = Live{{fact, folder_ / record_path(fact), record_head(fact)}, seq, list_sizes()};
  std::erase(demo_, live.path);
  dirty_.insert(fact.game);
}

// Facts of a game that was not seen to open (deleted by retention) say nothing here.
void RecordsProjection::grow(core::GameId game, std::string_view text) {
  const auto it = live_.find(game);
  if (it == live_.end()) return;
  it->second.text += text;
  dirty_.insert(game);
}

// In the midst of a file, which is written anew.
void RecordsProjection::add_comment(const core::CommentAdded& said) {
  const auto it = live_.find(said.game);
  if (it == live_.end()) return;
  core::add_comment(it->second.text, said);
  it->second.created = false;
  dirty_.insert(said.game);
}

void RecordsProjection::finish(core::GameId game, std::string_view text, const core::GameEnded* ended) {
  auto live = live_.extract(game);
  if (live.empty()) return;
  dirty_.erase(game);
  Finished finished{std::move(live.mapped())};
  finished.text += text;
  if (ended != nullptr && is_listed(finished.opened, *ended)) {
    finished.line = list_line(finished.opened, *ended, finished.path.string());
  }
  finished_.push_back(std::move(finished));
}

// ---- files ----

DiskResult RecordsProjection::flush() {
  while (!dirty_.empty()) {
    const core::GameId game = *dirty_.begin();
    if (auto done = flush_live(live_.at(game)); !done) return done;
    dirty_.erase(game);
  }
  while (!finished_.empty()) {
    if (auto done = flush_finished(finished_.front()); !done) return done;
    keep(finished_.front());
    finished_.pop_front();
  }
  auto synced = sync_all();
  if (synced) prune_demo();
  return synced;
}

DiskResult RecordsProjection::flush_live(Live& live) {
  if (!live.created) {
    if (auto done = make_folder(live.path.parent_path(), mode_); !done) return done;
    if (auto done = write_file(live.path, live.text, mode_); !done) return done;
    live.created = true;
  } else {
    live.created = false;  // if the append fails half way, the next attempt writes the file anew
    if (auto done = append_file(live.path, std::string_view(live.text).substr(live.written)); !done) return done;
    live.created = true;
  }
  live.written = live.text.size();
  return {};
}

DiskResult RecordsProjection::flush_finished(Finished& finished) {
  if (!finished.replaced) {
    if (auto done = make_folder(finished.path.parent_path(), mode_); !done) return done;
    if (auto done = replace_file(finished.path, finished.text, mode_); !done) return done;
    finished.replaced = true;
    for (fs::path folder = finished.path.parent_path(); folder != folder_; folder = folder.parent_path()) {
      unsynced_.insert(folder);
    }
  }
  return finished.line.empty() ? DiskResult{} : list_finished(finished);
}

DiskResult RecordsProjection::list_finished(Finished& finished) {
  const std::size_t second = second_list(finished.opened) == kListNames[1] ? 1 : 2;
  for (; finished.lists_done < 2; ++finished.lists_done) {
    RecordsList& list = lists_[finished.lists_done == 0 ? 0 : second];
    if (auto done = list.append(finished.line, finished.path.string()); !done) return done;
  }
  return {};
}

DiskResult RecordsProjection::sync_all() {
  while (!unsynced_.empty()) {
    std::error_code ignored;
    const fs::path& folder = *unsynced_.begin();
    if (fs::exists(folder, ignored)) {  // a pruned day is gone
      if (auto done = sync_folder(folder); !done) return done;
    }
    unsynced_.erase(unsynced_.begin());
  }
  for (RecordsList& list : lists_) {
    if (auto done = list.sync(); !done) return done;
  }
  return {};
}

// ---- the demonstration room ----

void RecordsProjection::find_demo_records() {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder_ / kPrunedRoom, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() == ".csa") found.emplace_back(it->last_write_time(ignored), it->path());
  }
  std::ranges::sort(found);
  for (auto& [time, path] : found) demo_.push_back(std::move(path));
}

void RecordsProjection::keep(const Finished& finished) {
  if (finished.opened.room != kPrunedRoom) return;
  std::erase(demo_, finished.path);
  demo_.push_back(finished.path);
}

// Failures are left to the next time: too many demonstration games harm nobody.
void RecordsProjection::prune_demo() {
  const fs::path room = folder_ / kPrunedRoom;
  while (demo_.size() > keep_demo_) {
    std::error_code ignored;
    fs::remove(demo_.front(), ignored);
    fs::path folder = demo_.front().parent_path();
    while (folder != room && fs::is_empty(folder, ignored) && fs::remove(folder, ignored))
      folder = folder.parent_path();
    demo_.pop_front();
  }
}

}  // namespace fuhyo::store
