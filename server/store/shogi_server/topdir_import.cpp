#include "server/store/shogi_server/topdir_import.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "engines/record/csa_reader.h"
#include "server/core/record_text.h"
#include "server/store/records/disk.h"
#include "server/store/shogi_server/buoy_file.h"
#include "server/store/shogi_server/finished_record.h"
#include "server/store/shogi_server/history_file.h"
#include "server/store/shogi_server/old_lists.h"
#include "server/store/shogi_server/players_file.h"
#include "server/store/shogi_server/topdir.h"

namespace fuhyo::store {
namespace {

namespace fs = std::filesystem;

// What one step of the import says to the whole: nothing, or what the disk or the store refused.
using Result = std::expected<void, ImportError>;

std::unexpected<ImportError> cannot_write(std::string text) {
  return std::unexpected(ImportError{ImportFailure::cannot_write, std::move(text)});
}

bool is_floodgate(const std::string& csa_id) {
  core::GameOpened opened;
  opened.game_name = core::game_name_of(csa_id);
  return core::second_list(opened) == "00LIST.floodgate";
}

class Import {
 public:
  Import(const ImportOptions& options, Store& store) : options_(options), store_(store), lists_(options.zone) {}

  std::expected<ImportReport, ImportError> run() {
    for (const auto step : {&Import::find, &Import::open_store, &Import::take_buoys, &Import::take_games,
                            &Import::append_lists, &Import::take_schedules, &Import::take_players}) {
      if (auto done = (this->*step)(); !done) return std::unexpected(std::move(done.error()));
    }
    return std::move(report_);
  }

 private:
  Result find();
  Result open_store();
  Result take_buoys();
  std::vector<core::BuoySet> new_buoys(const std::string& text);
  Result take_games();
  void read_lists();
  Result take_records(ArchiveImport& archive);
  Result take_record(ArchiveImport& archive, const Topdir::Record& record);
  Result take_listed(ArchiveImport& archive);
  Result take_histories(ArchiveImport& archive);
  Result take_game(ArchiveImport& archive, FinishedGame game, bool has_record);
  Result append_lists();
  Result take_schedules();
  Result take_players();

  void leave(const std::string& what, std::string why) { report_.left.push_back({what, std::move(why)}); }
  void leave(const FileFault& fault) {
    leave(fault.line == 0 ? fault.file : fmt::format("{}:{}", fault.file, fault.line), fault.text);
  }
  // The bytes of an old file; none if it cannot be read, which is noted.
  std::optional<std::string> bytes_of(const fs::path& path);
  // The file at `to` is `bytes` afterwards, unless another one is there.
  Result copy(const std::string& bytes, const fs::path& from, const fs::path& to, ImportReport::Count& count,
              FileMode mode = {});
  std::string file_of(const char* name) const { return (options_.data / name).string(); }

