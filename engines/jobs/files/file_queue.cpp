#include "engines/jobs/files/file_queue.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <utility>

#include "engines/jobs/files/batch_file.h"

namespace fuhyo::jobs {
namespace {

constexpr std::int64_t kDay_ns = 86'400'000'000'000;

std::int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// Of no other object of this class, on any machine.
std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

template <class T>
std::unexpected<std::string> pass_on(const T& failed) {
  return std::unexpected(failed.error());
}

// "WORKER LEASE_MS\n"; nothing of it is needed to tell whose the claim is, which its name does.
std::int64_t lease_in(std::string_view text, std::int64_t otherwise_ms) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return otherwise_ms;
  std::int64_t ms = 0;
  std::from_chars(text.data() + space + 1, text.data() + text.size(), ms);
  return ms > 0 ? ms : otherwise_ms;
}

}  // namespace

struct FileQueue::Offer {
  Offer(const FileQueue& queue, std::string name) : queue(queue), worker(std::move(name)) {}
  ~Offer() {
    if (written) static_cast<void>(queue.disk_.remove(path));  // what stays is cleared up in a day
  }
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  const FileQueue& queue;
  const std::string worker;
  const Path path = queue.temporary();
  bool written = false;
};

FileQueue::FileQueue(std::filesystem::path root, const QueueOptions& options)
    : root_(std::move(root)), options_(options), disk_(options.durable, options.hook), unique_(random_name()) {}

Result<std::unique_ptr<Queue>> FileQueue::open(const std::filesystem::path& root, const QueueOptions& options) {
  QueueOptions completed = options;
  if (!completed.now_ms) completed.now_ms = steady_ms;
  std::unique_ptr<FileQueue> queue(new FileQueue(root, completed));
  if (auto prepared = options.create ? queue->prepare() : queue->look(); !prepared) return pass_on(prepared);
  return std::unique_ptr<Queue>(std::move(queue));
}

// The age of a file is told by a file that is new: the clock is that of the file system.
Result<void> FileQueue::prepare() const {
  for (const char* part : {"batches", "temporary"}) {
    if (auto made = disk_.make(root_ / part); !made) return made;
  }
  const Path probe = temporary();
  if (auto written = disk_.write(probe, "", false); !written) return written;
  const auto now = disk_.time(probe);
  const auto names = disk_.names(root_ / "temporary");
  if (!now || !names) return now ? Result<void>(pass_on(names)) : Result<void>(pass_on(now));
  for (const std::string& name : names->value_or(std::vector<std::string>())) {
    const Path path = root_ / "temporary" / name;
    const auto time = disk_.time(path);
    if (time && *time && *now && **now - **time > kDay_ns) static_cast<void>(disk_.remove(path));
  }
  return disk_.remove(probe);
}

Result<void> FileQueue::look() const {
  const auto there = disk_.exists(root_ / "batches");
  if (!there) return pass_on(there);
  if (!*there) return std::unexpected(fmt::format("{} is no queue: it has no folder batches", root_.string()));
  return {};
}

FileQueue::Path FileQueue::temporary() const {
  return root_ / "temporary" / fmt::format("{}.{}", unique_, ++temporaries_);
}

FileQueue::Path FileQueue::claim_path(const Lease& lease, Mark mark) const {
  return folder_of(lease.batch) / "claims" / claim_name(lease.chunk, lease.fence, mark);
}

// ---- batches ----

// Everything is made aside and appears under its name at once.
Result<bool> FileQueue::add(const Batch& batch) {
  if (auto good = check(batch); !good) return pass_on(good);
  const auto there = load(batch.name);
  if (!there) return pass_on(there);
  const auto compare = [&](const Stored& stored) -> Result<bool> {
    if (stored.id == digest(batch)) return false;
    return std::unexpected(fmt::format("{} has another batch of the name {}", root_.string(), batch.name));
  };
  if (*there) return compare(**there);
  const Path aside = temporary();
  for (const char* part : {"claims", "done"}) {
    if (auto made = disk_.make(aside / part); !made) return pass_on(made);
  }
  if (auto written = disk_.write(aside / "batch", batch_text(batch), true); !written) return pass_on(written);
  if (auto synced = disk_.sync(aside); !synced) return pass_on(synced);
  const auto moved = disk_.move_folder(aside, folder_of(batch.name));
  if (!moved) return pass_on(moved);
  if (auto synced = disk_.sync(root_ / "batches"); !synced) return pass_on(synced);
  if (*moved) return true;
  static_cast<void>(disk_.remove(aside));  // somebody was faster
  const auto theirs = need(batch.name);
  return theirs ? compare(**theirs) : Result<bool>(pass_on(theirs));
}

