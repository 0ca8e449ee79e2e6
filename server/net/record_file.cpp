#include "server/net/record_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "engines/record/csa_reader.h"

namespace fuhyo::net {
namespace {

std::optional<record::TimeControl> time_control(const core::TimeRule& time) {
  if (time.unlimited()) return std::nullopt;
  return record::TimeControl{.total_ms = std::int64_t{time.total_s} * 1'000,
                             .byoyomi_ms = std::int64_t{time.byoyomi_s} * 1'000,
                             .increment_ms = std::int64_t{time.increment_s} * 1'000};
}

}  // namespace

std::expected<record::RecordFile, RecordFault> record_file(const core::GameOpened& opened, const std::string& text,
                                                           std::string_view extension) {
  const auto format = record::format_by_extension(extension);
  if (!format) return std::unexpected(RecordFault{"there is no such format", true});
  const auto read = record::read_csa(text);
  if (!read) return std::unexpected(RecordFault{to_string(read.error())});
  record::Game game = read->games.front().game;
  // shogi-server's records do not say how much time there was.
  game.black_time = time_control(opened.time);
  game.white_time = time_control(opened.time_of(shogi::WHITE));
  auto file = record::write_record(game, *format);
  if (!file) return std::unexpected(RecordFault{file.error()});
  return std::move(*file);
}

std::string file_name(std::string_view csa_id, std::string_view extension) {
  std::string name(csa_id);
  const auto fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '_' || c == '.';
  };
  std::ranges::replace_if(name, [&](char c) { return !fine(c); }, '_');
  return name + "." + std::string(extension == "csa3" ? "csa" : extension);
}

}  // namespace fuhyo::net
