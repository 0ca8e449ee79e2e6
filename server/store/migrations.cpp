#include "server/store/migrations.h"

#include <fmt/format.h>

namespace fuhyo::store {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string checksum(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

std::expected<std::size_t, std::string> check_applied(std::span<const AppliedMigration> applied,
                                                      std::span<const Migration> migrations) {
  std::size_t count = 0;
  for (const AppliedMigration& theirs : applied) {
    if (count == migrations.size()) {
      return std::unexpected(fmt::format("was written by a newer program: it has migration {}, this program knows {}",
                                         theirs.name, migrations.empty() ? "none" : migrations.back().name));
    }
    const Migration& ours = migrations[count++];
    if (theirs.number != static_cast<std::int64_t>(count) || theirs.name != ours.name ||
        theirs.checksum != checksum(ours.sql)) {
      return std::unexpected(
          fmt::format("has migration {}, which differs from this program's {}", theirs.name, ours.name));
    }
  }
  return count;
}

}  // namespace fuhyo::store