Result<std::shared_ptr<const FileQueue::Stored>> FileQueue::load(const std::string& name) {
  if (!is_name(name)) return std::unexpected(fmt::format("'{}' is no name of a batch", name));
  const Path path = folder_of(name) / "batch";
  const auto time = disk_.time(path);
  if (!time) return pass_on(time);
  if (*time) {
    const std::lock_guard lock(mutex_);
    const auto known = memory_.find(name);
    if (known != memory_.end() && known->second.time == **time) return known->second.stored;
  }
  const auto text = *time ? disk_.read(path) : FileResult<std::optional<std::string>>(std::nullopt);
  if (!text) return pass_on(text);
  if (!*text) {
    const std::lock_guard lock(mutex_);
    memory_.erase(name);
    return nullptr;
  }
  auto batch = parse_batch(**text);
  if (!batch) return std::unexpected(fmt::format("{} {}", path.string(), batch.error()));
  batch->name = name;
  auto stored = std::make_shared<Stored>(Stored{.batch = std::move(*batch), .id = 0});
  stored->id = digest(stored->batch);
  const std::lock_guard lock(mutex_);
  memory_[name] = {.time = **time, .stored = stored, .free = {}};
  return stored;
}

Result<std::shared_ptr<const FileQueue::Stored>> FileQueue::need(const std::string& name) {
  auto stored = load(name);
  if (stored && !*stored) return std::unexpected(fmt::format("{} has no batch {}", root_.string(), name));
  return stored;
}

Result<std::vector<std::string>> FileQueue::batches() {
  const auto names = disk_.names(root_ / "batches");
  if (!names) return pass_on(names);
  std::vector<std::pair<std::int64_t, std::string>> aged;
  for (const std::string& name : names->value_or(std::vector<std::string>())) {
    if (!is_name(name)) continue;
    const auto time = disk_.time(folder_of(name) / "batch");
    if (!time) return pass_on(time);
    if (*time) aged.emplace_back(**time, name);
  }
  std::ranges::sort(aged);
  std::vector<std::string> all;
  all.reserve(aged.size());
  for (auto& [time, name] : aged) all.push_back(std::move(name));
  return all;
}

Result<std::vector<ChunkState>> FileQueue::states(const Stored& stored) {
  const Path folder = folder_of(stored.batch.name);
  const auto claims = disk_.names(folder / "claims");
  if (!claims) return pass_on(claims);
  const auto done = disk_.names(folder / "done");
  if (!done) return pass_on(done);
  const std::vector<std::string> none;
  return chunk_states(stored.batch.chunks.size(), claims->value_or(none), done->value_or(none));
}

Result<Progress> FileQueue::progress(const std::string& batch) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  const auto all = states(**stored);
  if (!all) return pass_on(all);
  const auto cancelled = disk_.exists(folder_of(batch) / "cancelled");
  if (!cancelled) return pass_on(cancelled);
  Progress progress{
      .kind = (*stored)->batch.kind, .chunks = std::ssize(*all), .set_aside = {}, .cancelled = *cancelled};
  for (std::size_t i = 0; i < all->size(); ++i) {
    const ChunkState& state = (*all)[i];
    const auto chunk = static_cast<std::int64_t>(i);
    progress.done += state.done ? 1 : 0;
    progress.held += state.held() ? 1 : 0;
    progress.waiting += state.free((*stored)->batch.attempts) ? 1 : 0;
    if (!state.set_aside((*stored)->batch.attempts)) continue;
    const auto why = disk_.read(folder_of(batch) / "claims" / claim_name(chunk, state.failed_fence, Mark::failed));
    if (!why) return pass_on(why);
    progress.set_aside.push_back({.chunk = chunk, .why = why->value_or("")});
  }
  return progress;
}

