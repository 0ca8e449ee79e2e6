#include "engines/learn/generate/policy/job.h"

#include <algorithm>
#include <climits>
#include <fmt/format.h>

#include "engines/learn/generate/job_text.h"
#include "engines/record/training.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kGumbel = "gumbel", kNoise = "noise";

}  // namespace

std::expected<void, std::string> take_fingerprints(PolicyPlayJob& job) {
  auto network = file_print(job.play.network), openings = file_print(job.openings);
  if (!network) return std::unexpected(network.error());
  if (!openings) return std::unexpected(openings.error());
  job.network_print = std::move(*network);
  job.openings_print = std::move(*openings);
  return {};
}

std::string to_text(const PolicyPlayJob& job) {
  const PolicyPlayTerms& play = job.play;
  return boost::json::serialize(boost::json::object{{"fuhyoSelfPlayPolicy", 1},
                                                    {"network", play.network},
                                                    {"networkPrint", job.network_print},
                                                    {"roots", play.roots == Roots::gumbel ? kGumbel : kNoise},
                                                    {"full", play.full},
                                                    {"playouts", play.playouts},
                                                    {"fastPlayouts", play.fast_playouts},
                                                    {"considered", play.considered},
                                                    {"noise", play.noise},
                                                    {"alpha", play.alpha},
                                                    {"softmax", play.softmax},
                                                    {"temperature", play.temperature},
                                                    {"temperatureLate", play.temperature_late},
                                                    {"temperaturePlies", play.temperature_plies},
                                                    {"mostAtStart", play.most_at_start},
                                                    {"resign", play.resign},
                                                    {"resignAfter", play.resign_after},
                                                    {"toTheEnd", play.to_the_end},
                                                    {"mateNodes", play.mate_nodes},
                                                    {"drawAtPly", play.draw_at_ply},
                                                    {"seed", std::to_string(play.seed)},
                                                    {"openings", job.openings},
                                                    {"openingsPrint", job.openings_print},
                                                    {"firstPly", job.starts.first_ply},
                                                    {"lastPly", job.starts.last_ply},
                                                    {"randomMoves", job.starts.random_moves}});
}

std::expected<PolicyPlayJob, std::string> parse_policy_play_job(std::string_view text) {
  const auto object = parse_job_object(text, "fuhyoSelfPlayPolicy");
  if (!object) return std::unexpected(object.error());
  PolicyPlayJob job;
  PolicyPlayTerms& play = job.play;
  JobReader reader(*object);
  std::string roots;
  reader.text("network", play.network);
  reader.text("networkPrint", job.network_print);
  reader.text("roots", roots);
  play.roots = roots == kNoise ? Roots::noise : Roots::gumbel;
  reader.part("full", play.full);
  reader.number("playouts", play.playouts, 1, kMostPlayouts);
  reader.number("fastPlayouts", play.fast_playouts, 1, kMostPlayouts);
  reader.number("considered", play.considered, 1, 593);
  reader.part("noise", play.noise);
  reader.real("alpha", play.alpha, 1e-3, 1e3);
  reader.real("softmax", play.softmax, 0.01, 100);
  reader.real("temperature", play.temperature, 0, 100);
  reader.real("temperatureLate", play.temperature_late, 0, 100);
  reader.number("temperaturePlies", play.temperature_plies, 1, 10'000);
  reader.real("mostAtStart", play.most_at_start, 0.5, 1);
  reader.real("resign", play.resign, 0, 0.5);
  reader.number("resignAfter", play.resign_after, 1, 1'000);
  reader.part("toTheEnd", play.to_the_end);
  reader.number("mateNodes", play.mate_nodes, 0, INT_MAX);
  reader.number("drawAtPly", play.draw_at_ply, 1, 100'000);
  reader.seed("seed", play.seed);
  reader.text("openings", job.openings);
  reader.text("openingsPrint", job.openings_print);
  reader.number("firstPly", job.starts.first_ply, 0, 1'000);
  reader.number("lastPly", job.starts.last_ply, job.starts.first_ply, 1'000);
  reader.number("randomMoves", job.starts.random_moves, 0, 1'000);
  if (!reader.wrong().empty() || (roots != kGumbel && roots != kNoise)) {
    const std::string& wrong = reader.wrong().empty() ? "roots" : reader.wrong();
    return std::unexpected(fmt::format("self-play whose '{}' cannot be read", wrong));
  }
  return job;
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

PolicyChunkSize measure_policy_games(std::span<const record::Hcpe3Game> games, const PolicyPlayTerms& terms,
                                     std::uint64_t first) {
  PolicyChunkSize size{.games = games.size()};
  for (std::size_t i = 0; i < games.size(); ++i) {
    const record::Hcpe3Game& game = games[i];
    size.positions += game.moves.size();
    size.recorded += static_cast<std::uint64_t>(
        std::ranges::count_if(game.moves, [](const record::Hcpe3Move& move) { return !move.candidates.empty(); }));
    const auto loser = gives_up(terms, game);
    if (!loser) continue;
    if (!PolicyLots(terms, first + i).to_the_end()) {
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
