#include "engines/record/kif_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

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

  void add(std::string_view text, const std::optional<std::int64_t>& spent_ms, bool others_below = false) {
    constexpr std::size_t kColumns = 13;  // up to the time
    pass(spent_ms);
    out_ += fmt::format("{:4} {}", number_, text);
    if (spent_ms || others_below) {
      out_.append(std::max<std::size_t>(kColumns - std::min(columns(text), kColumns), 1), ' ');
    }
    if (spent_ms) {
      const std::int64_t own_s = *spent_ms / 1000, total_s = total_ms_[~turn_] / 1000;
      out_ += fmt::format("({:2}:{:02}/{:02}:{:02}:{:02})", own_s / 60, own_s % 60, total_s / 3600, total_s / 60 % 60,
                          total_s % 60);
    }
    out_ += others_below ? "+\n" : "\n";
  }
  // A move before the branch that is written.
  void pass(const std::optional<std::int64_t>& spent_ms) {
    total_ms_[turn_] += spent_ms.value_or(0) / 1000 * 1000;
    turn_ = ~turn_;
    ++number_;
  }

 private:
  std::string& out_;
  Color turn_;
  std::array<std::int64_t, COLOR_NB> total_ms_{};
  int number_ = 0;
};

// Lines and plies behind which another branch begins further down: {0, 2} the third move of the main line, {1, 5} the
// sixth one of the first branch.
using Forks = std::set<std::pair<std::size_t, std::int32_t>>;

Forks forks_of(const Game& game) {
  Forks forks;
  for (std::size_t i = 0; i < game.branches.size(); ++i) {
    const std::int32_t ply = game.branches[i].ply;
    std::size_t before = i;  // the line, counted from 1, that goes on or begins there
    while (before > 0 && game.branches[before - 1].ply > ply) --before;
    forks.emplace(before, ply);
  }
  return forks;
}

// The moves of a line behind the first `begin` ones, and its end. `number`: 0 of the main line.
void append_kif_line(std::string& out, const Game& line, std::int32_t begin, std::size_t number, const Forks& forks) {
  CommentWriter comments(out, line);
  comments.upto(begin, false);
  KifLines lines(out, line.start.turn);
  Setup board = line.start;
  Square last_to = SQ_NONE;
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : line.moves) {
    const CsaMove csa = board.to_csa(recorded.move);
    const PieceType before = csa.from == SQ_NONE ? csa.after : type_of(board.board[static_cast<std::size_t>(csa.from)]);
    if (ply < begin) {
      lines.pass(recorded.spent_ms);
    } else {
      lines.add(to_kif(csa, before, last_to), recorded.spent_ms, forks.contains({number, ply}));
    }
    board.apply(recorded.move);
    last_to = csa.to;
    if (++ply > begin) comments.upto(ply, false);
  }
  const bool others = forks.contains({number, ply});
  if (line.impossible) {
    const CsaMove& tried = line.impossible->move;
    lines.add(to_kif(tried, tried.after, last_to), line.impossible->spent_ms, others);
  }
  if (line.end.kind != EndKind::none) {
    lines.add(kif_end_word(line), line.end.spent_ms, others && !line.impossible);
  }
  comments.upto(ply, true);
  if (is_usual_end(line.end)) append_line(out, kif_last_line(line), "");
}

void append_branch_head(std::string& out, const Branch& branch) {
  out += fmt::format("\n変化：{}手\n", branch.ply + 1);
}

// The moves of KI2, several a line.
class Ki2Lines {
 public:
  explicit Ki2Lines(std::string& out) : out_(out) {}
  void add(std::string_view text) {
    constexpr int kMovesALine = 6;
    constexpr std::size_t kColumns = 12;
    if (in_line_ == kMovesALine) end();
    if (in_line_++ > 0) out_.append(kColumns - std::min(columns_, kColumns - 1), ' ');
    columns_ = columns(text);
    out_ += text;
  }
  void end() {
    if (in_line_ > 0) out_ += '\n';
    in_line_ = 0;
  }

 private:
  std::string& out_;
  int in_line_ = 0;
  std::size_t columns_ = 0;  // of the move before
};

// As append_kif_line(). An error names the move that words cannot tell.
std::expected<void, std::string> append_ki2_line(std::string& out, const Game& line, std::int32_t begin) {
  if (line.impossible) return std::unexpected("the last move is impossible, and KI2 has no origins");
  CommentWriter comments(out, line);
  comments.upto(begin, false);
  Ki2Lines lines(out);
  Setup board = line.start;
  Square last_to = SQ_NONE;
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : line.moves) {
    const KifMove said = in_words(board, recorded.move);
    const auto understood = meant(board, said, last_to);
    if (++ply > begin && (!understood || board.resolve(*understood) != recorded.move)) {
      return std::unexpected(
          fmt::format("move {}, {}, cannot be told in words", ply, to_csa(board.to_csa(recorded.move))));
    }
    if (ply > begin) lines.add(to_ki2(said, last_to));
    board.apply(recorded.move);
    last_to = recorded.move.to();
    if (ply <= begin || !comments.any_upto(ply, false)) continue;
    lines.end();
    comments.upto(ply, false);
  }
  lines.end();
  comments.upto(ply, true);
  const std::string last = kif_last_line(line);
  // Without a move only the line itself shows branches that the game has begun.
  const bool as_line = is_usual_end(line.end) || (line.moves.empty() && !line.branches.empty());
  if (!last.empty()) append_line(out, as_line ? "" : "*", last);
  return {};
}

}  // namespace

std::string write_kif(const Game& game) {
  std::string out;
  append_head(out, game, "手数----指手---------消費時間--");
  const Forks forks = forks_of(game);
  append_kif_line(out, game, 0, 0, forks);
  for (std::size_t i = 0; i < game.branches.size(); ++i) {
    append_branch_head(out, game.branches[i]);
    append_kif_line(out, line_of(game, i), game.branches[i].ply, i + 1, forks);
  }
  return out;
}

std::expected<std::string, std::string> write_ki2(const Game& game) {
  std::string out;
  append_head(out, game, "");
  if (auto written = append_ki2_line(out, game, 0); !written) return std::unexpected(std::move(written.error()));
  for (std::size_t i = 0; i < game.branches.size(); ++i) {
    append_branch_head(out, game.branches[i]);
    if (auto written = append_ki2_line(out, line_of(game, i), game.branches[i].ply); !written) {
      return std::unexpected("a variation: " + written.error());
    }
  }
  return out;
}

}  // namespace fuhyo::record
