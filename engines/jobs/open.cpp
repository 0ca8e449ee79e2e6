#include "engines/jobs/open.h"

#include "engines/jobs/files/file_queue.h"
#ifndef FUHYO_WITHOUT_POSTGRES
#include "engines/jobs/postgres/postgres_queue.h"
#endif

namespace fuhyo::jobs {

Result<std::unique_ptr<Queue>> open_queue(std::string_view address, const QueueOptions& options) {
  if (address.empty()) return std::unexpected("a queue has an address: a folder, or postgres://USER@HOST/DATABASE");
  if (address.starts_with("postgres://") || address.starts_with("postgresql://")) {
#ifdef FUHYO_WITHOUT_POSTGRES
    return std::unexpected("this program was built without PostgreSQL: its queues are folders");
#else
    return PostgresQueue::open(std::string(address), options);
#endif
  }
  return FileQueue::open(std::filesystem::path(address), options);
}

}  // namespace fuhyo::jobs
