// The records folder as a function of the journal: facts go in, files come out, each game's once and whole. One thread.
//
// Files follow in two steps, so that a full disk loses nothing: apply() only remembers, flush() writes and may be
// called again after it failed. A record grows by appends while its game runs and is replaced (temporary, fsync,
// rename) when the game ends. The cursor file says from which seq on facts must be applied again after a crash; doing
// so writes the same bytes to the same files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "server/core/facts.h"
#include "server/store/records/disk.h"
#include "server/store/records/list.h"

namespace fuhyo::store {

class RecordsProjection {
 public:
  // Games of the room "demo" are kept only as far as the newest `keep_demo` finished ones.
  static std::expected<RecordsProjection, std::string> open(const std::filesystem::path& folder, std::size_t keep_demo,
                                                            FileMode mode = {});

  core::Seq applied() const { return applied_; }  // facts up to here are not needed again by this object
  void apply(const core::Journaled& row);         // older ones than applied() are ignored
  DiskResult flush();
  DiskResult save_cursor();  // after a successful flush()

  // The cursor belongs to another journal: begin at the beginning.
  DiskResult restart();
  // Everything that a former run may have written has been applied again.
  void caught_up();

 private:
  static constexpr std::size_t kLists = 3;  // 00LIST, 00LIST.floodgate, 00LIST.others
  using ListSizes = std::array<std::uint64_t, kLists>;

  struct Record {
    core::GameOpened opened;
    std::filesystem::path path;
    std::string text;
  };
  struct Live : Record {
    core::Seq first{};        // of GameOpened
    ListSizes lists{};        // list_sizes() when it was opened
    std::size_t written = 0;  // bytes of text that the file has
    bool created = false;
  };
  struct Finished : Record {
    std::string line{};          // of 00LIST; empty: none
    std::size_t lists_done = 0;  // 0..2: lists that have the line
    bool replaced = false;
  };

  RecordsProjection(std::filesystem::path folder, std::size_t keep_demo, FileMode mode);
  void open_game(core::Seq seq, const core::GameOpened& fact);
  void grow(core::GameId game, std::string_view text);
  void add_comment(const core::CommentAdded& said);
  void finish(core::GameId game, std::string_view text, const core::GameEnded* ended);

  DiskResult load_cursor();
  DiskResult open_lists(const ListSizes& from);
  DiskResult flush_live(Live& live);
  DiskResult flush_finished(Finished& finished);
  DiskResult list_finished(Finished& finished);
  DiskResult sync_all();
  // From where on the lists may have lines of games that end after what has been applied.
  ListSizes list_sizes() const;

  void find_demo_records();
  void keep(const Finished& finished);
  void prune_demo();

  std::filesystem::path folder_;
  std::size_t keep_demo_;
  FileMode mode_;
  core::Seq applied_{};
  std::deque<RecordsList> lists_;
  ListSizes lists_from_{};  // those of the cursor that it began with
  bool caught_up_ = false;
  std::unordered_map<core::GameId, Live> live_;
  std::unordered_set<core::GameId> dirty_;
  std::deque<Finished> finished_;             // not on the disk yet
  std::set<std::filesystem::path> unsynced_;  // folders with a new entry
  std::deque<std::filesystem::path> demo_;    // finished, oldest first
};

}  // namespace fuhyo::store