Result<std::vector<ChunkResult>> FileQueue::results(const std::string& batch, const std::set<std::int64_t>& known) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  const auto all = states(**stored);
  if (!all) return pass_on(all);
  std::vector<ChunkResult> found;
  for (std::size_t i = 0; i < all->size(); ++i) {
    const auto chunk = static_cast<std::int64_t>(i);
    if (!(*all)[i].done || known.contains(chunk)) continue;
    const Path path = folder_of(batch) / "done" / fmt::format("{}", chunk);
    const auto text = disk_.read(path);
    if (!text) return pass_on(text);
    auto result = parse_result(text->value_or(""));
    if (!result)
      return std::unexpected(fmt::format("{} is damaged; without it the chunk is done again", path.string()));
    found.push_back({.chunk = chunk, .worker = std::move(result->worker), .bytes = std::move(result->bytes)});
  }
  return found;
}

Result<void> FileQueue::cancel(const std::string& batch) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  if (auto written = disk_.write(folder_of(batch) / "cancelled", "", true); !written) return written;
  return disk_.sync(folder_of(batch));
}

Result<void> FileQueue::retry(const std::string& batch) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  const auto all = states(**stored);
  if (!all) return pass_on(all);
  const Path claims = folder_of(batch) / "claims";
  for (std::size_t i = 0; i < all->size(); ++i) {
    if (!(*all)[i].set_aside((*stored)->batch.attempts)) continue;
    const auto chunk = static_cast<std::int64_t>(i);
    for (std::int64_t fence = 1; fence <= (*all)[i].fence; ++fence) {
      const Path failed = claims / claim_name(chunk, fence, Mark::failed);
      const auto there = disk_.exists(failed);
      if (!there) return pass_on(there);
      if (!*there) continue;
      if (auto moved = disk_.move(failed, claims / claim_name(chunk, fence, Mark::released)); !moved) return moved;
    }
  }
  return {};
}

Result<void> FileQueue::remove(const std::string& batch) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  const Path aside = temporary();
  if (auto moved = disk_.move(folder_of(batch), aside); !moved) return moved;
  if (auto synced = disk_.sync(root_ / "batches"); !synced) return synced;
  return disk_.remove(aside);
}

// ---- claims ----

Result<std::optional<Claim>> FileQueue::claim(const Wanted& wanted) {
  if (!is_name(wanted.worker)) return std::unexpected(fmt::format("'{}' is no name of a worker", wanted.worker));
  const auto names = batches();
  if (!names) return pass_on(names);
  Offer offer(*this, wanted.worker);
  for (const std::string& name : *names) {
    if (!wanted.batch.empty() && name != wanted.batch) continue;
    const auto stored = load(name);
    if (!stored) return pass_on(stored);
    if (!*stored || (!wanted.kind.empty() && (*stored)->batch.kind != wanted.kind)) continue;
    auto claimed = claim_of(**stored, offer);
    if (!claimed || *claimed) return claimed;
  }
  return std::nullopt;
}

Result<std::optional<Claim>> FileQueue::claim_of(const Stored& stored, Offer& offer) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = memory_.find(stored.batch.name);
    if (known != memory_.end() && known->second.all_done) return std::nullopt;
  }
  const auto cancelled = disk_.exists(folder_of(stored.batch.name) / "cancelled");
  if (!cancelled) return pass_on(cancelled);
  if (*cancelled) return std::nullopt;
  for (;;) {
    auto claimed = claim_free(stored, offer);
    if (!claimed || *claimed) return claimed;
    const auto all = states(stored);
    if (!all) return pass_on(all);
    if (!refill(stored, *all)) return claim_silent(stored, *all, offer);
  }
}

Result<std::optional<Claim>> FileQueue::claim_free(const Stored& stored, Offer& offer) {
  while (const auto free = take_free(stored.batch.name)) {
    auto claimed = try_claim(stored, *free, offer);
    if (!claimed || *claimed) return claimed;
  }
  return std::nullopt;
}

std::optional<FileQueue::Free> FileQueue::take_free(const std::string& batch) {
  const std::lock_guard lock(mutex_);
  const auto known = memory_.find(batch);
  if (known == memory_.end() || known->second.free.empty()) return std::nullopt;
  const Free first = known->second.free.front();
  known->second.free.pop_front();
  return first;
}

