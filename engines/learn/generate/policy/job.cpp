#include "engines/learn/generate/policy/job.h"

#include <algorithm>

#include "engines/learn/generate/job_text.h"
#include "engines/record/training.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kPolicyPlayMark = "fuhyoSelfPlayPolicy";

}  // namespace

std::expected<void, std::string> take_fingerprints(PolicyPlayJob& job) { return take_prints(job); }

std::string to_text(const PolicyPlayJob& job) { return job_text(job, kPolicyPlayMark); }

std::expected<PolicyPlayJob, std::string> parse_policy_play_job(std::string_view text) {
  return parse_job<PolicyPlayJob>(text, kPolicyPlayMark);
}

jobs::Batch to_batch(const PolicyPlayJob& job, const GameRange& games, std::uint64_t per_chunk) {
  return in_chunks(kPolicyPlayKind, to_text(job), games, per_chunk);
}

std::expected<std::string, std::string> encode_policy_chunk(std::span<const PolicyGame> games) {
  record::Bytes bytes;
  for (const PolicyGame& game : games) {
    if (!record::append_hcpe3(bytes, game.record)) return std::unexpected("a game has more moves than hcpe3 holds");
  }
  return std::string(bytes.begin(), bytes.end());
}

std::expected<std::vector<record::Hcpe3Game>, std::string> decode_policy_chunk(std::string_view bytes) {
  record::ByteView left(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::vector<record::Hcpe3Game> games;
  while (!left.empty()) {
    const auto size = record::hcpe3_size(left);
    if (!size) return std::unexpected(size.error());
    if (*size > left.size()) return std::unexpected("it ends within a game");
    auto game = record::hcpe3(left.first(*size));
    if (!game) return std::unexpected(game.error());
    if (auto whole = record::scored_game(*game); !whole) return std::unexpected(whole.error());
    games.push_back(*std::move(game));
    left = left.subspan(*size);
  }
  return games;
}

PolicyChunkSize& PolicyChunkSize::operator+=(const PolicyChunkSize& other) {
  games += other.games;
  positions += other.positions;
  recorded += other.recorded;
  resigned += other.resigned;
  checked += other.checked;
  wrong += other.wrong;
  return *this;
}

PolicyChunkSize measure_policy_games(std::span<const record::Hcpe3Game> games, const PolicyPlayOptions& options,
                                     std::uint64_t first) {
  PolicyChunkSize size{.games = games.size()};
  for (std::size_t i = 0; i < games.size(); ++i) {
    const record::Hcpe3Game& game = games[i];
    size.positions += game.moves.size();
    size.recorded += static_cast<std::uint64_t>(
        std::ranges::count_if(game.moves, [](const record::Hcpe3Move& move) { return !move.candidates.empty(); }));
    const auto loser = gives_up(options, game);
    if (!loser) continue;
    if (!GameRandom(options, first + i).to_the_end()) {
      ++size.resigned;
      continue;
    }
    ++size.checked;
    const auto beaten = *loser == shogi::BLACK ? record::Winner::white : record::Winner::black;
    if (game.winner != beaten) ++size.wrong;
  }
  return size;
}

}  // namespace fuhyo::learn
