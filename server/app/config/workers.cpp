#include "server/app/config/workers.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/app/config/key_values.h"
#include "server/app/config/operators.h"
#include "server/core/text_parts.h"
#include "server/csa/command.h"
#include "server/secrets/random.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMaxWorkerName = 32, kMostPatterns = 32;

// The characters of names, and a star at most.
bool is_pattern_of_names(std::string_view text) {
  std::string plain(text);
  const std::size_t stars = std::erase(plain, '*');
  return stars <= 1 && (plain.empty() || csa::is_identifier(plain, kMaxWorkerName));
}

}  // namespace

std::expected<WorkerPost, std::string> parse_worker(std::string_view line) {
  WorkerPost post;
  for (const auto& [key, value] : key_values(line)) {
    if (key == "name") {
      post.name = value;
    } else if (key == "secret_hash") {
      post.secret_hash = value;
    } else if (key == "players") {
      post.players = core::parts_of<std::string>(value, ',');
    } else {
      return std::unexpected(fmt::format("a worker has name, secret_hash and players, not '{}'", key));
    }
  }
  if (!csa::is_identifier(post.name, kMaxWorkerName)) {
    return std::unexpected(fmt::format("'{}' is no name of a worker", post.name));
  }
  if (!is_secret_hash(post.secret_hash)) {
    return std::unexpected(fmt::format("secret_hash of {} is not what 'fuhyo admin worker add' prints", post.name));
  }
  if (post.players.empty()) post.players = {post.name, post.name + "-*"};
  if (post.players.size() > kMostPatterns || !std::ranges::all_of(post.players, is_pattern_of_names)) {
    return std::unexpected(
        fmt::format("players of {} are names of players, with one * at most in each and commas between", post.name));
  }
  return post;
}

std::string worker_toml(const WorkerPost& post) {
  return fmt::format("[[worker]]\nname = \"{}\"\nplayers = \"{}\"\nsecret_hash = \"{}\"\n", post.name,
                     fmt::join(post.players, ","), post.secret_hash);
}

bool is_worker_token(const std::vector<WorkerPost>& posts, std::string_view name, std::string_view token) {
  static const std::string of_nobody = hash_secret(secrets::random_token());
  const auto post = std::ranges::find(posts, name, &WorkerPost::name);
  return is_secret(post == posts.end() ? of_nobody : post->secret_hash, token);
}

}  // namespace fuhyo::app