  const ImportOptions& options_;
  Store& store_;
  ImportReport report_;
  Topdir topdir_;
  std::unique_ptr<QueuedJournal> journal_;  // keeps others from the store, also when it is closed
  core::Recovery recovered_;
  OldLists lists_;
  std::unordered_set<std::string> with_record_;  // Game_IDs of games that the archive has from their records
};

Result Import::find() {
  const fs::path ours[] = {options_.data, options_.records};
  auto topdir = read_topdir(options_.from, ours);
  if (!topdir) return std::unexpected(ImportError{ImportFailure::nothing_there, topdir.error()});
  topdir_ = std::move(*topdir);
  report_.others = topdir_.others;
  const bool any = topdir_.players || topdir_.buoys || !topdir_.records.empty() || !topdir_.lists.empty() ||
                   !topdir_.histories.empty() || !topdir_.schedules.empty();
  if (any) return {};
  return std::unexpected(ImportError{ImportFailure::nothing_there,
                                     fmt::format("{} has nothing of a shogi-server", options_.from.string())});
}

Result Import::open_store() {
  if (options_.dry_run) return {};
  for (const auto& made : {make_folder(options_.data), make_folder(options_.records, options_.records_mode)}) {
    if (!made) return cannot_write(made.error());
  }
  auto journal = store_.open_journal({}, recovered_);
  if (!journal) return std::unexpected(ImportError{ImportFailure::in_use, journal.error()});
  journal_ = std::move(*journal);
  return {};
}

std::optional<std::string> Import::bytes_of(const fs::path& path) {
  auto bytes = read_file(path);
  if (bytes) return std::move(*bytes);
  leave(path.string(), bytes.error());
  return std::nullopt;
}

Result Import::copy(const std::string& bytes, const fs::path& from, const fs::path& to, ImportReport::Count& count,
                    FileMode mode) {
  const auto there = read_file(to);
  if (!there) return cannot_write(there.error());
  std::error_code error;
  const bool whole = fs::exists(to, error) && *there == bytes;
  // A power cut may have left the beginning of a record.
  const bool torn = to.extension() == ".csa" && bytes.starts_with(*there);
  if (fs::exists(to, error) && !whole && !torn) {
    leave(from.string(), fmt::format("another one is at {}", to.string()));
    return {};
  }
  ++(whole ? count.known : count.taken);
  if (options_.dry_run || whole) return {};
  if (auto made = make_folder(to.parent_path(), mode); !made) return cannot_write(made.error());
  if (auto written = put_file(to, bytes, mode); !written) return cannot_write(written.error());
  return {};
}

// ---- buoys ----

// buoy.yaml is kept as it was moved over, so that a buoy which is used up here does not come back with the next run.
Result Import::take_buoys() {
  core::Transaction transaction;
  if (topdir_.buoys) {
    const auto text = bytes_of(*topdir_.buoys);
    core::Seq seq = recovered_.last;
    for (core::BuoySet& buoy : text ? new_buoys(*text) : std::vector<core::BuoySet>()) {
      seq = core::next(seq);
      transaction.push_back({seq, std::move(buoy)});
    }
    report_.buoys.taken = transaction.size();
    if (options_.dry_run) return {};
    journal_->append(std::move(transaction));
    if (!journal_->close()) return cannot_write("the journal did not take the buoys");
    if (auto kept = text ? replace_file(file_of("buoy.yaml"), *text) : DiskResult(); !kept) {
      return cannot_write(kept.error());
    }
  }
  if (journal_) journal_->close();  // nobody writes beside the archive's transaction
  return {};
}

std::vector<core::BuoySet> Import::new_buoys(const std::string& text) {
  std::vector<FileFault> faults, ignored;
  auto buoys = read_buoys(text, topdir_.buoys->string(), options_.now, faults);
  if (!buoys) faults.push_back(buoys.error());
  for (const FileFault& fault : faults) leave(fault);
  if (!buoys) return {};
  std::set<std::string> known;
  for (const core::Journaled& row : recovered_.keyed_facts) {
    if (const auto* set = std::get_if<core::BuoySet>(&row.fact)) known.insert(set->name);
  }
  const std::string former = read_file(file_of("buoy.yaml")).value_or("");
  for (const core::BuoySet& buoy :
       read_buoys(former, "", options_.now, ignored).value_or(std::vector<core::BuoySet>())) {
    if (std::ranges::find(*buoys, buoy) != buoys->end()) known.insert(buoy.name);
  }
  report_.buoys.known = std::erase_if(*buoys, [&](const core::BuoySet& buoy) { return known.contains(buoy.name); });
  return std::move(*buoys);
}

// ---- games ----

Result Import::take_games() {
  auto archive = store_.begin_import(options_.dry_run);
  if (!archive) return cannot_write(archive.error());
  read_lists();
  if (auto done = take_records(**archive); !done) return done;
  if (auto done = take_listed(**archive); !done) return done;
  if (auto done = take_histories(**archive); !done) return done;
  if (options_.dry_run) return {};
  if (auto synced = sync_disk(options_.records); !synced) return cannot_write(synced.error());
  if (auto done = (*archive)->commit(); !done) return cannot_write(done.error());
  return {};
}

void Import::read_lists() {
  std::vector<FileFault> faults;
  for (const fs::path& list : topdir_.lists) {
    if (const auto text = bytes_of(list)) lists_.read(*text, list.string(), faults);
  }
  for (const FileFault& fault : faults) leave(fault);
}

Result Import::take_records(ArchiveImport& archive) {
  for (const Topdir::Record& record : topdir_.records) {
    if (record.target.empty()) {
      leave(record.path.string(), "does not lie in a folder of its day (YYYY/MM/DD)");
      continue;
    }
    if (auto taken = take_record(archive, record); !taken) return taken;
  }
  return {};
}

Result Import::take_record(ArchiveImport& archive, const Topdir::Record& record) {
  const auto bytes = bytes_of(record.path);
  if (!bytes) return {};
  const fs::path target = fs::absolute(options_.records / record.target);
  if (auto copied = copy(*bytes, record.path, target, report_.records, options_.records_mode); !copied) return copied;
  if (record.id.empty()) {
    leave(record.path.string(), "is copied, but no game of the archive: it is not called after a Game_ID");
    return {};
  }
  if (lists_.has(record.id)) lists_.set_record(record.id, target.string());
  const auto file = record::read_csa(*bytes);
  auto game = file ? finished_game(file->games.front().game, record.id, options_.zone)
                   : std::unexpected(to_string(file.error()));
  if (!game && file && game.error() == kNoResult)
    ++report_.without_result;
  else if (!game)
    leave(record.path.string(), fmt::format("is copied, but cannot be read: {}", game.error()));
  if (!game) return {};
  with_record_.insert(record.id);
  if (!lists_.has(record.id)) lists_.add(record.id, core::list_line(game->opened, game->ended, target.string()));
  return take_game(archive, std::move(*game), true);
}

Result Import::take_listed(ArchiveImport& archive) {
  lists_.sort();
  for (const OldLists::Line& line : lists_.lines()) {
    if (with_record_.contains(line.id)) continue;
    auto game = lists_.game(line);
    if (!game) continue;  // it had been read before
    if (auto taken = take_game(archive, std::move(*game), false); !taken) return taken;
  }
  return {};
}

Result Import::take_histories(ArchiveImport& archive) {
  for (const fs::path& path : topdir_.histories) {
    const auto text = bytes_of(path);
    if (!text) continue;
    const auto games = read_floodgate_history(*text, path.string());
    if (!games) {
      leave(games.error());
      continue;
    }
    for (const core::PastGame& past : *games) {
      if (with_record_.contains(past.csa_id) || lists_.has(past.csa_id)) continue;
      auto game = finished_game(past, options_.zone);
      if (!game) {
        leave(path.string(), game.error());
        continue;
      }
      if (auto taken = take_game(archive, std::move(*game), false); !taken) return taken;
    }
    if (!games->empty()) report_.groups.push_back(games->back().game_name);
  }
  return {};
}

Result Import::take_game(ArchiveImport& archive, FinishedGame game, bool has_record) {
  const auto added = archive.add(game);
  if (!added) return cannot_write(added.error());
  ++(*added ? report_.games.taken : report_.games.known);
  if (*added && !has_record) ++report_.without_record;
  return {};
}

// ---- files ----

Result Import::append_lists() {
  const std::pair<const char*, std::function<bool(const std::string&)>> lists[] = {
      {"00LIST", [](const std::string&) { return true; }},
      {"00LIST.floodgate", is_floodgate},
      {"00LIST.others", [](const std::string& id) { return !is_floodgate(id); }}};
  for (const auto& [name, belongs] : lists) {
    const fs::path path = options_.records / name;
    auto text = read_file(path);
    if (!text) return cannot_write(text.error());
    const auto missing = lists_.missing(*text, belongs);
    if (name == std::string_view("00LIST")) {
      report_.list_lines = {.taken = missing.size(), .known = lists_.lines().size() - missing.size()};
    }
    if (options_.dry_run || missing.empty()) continue;
    if (!text->empty() && !text->ends_with('\n')) *text += '\n';
    for (const OldLists::Line* line : missing) *text += line->text;
    if (auto written = replace_file(path, *text, options_.records_mode); !written) return cannot_write(written.error());
  }
  return {};
}

Result Import::take_schedules() {
  for (const fs::path& path : topdir_.schedules) {
    const auto bytes = bytes_of(path);
    if (!bytes) continue;
    if (auto copied = copy(*bytes, path, options_.data / path.filename(), report_.files); !copied) return copied;
    report_.groups.push_back(path.stem().string());
  }
  std::ranges::sort(report_.groups);
  const auto repeated = std::ranges::unique(report_.groups);
  report_.groups.erase(repeated.begin(), repeated.end());
  return {};
}

Result Import::take_players() {
  if (topdir_.players) {
    const auto bytes = bytes_of(*topdir_.players);
    const auto players =
        bytes ? read_players(*bytes, topdir_.players->string()) : std::expected<core::PlayerRatings, FileFault>();
    if (!players) leave(players.error());
    const fs::path target = options_.data / "players.yaml";
    std::error_code error;
    if (fs::exists(target, error)) {
      ++report_.files.known;  // the same, or newer ratings of this server
    } else if (bytes && players) {
      if (auto copied = copy(*bytes, *topdir_.players, target, report_.files); !copied) return copied;
    }
  }
  if (options_.dry_run) return {};
  if (auto synced = sync_disk(options_.data); !synced) return cannot_write(synced.error());
  return {};
}

}  // namespace

std::expected<ImportReport, ImportError> import_shogi_server(const ImportOptions& options, Store& store) {
  return Import(options, store).run();
}

}  // namespace fuhyo::store
