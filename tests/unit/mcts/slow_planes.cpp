#include "tests/unit/mcts/slow_planes.h"

#include <cctype>
#include <map>
#include <sstream>

namespace fuhyo::mcts {
namespace {

const std::string kKinds[14] = {"P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"};

// A board as the side to move sees it: its own pieces are "P", those of the other side "p".
struct View {
  std::string cells[9][9];  // [file - 1][rank - 1]
  std::map<char, int> hand;
  bool black = true;  // ... moves

  bool own(int f, int r) const { return std::isupper(static_cast<unsigned char>(cells[f][r].back())) != 0; }
};

std::string other_side(std::string piece) {
  char& c = piece.back();
  c = static_cast<char>(std::isupper(static_cast<unsigned char>(c)) != 0 ? std::tolower(c) : std::toupper(c));
  return piece;
}

View read(const std::string& sfen) {
  std::istringstream words(sfen);
  std::string board, turn, hand;
  words >> board >> turn >> hand;
  View view;
  view.black = turn == "b";
  int file = 8, rank = 0;
  std::string promoted;
  for (const char c : board) {
    if (c == '/') {
      file = 8;
      ++rank;
    } else if (c == '+') {
      promoted = "+";
    } else if (c >= '1' && c <= '9') {
      file -= c - '0';
    } else {
      const std::string piece = promoted + c;
      promoted.clear();
      (view.black ? view.cells[file][rank] : view.cells[8 - file][8 - rank]) = view.black ? piece : other_side(piece);
      --file;
    }
  }
  int count = 0;
  for (const char c : hand) {
    if (c == '-') break;
    if (c >= '0' && c <= '9') {
      count = count * 10 + c - '0';
      continue;
    }
    view.hand[view.black ? c : other_side(std::string(1, c))[0]] = count == 0 ? 1 : count;
    count = 0;
  }
  return view;
}

// Whether the piece on one square attacks the other. Up is towards smaller ranks for own pieces.
bool attacks(const View& view, int f, int r, int to_f, int to_r) {
  std::string piece = view.cells[f][r];
  int df = to_f - f, dr = to_r - r;
  if (!view.own(f, r)) {
    piece = other_side(piece);
    dr = -dr;
  }
  if (df == 0 && dr == 0) return false;
  const int wide = df < 0 ? -df : df, high = dr < 0 ? -dr : dr;
  const bool near = wide <= 1 && high <= 1, straight = wide == 0 || high == 0, diagonal = wide == high;
  const auto free = [&] {
    const int steps = wide > high ? wide : high;
    for (int k = 1; k < steps; ++k) {
      if (!view.cells[f + (to_f - f) / steps * k][r + (to_r - r) / steps * k].empty()) return false;
    }
    return true;
  };
  const bool gold = near && (straight || dr == -1);
  if (piece == "P") return wide == 0 && dr == -1;
  if (piece == "L") return wide == 0 && dr < 0 && free();
  if (piece == "N") return wide == 1 && dr == -2;
  if (piece == "S") return near && (diagonal || (wide == 0 && dr == -1));
  if (piece == "B") return diagonal && free();
  if (piece == "R") return straight && free();
  if (piece == "K") return near;
  if (piece == "+B") return near || (diagonal && free());
  if (piece == "+R") return near || (straight && free());
  return gold;
}

int attackers(const View& view, bool own, const std::string& kind, int f, int r) {
  int count = 0;
  for (int from = 0; from < 81; ++from) {
    const std::string& piece = view.cells[from / 9][from % 9];
    if (piece.empty() || view.own(from / 9, from % 9) != own) continue;
    if (!kind.empty() && (own ? piece : other_side(piece)) != kind) continue;
    count += attacks(view, from / 9, from % 9, f, r) ? 1 : 0;
  }
  return count;
}

std::vector<int> constant(bool value) { return std::vector<int>(81, value ? 1 : 0); }

void add_declaration(const View& view, bool own, std::vector<std::vector<int>>& out) {
  bool king = false;
  int pieces = 0, points = 0;
  for (int f = 0; f < 9; ++f) {
    for (int r = 0; r < 9; ++r) {
      if (view.cells[f][r].empty() || view.own(f, r) != own || (own ? r > 2 : r < 6)) continue;
      const std::string piece = own ? view.cells[f][r] : other_side(view.cells[f][r]);
      if (piece == "K") {
        king = true;
        continue;
      }
      ++pieces;
      points += piece.back() == 'B' || piece.back() == 'R' ? 5 : 1;
    }
  }
  for (const auto& [piece, count] : view.hand) {
    if ((std::isupper(static_cast<unsigned char>(piece)) != 0) != own) continue;
    points += count * (std::toupper(piece) == 'B' || std::toupper(piece) == 'R' ? 5 : 1);
  }
  const bool black = view.black == own;
  out.push_back(constant(king));
  for (int k = 0; k < 10; ++k) out.push_back(constant(pieces + k == 10));
  for (int k = 0; k < 20; ++k) out.push_back(constant(points + k == (black ? 28 : 27)));
}

}  // namespace

std::vector<std::vector<int>> slow_planes(const std::string& sfen, bool with_declaration) {
  const View view = read(sfen);
  std::vector<std::vector<int>> out;
  const auto add = [&](const auto& value_of) {
    std::vector<int> plane;
    for (int s = 0; s < 81; ++s) plane.push_back(value_of(s / 9, s % 9) ? 1 : 0);
    out.push_back(plane);
  };
  bool check = false;
  for (const bool own : {true, false}) {
    for (const std::string& kind : kKinds) {
      add([&](int f, int r) { return view.cells[f][r] == (own ? kind : other_side(kind)); });
    }
    for (const std::string& kind : kKinds) add([&](int f, int r) { return attackers(view, own, kind, f, r) > 0; });
    for (int k = 1; k <= 3; ++k) add([&](int f, int r) { return attackers(view, own, "", f, r) >= k; });
  }
  for (int s = 0; s < 81; ++s) {
    if (view.cells[s / 9][s % 9] == "K") check = attackers(view, false, "", s / 9, s % 9) > 0;
  }
  for (const bool own : {true, false}) {
    for (const auto& [piece, most] : {std::pair{'P', 8}, {'L', 4}, {'N', 4}, {'S', 4}, {'G', 4}, {'B', 2}, {'R', 2}}) {
      const auto held = view.hand.find(own ? piece : static_cast<char>(std::tolower(piece)));
      for (int k = 1; k <= most; ++k) out.push_back(constant(held != view.hand.end() && held->second >= k));
    }
  }
  out.push_back(constant(check));
  if (with_declaration) {
    add_declaration(view, true, out);
    add_declaration(view, false, out);
  }
  return out;
}

}  // namespace fuhyo::mcts
