#include "engines/learn/policy/from_searches.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engines/learn/data/block.h"
#include "engines/learn/data/chance.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/generate/policy/job.h"
#include "engines/record/training.h"

namespace fuhyo::learn::policy {
namespace {

constexpr double kOwnScale = 600;  // of Sample::score

std::expected<void, std::string> add_game(const record::Hcpe3Game& game, SearchedSamples& out) {
  auto position = record::unnumbered_position(game.start);
  if (!position) return std::unexpected(position.error());
  for (const record::Hcpe3Move& each : game.moves) {
    std::vector<Visits> visits;
    for (const auto& candidate : each.candidates) {
      if (candidate.visits == 0) continue;
      if (!position->is_legal(candidate.move)) return std::unexpected("a candidate is illegal in " + position->sfen());
      visits.push_back({.move = record::apery_bits(candidate.move), .count = candidate.visits});
    }
    if (!visits.empty()) {
      const auto best = std::ranges::max_element(each.candidates, {}, &record::Hcpe3Move::Candidate::visits);
      if (auto sample = sample_of(*position, best->move)) {
        sample->score = static_cast<std::int16_t>(std::round(each.score * kOwnScale / kChanceScale));
        sample->result = static_cast<std::uint8_t>(record::result_for(position->side_to_move(), game.winner) + 1);
        out.samples.push_back(*sample);
        out.visits.push_back(std::move(visits));
      }
    }
    position->do_move(each.move);
  }
  return {};
}

}  // namespace

std::expected<SearchedSamples, std::string> read_searches(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  if (bytes->empty()) return std::unexpected(file.string() + ": is empty");
  const auto games = decode_policy_chunk(*bytes);
  if (!games) return std::unexpected(fmt::format("{}: {}", file.string(), games.error()));
  SearchedSamples out{.games = games->size()};
  out.checksum = crc32c({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
  for (std::size_t i = 0; i < games->size(); ++i) {
    if (auto added = add_game((*games)[i], out); !added) {
      return std::unexpected(fmt::format("{}: game {}: {}", file.string(), i + 1, added.error()));
    }
  }
  return out;
}

}  // namespace fuhyo::learn::policy