// True: there are free ones.
bool FileQueue::refill(const Stored& stored, const std::vector<ChunkState>& all) {
  const std::lock_guard lock(mutex_);
  const auto known = memory_.find(stored.batch.name);
  if (known == memory_.end() || known->second.stored->id != stored.id) return false;
  Memory& memory = known->second;
  memory.free.clear();
  memory.all_done = std::ranges::all_of(all, &ChunkState::done);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].free(stored.batch.attempts)) memory.free.push_back({static_cast<std::int64_t>(i), all[i].fence});
  }
  return !memory.free.empty();
}

// The next claim's name is given once: whoever links it has the chunk, whatever others believe to know.
Result<std::optional<Claim>> FileQueue::try_claim(const Stored& stored, Free free, Offer& offer) {
  if (!offer.written) {
    const std::string text = fmt::format("{} {}\n", offer.worker, options_.lease_ms);
    offer.written = true;  // whatever comes of it is to be removed
    if (auto written = disk_.write(offer.path, text, false); !written) return pass_on(written);
  }
  const Lease lease{.batch = stored.batch.name,
                    .worker = offer.worker,
                    .batch_id = stored.id,
                    .chunk = free.chunk,
                    .fence = free.fence + 1};
  const auto linked = disk_.link(offer.path, claim_path(lease));
  if (!linked) return pass_on(linked);
  if (!*linked) return std::nullopt;
  // A former holder may have come back late and finished it since the folder was listed.
  const auto done = disk_.exists(folder_of(lease.batch) / "done" / fmt::format("{}", lease.chunk));
  if (!done) return pass_on(done);
  if (*done) return std::nullopt;
  return Claim{.lease = lease,
               .kind = stored.batch.kind,
               .job = stored.batch.payload,
               .chunk = stored.batch.chunks[static_cast<std::size_t>(lease.chunk)],
               .lease_ms = options_.lease_ms};
}

Result<std::optional<Claim>> FileQueue::claim_silent(const Stored& stored, const std::vector<ChunkState>& all,
                                                     Offer& offer) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].held()) continue;
    const Lease lease{.batch = stored.batch.name,
                      .worker = "",
                      .batch_id = stored.id,
                      .chunk = static_cast<std::int64_t>(i),
                      .fence = all[i].fence};
    const auto silent = is_silent(lease);
    if (!silent) return pass_on(silent);
    if (!*silent) continue;
    const auto holder = disk_.read(claim_path(lease));
    if (!holder) return pass_on(holder);
    const std::string text = holder->value_or("");
    const std::string why = fmt::format("worker {} fell silent", text.substr(0, text.find(' ')));
    if (auto written = disk_.write(claim_path(lease, Mark::failed), why, false); !written) return pass_on(written);
    if (all[i].failures + 1 >= stored.batch.attempts) continue;
    auto claimed = try_claim(stored, {lease.chunk, lease.fence}, offer);
    if (!claimed || *claimed) return claimed;
  }
  return std::nullopt;
}

Result<bool> FileQueue::is_silent(const Lease& lease) {
  const Path path = claim_path(lease);
  const auto time = disk_.time(path);
  if (!time) return pass_on(time);
  if (!*time) return false;  // the batch is being removed
  const auto key = std::make_tuple(lease.batch, lease.chunk, lease.fence);
  const std::int64_t now_ms = options_.now_ms();
  {
    const std::lock_guard lock(mutex_);
    const auto seen = seen_.find(key);
    if (seen != seen_.end() && seen->second.time == **time) {
      if (now_ms - seen->second.since_ms <= seen->second.lease_ms) return false;
      seen_.erase(seen);
      return true;
    }
  }
  const auto text = disk_.read(path);
  if (!text) return pass_on(text);
  const std::lock_guard lock(mutex_);
  seen_[key] = {.time = **time, .since_ms = now_ms, .lease_ms = lease_in(text->value_or(""), options_.lease_ms)};
  return false;
}

