// A queue by its address: a folder, or a PostgreSQL database.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engines/jobs/files/folder.h"
#include "engines/jobs/queue.h"

namespace fuhyo::jobs {

struct QueueOptions {
  // How long a holder may be silent. Clients of NFS keep what they know of a file for up to a minute, so it is twice
  // that.
  std::int64_t lease_ms = 120'000;

  // Whether a queue that is not there is made; else it is an error.
  bool create = true;

  // Of files: whether batches, results and cancellations survive a power cut.
  bool durable = true;
  // Of files: milliseconds of a clock that never goes backwards; null: the machine's. Tests have their own.
  std::function<std::int64_t()> now_ms{};
  FileHook hook{};
};

// "postgres://USER@HOST/DATABASE" or "postgresql://...", else the path of a folder.
Result<std::unique_ptr<Queue>> open_queue(std::string_view address, const QueueOptions& options = {});

}  // namespace fuhyo::jobs
