#include "engines/learn/generate/policy/coordinator.h"

#include <fmt/format.h>

#include "engines/learn/data/whole_file.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

std::expected<ChunkSize, std::string> measure_policy_bytes(std::string_view bytes) {
  const auto games = decode_policy_chunk(bytes);
  if (!games) return std::unexpected(games.error());
  const PolicyChunkSize size = measure_policy_games(*games, {}, 0);
  return ChunkSize{.games = size.games, .positions = size.positions};
}

std::string policy_remark(const PolicyChunkSize& sum) {
  return fmt::format("; {} to learn, {} resigned, {} of {} that were played on wrong to", sum.recorded,
                     record::counted(sum.resigned, "game"), sum.wrong, sum.checked);
}

}  // namespace

std::vector<std::string> policy_play_command(const std::string& program, std::uint32_t at_once, std::size_t cache_mb,
                                             const std::filesystem::path& folder) {
  std::vector<std::string> command = play_command(program);
  command.insert(command.end(), {"--policy", "--at-once", std::to_string(at_once), "--cache", std::to_string(cache_mb),
                                 "--keep", (folder / "unfinished").string()});
  return command;
}

std::expected<Generated, std::string> generate(const PolicyGenerateOptions& options, const std::stop_token& stop) {
  PolicyChunkSize sum;
  Coordination asked = coordination_of(options, "self-play.hcpe3");
  asked.measure = [&](std::string_view bytes, std::string_view chunk) -> std::expected<ChunkSize, std::string> {
    const auto range = parse_game_range(chunk);
    const auto games = decode_policy_chunk(bytes);
    if (!games) return std::unexpected(games.error());
    const PolicyChunkSize size = measure_policy_games(*games, options.job.play, range ? range->first : 0);
    sum += size;
    return ChunkSize{.games = size.games, .positions = size.positions};
  };
  asked.write = [](const std::filesystem::path& file, const std::map<std::int64_t, std::string>& results) {
    std::string all;
    for (const auto& [chunk, bytes] : results) all += bytes;
    return replace_file(file, all);
  };
  asked.measure_file = [](const std::filesystem::path& file) -> std::expected<ChunkSize, std::string> {
    const auto bytes = read_file(file);
    if (!bytes) return std::unexpected(bytes.error());
    return measure_policy_bytes(*bytes);
  };
  asked.remark = [&] { return policy_remark(sum); };
  auto done = coordinate(asked, stop);
  std::error_code ignored;
  if (done && done->complete) std::filesystem::remove_all(options.folder / "unfinished", ignored);
  return done;
}

}  // namespace fuhyo::learn
