// What lies in the folder of a shogi-server. Only looks at names; blocking; any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuhyo::store {

struct Topdir {
  struct Record {
    std::filesystem::path path;
    std::string id;                // Game_ID; empty: the file is not called after one
    std::filesystem::path target;  // YYYY/MM/DD/<name>; empty: it does not lie in a folder of its day, and no name says
  };
  std::vector<Record> records;                   // in the order of pairing
  std::vector<std::filesystem::path> lists;      // 00LIST*
  std::vector<std::filesystem::path> histories;  // floodgate_history_*.yaml
  std::vector<std::filesystem::path> schedules;  // floodgate-*.conf
  std::optional<std::filesystem::path> players, buoys;
  std::size_t others = 0;  // logs, programs
};

// `ours`: folders below it that are not its own.
std::expected<Topdir, std::string> read_topdir(const std::filesystem::path& folder,
                                               std::span<const std::filesystem::path> ours);

}  // namespace fuhyo::store
