// The archive of an event: its tables as files of several kinds, and the records of its games. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/core/effects.h"
#include "server/core/tournaments/running_event.h"
#include "server/net/zip.h"

namespace fuhyo::app {

struct EventArchive {
  std::vector<net::ZipEntry> files;
  std::size_t tables = 0, records = 0;
  std::vector<std::string> missing;  // ids of games that have a result, but no record here
};

// `games`: what the server answers to `export EVENT-*`; null: there are no records. The pages link to the records that
// are in the archive, and to no others.
EventArchive archive_of(const core::RunningEvent& event, const core::AdminResult* games);

}  // namespace fuhyo::app
