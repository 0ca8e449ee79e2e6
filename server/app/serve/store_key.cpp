#include "server/app/serve/store_key.h"

#include <fmt/format.h>
#include <utility>
#include <variant>

#include "server/app/commands.h"
#include "server/secrets/keyed_hash.h"

namespace fuhyo::app {
namespace {

constexpr std::string_view kWhatToDo =
    "Put the copy of the right key there. If there is none, start once with --accept-key: ratings and games stay, but "
    "whoever has an account needs a new secret, and who has none gets another id";

}  // namespace

std::string key_fingerprint(std::string_view key) { return secrets::keyed_hash(key, "fingerprint\nfuhyo"); }

std::string kept_fingerprint(const core::Recovery& stands) {
  for (const core::Journaled& row : stands.keyed_facts) {
    if (const auto* kept = std::get_if<core::KeyKept>(&row.fact)) return kept->fingerprint;
  }
  return {};
}

Started check_store_key(const std::filesystem::path& file, std::string_view store, std::string_view kept) {
  if (kept.empty()) return {};
  const auto refuse = [&](std::string_view what) {
    return start_failed(kExitIo, fmt::format("{} {} of the store {}. {}", file.string(), what, store, kWhatToDo));
  };
  const auto there = secrets::secret_in(file);
  if (!there) return start_failed(kExitCannotCreate, there.error());
  if (!*there) return refuse("is not there: it was the key");
  if (key_fingerprint(**there) != kept) return refuse("is not the key");
  return {};
}

std::expected<std::string, StartError> open_store_key(const std::filesystem::path& file, std::string_view store,
                                                      std::string_view kept, bool accept) {
  if (!accept) {
    if (auto fine = check_store_key(file, store, kept); !fine) return std::unexpected(std::move(fine.error()));
  }
  auto key = secrets::secret_of(file);
  if (!key) return start_failed(kExitCannotCreate, std::move(key.error()));
  return std::move(*key);
}

}  // namespace fuhyo::app
