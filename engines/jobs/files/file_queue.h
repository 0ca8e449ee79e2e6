// The queue in a folder, on one machine or on a file system that many share. No clock is shared: a holder changes the
// time of its claim's file, and who waits for the chunk gives it up when it has seen no change for the time of the
// lease by its own clock. JOBS.md has the layout and says what happens at every cut.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engines/jobs/files/chunk_states.h"
#include "engines/jobs/files/folder.h"
#include "engines/jobs/open.h"
#include "engines/jobs/queue.h"

namespace fuhyo::jobs {

class FileQueue final : public Queue {
 public:
  // Makes the folder if there is none, and clears up what killed processes left in it a day ago or earlier; but with
  // `create` off it writes nothing.
  static Result<std::unique_ptr<Queue>> open(const std::filesystem::path& root, const QueueOptions& options);

  Result<bool> add(const Batch& batch) override;
  Result<std::optional<Claim>> claim(const Wanted& wanted) override;
  Result<Held> renew(const Lease& lease) override;
  Result<Finish> finish(const Lease& lease, std::string_view result) override;
  Result<bool> release(const Lease& lease) override;
  Result<bool> fail(const Lease& lease, std::string_view why) override;
  Result<std::vector<Lease>> held(const std::string& batch) override;
  Result<std::vector<std::string>> batches() override;
  Result<Progress> progress(const std::string& batch) override;
  Result<std::vector<ChunkResult>> results(const std::string& batch, const std::set<std::int64_t>& known) override;
  Result<void> cancel(const std::string& batch) override;
  Result<void> retry(const std::string& batch) override;
  Result<void> remove(const std::string& batch) override;

 private:
  using Path = std::filesystem::path;
  struct Stored {
    Batch batch;
    std::int64_t id = 0;
  };
  struct Free {
    std::int64_t chunk = 0, fence = 0;  // of the last claim
  };
  // What this object remembers of a batch, as long as its file is the same.
  struct Memory {
    std::int64_t time = 0;
    std::shared_ptr<const Stored> stored;
    std::deque<Free> free;  // found in the last listing; a claim of them fails if somebody was faster
    bool all_done = false;
  };
  // When the time of a claim's file was seen first.
  struct Seen {
    std::int64_t time = 0, since_ms = 0, lease_ms = 0;
  };
  // A claim's file before it has its name.
  struct Offer;

  FileQueue(std::filesystem::path root, const QueueOptions& options);
  Result<void> prepare() const;
  Result<void> look() const;  // whether there is a queue
  Path folder_of(const std::string& batch) const { return root_ / "batches" / batch; }
  Path claim_path(const Lease& lease, Mark mark = Mark::claim) const;
  Path temporary() const;

  Result<std::shared_ptr<const Stored>> load(const std::string& name);  // null: there is none
  Result<std::shared_ptr<const Stored>> need(const std::string& name);
  Result<std::vector<ChunkState>> states(const Stored& stored);
  Result<std::optional<Claim>> claim_of(const Stored& stored, Offer& offer);
  Result<std::optional<Claim>> claim_free(const Stored& stored, Offer& offer);
  Result<std::optional<Claim>> claim_silent(const Stored& stored, const std::vector<ChunkState>& all, Offer& offer);
  Result<std::optional<Claim>> try_claim(const Stored& stored, Free free, Offer& offer);
  Result<bool> is_silent(const Lease& lease);
  std::optional<Free> take_free(const std::string& batch);
  bool refill(const Stored& stored, const std::vector<ChunkState>& all);
  // What keeps the lease from being renewed; yes: nothing.
  Result<Held> standing(const Lease& lease);
  Result<bool> end(const Lease& lease, Mark mark, std::string_view why);
  Result<std::optional<Finish>> settled(const Lease& lease);

  const Path root_;
  const QueueOptions options_;
  const Folder disk_;
  const std::string unique_;
  mutable std::atomic<std::uint64_t> temporaries_{0};

  std::mutex mutex_;  // of what follows
  std::map<std::string, Memory> memory_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, Seen> seen_;  // batch, chunk, fence
};

}  // namespace fuhyo::jobs
