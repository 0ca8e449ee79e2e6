#include "engines/record/kif_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string_view>

#include "engines/record/kif_end.h"
#include "engines/record/kif_header.h"
#include "engines/record/kif_move.h"
#include "engines/record/kif_setup.h"
#include "engines/record/kif_text.h"
#include "engines/record/lines.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

void append_lines(std::string& out, std::string_view head, std::string_view text) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    append_line(out, head, text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  append_line(out, head, text);
}

// A name that a reader finds again as one: not the beginning of another kind of line, and no colon in it.
bool is_plain_key(std::string_view key) {
  constexpr std::array<std::string_view, 11> kOthers = {"*",    "#",    "&",     "|",   "+-",    "まで",
                                                        "変化", "手数", "９ ８", "9 8", "手合割"};
  if (key.empty() || trimmed(key) != key || key.find_first_of(":\n") != std::string_view::npos) return false;
  if (key.contains("：") || key.contains("持駒") || key.contains("持ち駒") || (key[0] >= '0' && key[0] <= '9')) {
    return false;
  }
  if (std::string_view rest = key; take_mark(rest)) return false;
  return std::ranges::none_of(kOthers, [key](std::string_view other) { return key.starts_with(other); });
}

void append_start(std::string& out, const Game& game) {
  const KifHandicap* handicap = handicap_of(game.start);
  append_line(out, "手合割：", handicap != nullptr ? handicap->name : "その他");
  if (handicap == nullptr) out += kif_board(game.start);
}

// Everything up to the comments before the first move; `rule` is the line between the headers and them.
void append_head(std::string& out, const Game& game, std::string_view rule) {
  std::string remarks;
  for (const Header& header : headers_of(game)) {
    const bool plain = is_plain_key(header.key);
    std::string value = header.value;
    std::ranges::replace(value, '\n', ' ');
    append_line(plain ? out : remarks, (plain ? "" : "#") + header.key + "：", trimmed(value));
  }
  append_start(out, game);
  append_line(out, rule, "");
  out += remarks;  // where the comments are: before the first header they would be about the file
}

void append_comment(std::string& out, const Comment& comment) {
  const bool bookmark = comment.kind == Comment::Kind::note && comment.text.starts_with('&');
  const std::string_view head = comment.kind == Comment::Kind::program ? "*" : bookmark ? "" : "#";
  // Only the first line of a bookmark has its mark; the rest are notes.
  const std::size_t first = bookmark ? std::min(comment.text.find('\n'), comment.text.size()) : 0;
  if (bookmark) append_line(out, "", std::string_view(comment.text).substr(0, first));
  if (!bookmark) return append_lines(out, head, comment.text);
  if (first < comment.text.size()) append_lines(out, "#", std::string_view(comment.text).substr(first + 1));
}

// The comments are in order; each call writes those up to a place and goes on from there the next time.
class CommentWriter {
 public:
  CommentWriter(std::string& out, const Game& game) : out_(out), game_(game) {}
  // Those up to the ply, or all that are left.
  void upto(std::int32_t ply, bool after_end) {
    while (any_upto(ply, after_end)) append_comment(out_, game_.comments[next_++]);
  }
  bool any_upto(std::int32_t ply, bool after_end) const {
    if (next_ == game_.comments.size()) return false;
    const Comment& comment = game_.comments[next_];
    return after_end || (comment.ply <= ply && !comment.after_end);
  }

 private:
  std::string& out_;
  const Game& game_;
  std::size_t next_ = 0;
};

// The lines of moves of a KIF file, with what each side has used so far.
class KifLines {
 public:
  KifLines(std::string& out, Color turn) : out_(out), turn_(turn) {}

  void add(std::string_view text, const std::optional<std::int64_t>& spent_ms) {
    constexpr std::size_t kColumns = 13;  // up to the time
    out_ += fmt::format("{:4} {}", ++number_, text);
    if (spent_ms) {
      out_.append(std::max<std::size_t>(kColumns - std::min(columns(text), kColumns), 1), ' ');
      const std::int64_t own_s = *spent_ms / 1000, total_s = (total_ms_[turn_] += *spent_ms / 1000 * 1000) / 1000;
      out_ += fmt::format("({:2}:{:02}/{:02}:{:02}:{:02})", own_s / 60, own_s % 60, total_s / 3600, total_s / 60 % 60,
                          total_s % 60);
    }
    out_ += '\n';
    turn_ = ~turn_;
  }

 private:
  std::string& out_;
  Color turn_;
  std::array<std::int64_t, COLOR_NB> total_ms_{};
  int number_ = 0;
};

void append_last_line(std::string& out, const Game& game) {
  if (const std::string last = kif_last_line(game); !last.empty()) append_line(out, last, "");
}

}  // namespace

std::string write_kif(const Game& game) {
  std::string out;
  append_head(out, game, "手数----指手---------消費時間--");
  CommentWriter comments(out, game);
  comments.upto(0, false);
  KifLines lines(out, game.start.turn);
  Setup board = game.start;
  Square last_to = SQ_NONE;
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : game.moves) {
    const CsaMove csa = board.to_csa(recorded.move);
    const PieceType before = csa.from == SQ_NONE ? csa.after : type_of(board.board[static_cast<std::size_t>(csa.from)]);
    lines.add(to_kif(csa, before, last_to), recorded.spent_ms);
    board.apply(recorded.move);
    last_to = csa.to;
    comments.upto(++ply, false);
  }
  if (game.impossible) {
    const CsaMove& tried = game.impossible->move;
    lines.add(to_kif(tried, tried.after, last_to), game.impossible->spent_ms);
  }
  if (game.end.kind != EndKind::none) lines.add(kif_end_word(game), game.end.spent_ms);
  append_last_line(out, game);
  comments.upto(ply, true);
  return out;
}

std::expected<std::string, std::string> write_ki2(const Game& game) {
  constexpr int kMovesALine = 6;
  constexpr std::size_t kColumns = 12;
  if (game.impossible) return std::unexpected("the last move is impossible, and KI2 has no origins");
  std::string out;
  append_head(out, game, "");
  CommentWriter comments(out, game);
  comments.upto(0, false);
  Setup board = game.start;
  Square last_to = SQ_NONE;
  std::int32_t ply = 0;
  int in_line = 0;
  for (const RecordedMove& recorded : game.moves) {
    const KifMove said = in_words(board, recorded.move);
    const auto understood = meant(board, said, last_to);
    ++ply;
    if (!understood || board.resolve(*understood) != recorded.move) {
      return std::unexpected(
          fmt::format("move {}, {}, cannot be told in words", ply, to_csa(board.to_csa(recorded.move))));
    }
    const std::string text = to_ki2(said, last_to);
    board.apply(recorded.move);
    last_to = recorded.move.to();
    out += text;
    const bool break_here = comments.any_upto(ply, false) || ply == game.plies() || ++in_line == kMovesALine;
    if (break_here) {
      out += '\n';
      in_line = 0;
      comments.upto(ply, false);
    } else {
      out.append(kColumns - std::min(columns(text), kColumns - 1), ' ');
    }
  }
  append_last_line(out, game);
  comments.upto(ply, true);
  return out;
}

}  // namespace fuhyo::record
