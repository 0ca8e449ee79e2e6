#include "server/net/record_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engines/record/csa_reader.h"
#include "engines/record/encoding.h"
#include "engines/shogi/number.h"

namespace fuhyo::net {
namespace {

std::optional<record::TimeControl> time_control(const core::TimeRule& time) {
  if (time.unlimited()) return std::nullopt;
  return record::TimeControl{.total_ms = std::int64_t{time.total_s} * 1'000,
                             .byoyomi_ms = std::int64_t{time.byoyomi_s} * 1'000,
                             .increment_ms = std::int64_t{time.increment_s} * 1'000};
}

// "12 * text" of the notes: a comment behind the twelfth move, before what the server says of the end.
void add_note(record::Game& game, std::string_view line, std::int32_t least_ply) {
  record::Comment comment;
  const auto ply = shogi::take_number<decltype(comment.ply)>(line);
  if (!ply || line.size() < 3) return;
  comment.ply = *ply;
  if (line[1] == '*') comment.kind = record::Comment::Kind::program;
  const std::string_view raw = line.substr(3);
  const auto text = record::decode_to_utf8(raw, record::detect_encoding(raw));
  if (!text) return;
  comment.text = record::without_controls(text->text);
  comment.ply = std::min(std::max(comment.ply, least_ply), game.plies());
  const auto later = [&](const record::Comment& each) { return each.after_end || each.ply > comment.ply; };
  game.comments.insert(std::ranges::find_if(game.comments, later), std::move(comment));
}

void add_notes(record::Game& game, std::string_view notes, std::int32_t least_ply) {
  while (!notes.empty()) {
    const std::string_view line = notes.substr(0, notes.find('\n'));
    notes.remove_prefix(std::min(notes.size(), line.size() + 1));
    add_note(game, line, least_ply);
  }
}

}  // namespace

std::expected<record::RecordFile, RecordFault> record_file(const core::GameOpened& opened, const ShownRecord& shown,
                                                           std::string_view extension) {
  const auto format = record::format_by_extension(extension);
  if (!format) return std::unexpected(RecordFault{"there is no such format", true});
  const auto read = record::read_csa(shown.text);
  if (!read) return std::unexpected(RecordFault{to_string(read.error())});
  record::Game game = read->games.front().game;
  add_notes(game, shown.notes, static_cast<std::int32_t>(opened.preset_moves.size()));
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