Result<Held> FileQueue::standing(const Lease& lease) {
  const auto stored = load(lease.batch);
  if (!stored) return pass_on(stored);
  if (!*stored || (*stored)->id != lease.batch_id) return Held::over;
  const Path folder = folder_of(lease.batch);
  const auto cancelled = disk_.exists(folder / "cancelled");
  if (!cancelled) return pass_on(cancelled);
  if (*cancelled) return Held::over;
  Lease next = lease;
  ++next.fence;
  const Path done = folder / "done" / fmt::format("{}", lease.chunk);
  for (const Path& path :
       {done, claim_path(next), claim_path(lease, Mark::failed), claim_path(lease, Mark::released)}) {
    const auto there = disk_.exists(path);
    if (!there) return pass_on(there);
    if (*there) return Held::lost;
  }
  return Held::yes;
}

Result<Held> FileQueue::renew(const Lease& lease) {
  auto stands = standing(lease);
  if (!stands || *stands != Held::yes) return stands;
  const auto touched = disk_.touch(claim_path(lease));
  if (!touched) return pass_on(touched);
  return *touched ? Held::yes : Held::lost;
}

Result<bool> FileQueue::end(const Lease& lease, Mark mark, std::string_view why) {
  const auto stands = standing(lease);
  if (!stands) return pass_on(stands);
  if (*stands != Held::yes) return false;
  if (auto written = disk_.write(claim_path(lease, mark), why, false); !written) return pass_on(written);
  return true;
}

Result<bool> FileQueue::release(const Lease& lease) { return end(lease, Mark::released, ""); }

Result<bool> FileQueue::fail(const Lease& lease, std::string_view why) { return end(lease, Mark::failed, why); }

Result<std::vector<Lease>> FileQueue::held(const std::string& batch) {
  const auto stored = need(batch);
  if (!stored) return pass_on(stored);
  const auto all = states(**stored);
  if (!all) return pass_on(all);
  std::vector<Lease> leases;
  for (std::size_t i = 0; i < all->size(); ++i) {
    if (!(*all)[i].held()) continue;
    Lease lease{.batch = batch,
                .worker = "",
                .batch_id = (*stored)->id,
                .chunk = static_cast<std::int64_t>(i),
                .fence = (*all)[i].fence};
    const auto text = disk_.read(claim_path(lease));
    if (!text) return pass_on(text);
    lease.worker = text->value_or("").substr(0, text->value_or("").find(' '));
    leases.push_back(std::move(lease));
  }
  return leases;
}

// ---- results ----

// What has been decided of the chunk already; nothing: nothing has.
Result<std::optional<Finish>> FileQueue::settled(const Lease& lease) {
  const Path folder = folder_of(lease.batch);
  const auto text = disk_.read(folder / "done" / fmt::format("{}", lease.chunk));
  if (!text) return pass_on(text);
  if (*text) {
    const auto result = parse_result(**text);
    if (!result || result->worker != lease.worker || result->fence != lease.fence) return Finish::late;
    if (auto synced = disk_.sync(folder / "done"); !synced) return pass_on(synced);
    return Finish::counted;
  }
  const auto cancelled = disk_.exists(folder / "cancelled");
  if (!cancelled) return pass_on(cancelled);
  return *cancelled ? std::optional(Finish::over) : std::nullopt;
}

Result<Finish> FileQueue::finish(const Lease& lease, std::string_view result) {
  if (result.size() > kMaxResult) {
    return std::unexpected(fmt::format("a result of {} bytes; {} are allowed", result.size(), kMaxResult));
  }
  const auto stored = load(lease.batch);
  if (!stored) return pass_on(stored);
  if (!*stored || (*stored)->id != lease.batch_id) return Finish::over;
  auto already = settled(lease);
  if (!already || *already) return already ? Result<Finish>(**already) : Result<Finish>(pass_on(already));
  const Path aside = temporary(), folder = folder_of(lease.batch) / "done";
  const auto written = disk_.write(aside, result_text(lease.worker, lease.fence, result), true);
  const auto linked = written ? disk_.link(aside, folder / fmt::format("{}", lease.chunk))
                              : FileResult<bool>(std::unexpected(written.error()));
  static_cast<void>(disk_.remove(aside));
  if (!linked) return pass_on(linked);
  if (!*linked) return Finish::late;
  if (auto synced = disk_.sync(folder); !synced) return pass_on(synced);
  return Finish::counted;
}

}  // namespace fuhyo::jobs
