#include "engines/record/csa_writer.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "engines/record/csa_move.h"
#include "engines/record/encoding.h"
#include "engines/record/lines.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

void append_known(std::string& out, std::string_view head, std::string_view value) {
  if (!value.empty()) append_line(out, head, value);
}

void append_times(std::string& out, const Game& game, CsaVersion version) {
  if (game.black_time && game.black_time == game.white_time) {
    const auto limit = version < CsaVersion::v3_0 ? format_time_limit(*game.black_time) : std::nullopt;
    append_line(out, limit ? "$TIME_LIMIT:" : "$TIME:", limit ? *limit : format_time(*game.black_time));
    return;
  }
  if (game.black_time) append_line(out, "$TIME+:", format_time(*game.black_time));
  if (game.white_time) append_line(out, "$TIME-:", format_time(*game.white_time));
}

void append_headers(std::string& out, const Game& game, CsaVersion version) {
  append_known(out, "N+", game.black);
  append_known(out, "N-", game.white);
  append_known(out, "$EVENT:", game.event);
  append_known(out, "$SITE:", game.site);
  append_known(out, "$START_TIME:", game.start_time);
  append_known(out, "$END_TIME:", game.end_time);
  append_times(out, game, version);
  append_known(out, "$OPENING:", game.opening);
  if (game.max_moves) append_line(out, "$MAX_MOVES:", std::to_string(*game.max_moves));
  append_known(out, "$NOTE:", game.note);
  for (const Header& header : game.headers) append_line(out, "$" + header.key + ":", header.value);
}

void append_time(std::string& out, const std::optional<std::int64_t>& spent_ms, CsaVersion version) {
  if (!spent_ms) return;
  const std::int64_t whole = *spent_ms / 1000 * 1000;
  append_line(out, "T", format_seconds(version < CsaVersion::v3_0 ? whole : *spent_ms));
}

void append_comment(std::string& out, const Comment& comment) {
  std::string_view head = "'";
  if (comment.kind == Comment::Kind::program) head = "'*";
  if (comment.kind == Comment::Kind::unparsed) head = "";
  std::string_view text = comment.text;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    append_line(out, head, text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  append_line(out, head, text);
}

std::string board_text(const Setup& setup) {
  std::string out;
  append_board(out, setup.board, setup.hands);
  out += csa_sign(setup.turn);
  out += '\n';
  return out;
}

// The comments are in order; each call writes those up to a place and goes on from there the next time.
class CommentWriter {
 public:
  CommentWriter(std::string& out, const Game& game) : out_(out), game_(game) {}
  void upto(std::int32_t ply, bool after_end) {
    for (; next_ < game_.comments.size(); ++next_) {
      const Comment& comment = game_.comments[next_];
      if (!after_end && (comment.ply > ply || comment.after_end)) return;
      append_comment(out_, comment);
    }
  }

 private:
  std::string& out_;
  const Game& game_;
  std::size_t next_ = 0;
};

void append_end(std::string& out, const End& end, CsaVersion version) {
  if (end.kind == EndKind::none) return;
  // CSA has no names for ends that other formats have words for: the game broke off, and a comment says how.
  const bool named = end.kind != EndKind::other || is_ascii(end.text);
  std::string name(end.kind == EndKind::other ? std::string_view(end.text) : csa_end_name(end.kind));
  std::ranges::replace(name, ',', ' ');  // a comma would begin another statement
  append_line(out, "%", named ? name : csa_end_name(EndKind::chudan));
  append_time(out, end.spent_ms, version);
  if (!named) append_line(out, "'", name);
}

void append_game(std::string& out, const Game& game, CsaVersion version) {
  append_headers(out, game, version);
  out += board_text(game.start);
  CommentWriter comments(out, game);
  comments.upto(0, false);
  Setup board = game.start;
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : game.moves) {
    append_line(out, to_csa(board.to_csa(recorded.move)), "");
    append_time(out, recorded.spent_ms, version);
    board.apply(recorded.move);
    comments.upto(++ply, false);
  }
  if (game.impossible) {
    append_line(out, to_csa(game.impossible->move), "");
    append_time(out, game.impossible->spent_ms, version);
  }
  append_end(out, game.end, version);
  comments.upto(ply, true);
}

std::string file_head(CsaVersion version) {
  std::string out = version == CsaVersion::v3_0 ? "'CSA encoding=UTF-8\n" : "";
  if (version != CsaVersion::v1) append_line(out, to_string(version), "");
  return out;
}

}  // namespace

std::string write_csa(const Game& game, CsaVersion version) { return write_csa(std::span(&game, 1), version); }

std::string write_csa(std::span<const Game> games, CsaVersion version) {
  std::string out = file_head(version);
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (i > 0) append_line(out, "/", "");
    append_game(out, games[i], version);
  }
  return out;
}

}  // namespace fuhyo::record
