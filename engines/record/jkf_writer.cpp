#include "engines/record/jkf_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "engines/record/csa_format.h"
#include "engines/record/kif_header.h"
#include "engines/record/kif_move.h"
#include "engines/record/kif_setup.h"

namespace fuhyo::record {
namespace {

namespace json = boost::json;
using namespace shogi;

json::object place(Square square) { return {{"x", file_of(square)}, {"y", rank_of(square)}}; }

json::object header_of(const Game& game) {
  json::object header;
  for (const Header& each : headers_of(game)) header.emplace(each.key, each.value);
  return header;
}

json::object hand_of(const Hand& hand) {
  json::object out;
  for (int t = PAWN; t <= GOLD; ++t) {
    const auto type = static_cast<PieceType>(t);
    if (hand.count(type) > 0) out.emplace(csa_name(type), hand.count(type));
  }
  return out;
}

json::object initial_of(const Setup& setup) {
  if (const KifHandicap* handicap = handicap_of(setup)) return {{"preset", handicap->preset}};
  json::array files;
  for (int x = 1; x <= 9; ++x) {
    json::array squares;
    for (int y = 1; y <= 9; ++y) {
      const Piece piece = setup.board[static_cast<std::size_t>(make_square(x, y))];
      json::object square;
      if (piece != NO_PIECE) {
        square = {{"color", static_cast<int>(color_of(piece))}, {"kind", csa_name(type_of(piece))}};
      }
      squares.push_back(std::move(square));
    }
    files.push_back(std::move(squares));
  }
  json::object data = {{"color", static_cast<int>(setup.turn)}, {"board", std::move(files)}};
  data["hands"] = json::array{hand_of(setup.hands[BLACK]), hand_of(setup.hands[WHITE])};
  return {{"preset", "OTHER"}, {"data", std::move(data)}};
}

json::object clock(std::int64_t seconds, bool hours) {
  json::object out;
  if (hours) out["h"] = seconds / 3600;
  out["m"] = hours ? seconds / 60 % 60 : seconds / 60;
  out["s"] = seconds % 60;
  return out;
}

// "LU", "M", "H": see json-kifu-format.
std::string relative_of(const KifMove& said) {
  constexpr std::string_view kSides = " LCR", kMotions = " UMD";
  std::string out;
  if (said.drop) return "H";
  if (said.side != KifMove::Side::none) out += kSides[static_cast<std::size_t>(said.side)];
  if (said.motion != KifMove::Motion::none) out += kMotions[static_cast<std::size_t>(said.motion)];
  return out;
}

json::object move_of(const Setup& board, Move move, Square last_to) {
  const KifMove said = in_words(board, move);
  json::object out = {{"color", static_cast<int>(board.turn)}};
  if (!move.is_drop()) out["from"] = place(move.from());
  out["to"] = place(move.to());
  out["piece"] = csa_name(said.piece);
  if (move.to() == last_to) out["same"] = true;
  if (said.promote) out["promote"] = *said.promote;
  const Piece captured = board.board[static_cast<std::size_t>(move.to())];
  if (captured != NO_PIECE) out["capture"] = csa_name(type_of(captured));
  if (std::string relative = relative_of(said); !relative.empty()) out["relative"] = std::move(relative);
  return out;
}

json::object impossible_move(const CsaMove& tried) {
  json::object out = {{"color", static_cast<int>(tried.color)}};
  if (tried.from != SQ_NONE) out["from"] = place(tried.from);
  out["to"] = place(tried.to);
  out["piece"] = csa_name(tried.after);
  return out;
}

// The entries of "moves", or of a fork, which has none for comments before the first move.
class Entries {
 public:
  Entries(const Game& line, bool main) : line_(line), turn_(line.start.turn) {
    if (main) entries_.push_back(json::object());
  }

  void add(const char* key, json::value value, const std::optional<std::int64_t>& spent_ms) {
    pass(spent_ms);
    json::object& entry = entries_.emplace_back(json::object()).get_object();
    entry[key] = std::move(value);
    if (!spent_ms) return;
    const std::int64_t own_s = *spent_ms / 1000;
    entry["time"] = json::object{{"now", clock(own_s, own_s >= 3600)}, {"total", clock(total_s_[~turn_], true)}};
  }
  // A move before the fork.
  void pass(const std::optional<std::int64_t>& spent_ms) {
    total_s_[turn_] += spent_ms.value_or(0) / 1000;
    turn_ = ~turn_;
  }

  // The comments up to a place go to the newest entry, once there is one.
  void comments_upto(std::int32_t ply, bool after_end) {
    if (after_end && next_ < line_.comments.size() && entries_.empty()) entries_.push_back(json::object());
    json::array lines;
    for (; !entries_.empty() && next_ < line_.comments.size(); ++next_) {
      const Comment& comment = line_.comments[next_];
      if (!after_end && (comment.ply > ply || comment.after_end)) break;
      lines.emplace_back(comment.text);
    }
    if (!lines.empty()) entries_.back().get_object()["comments"] = std::move(lines);
  }

  json::array take() { return std::move(entries_); }

 private:
  const Game& line_;
  json::array entries_;
  Color turn_;
  std::array<std::int64_t, COLOR_NB> total_s_{};
  std::size_t next_ = 0;
};

std::string_view special_of(const End& end) {
  return end.kind == EndKind::other ? std::string_view(end.text) : csa_end_name(end.kind);
}

// The main line, or of a branch what is behind the first `begin` moves.
json::array entries_of(const Game& line, bool main, std::int32_t begin) {
  Entries entries(line, main);
  entries.comments_upto(begin, false);
  Setup board = line.start;
  Square last_to = SQ_NONE;
  std::int32_t ply = 0;
  for (const RecordedMove& recorded : line.moves) {
    if (ply++ < begin) {
      entries.pass(recorded.spent_ms);
    } else {
      entries.add("move", move_of(board, recorded.move, last_to), recorded.spent_ms);
      entries.comments_upto(ply, false);
    }
    board.apply(recorded.move);
    last_to = recorded.move.to();
  }
  if (line.impossible) entries.add("move", impossible_move(line.impossible->move), line.impossible->spent_ms);
  if (line.end.kind != EndKind::none) entries.add("special", json::string(special_of(line.end)), line.end.spent_ms);
  entries.comments_upto(ply, true);
  return entries.take();
}

// Lines that are open while their branches are read, the main line first.
class Tree {
 public:
  explicit Tree(json::array main) { open_.push_back({-1, std::move(main)}); }

  void add(std::int32_t ply, json::array entries) {
    close(ply);
    open_.push_back({ply, std::move(entries)});
  }
  json::array take() {
    close(0);
    return std::move(open_.front().entries);
  }

 private:
  struct Line {
    std::int32_t begin;  // the number of moves before its first entry
    json::array entries;
  };

  // Those that do not begin before so many moves become forks.
  void close(std::int32_t ply) {
    while (open_.back().begin >= ply) {
      Line line = std::move(open_.back());
      open_.pop_back();
      Line& left = open_.back();
      const auto at = static_cast<std::size_t>(line.begin - left.begin);
      if (at == left.entries.size()) left.entries.push_back(json::object());
      json::object& entry = left.entries.at(at).get_object();
      if (!entry.contains("forks")) entry["forks"] = json::array();
      entry["forks"].get_array().push_back(std::move(line.entries));
    }
  }

  std::vector<Line> open_;
};

}  // namespace

std::string write_jkf(const Game& game) {
  Tree tree(entries_of(game, true, 0));
  for (std::size_t i = 0; i < game.branches.size(); ++i) {
    const std::int32_t ply = game.branches[i].ply;
    tree.add(ply, entries_of(line_of(game, i), false, ply));
  }
  return json::serialize(
      json::object{{"header", header_of(game)}, {"initial", initial_of(game.start)}, {"moves", tree.take()}});
}

}  // namespace fuhyo::record
