// A first shogi engine in one file: it speaks USI, knows the rules, searches, and keeps its time.
//     g++ -O2 -std=c++20 first_engine.cpp -o first_engine
// Read it from top to bottom: 1 the board, 2 moves, 3 legal moves, 4 evaluation, 5 search, 6 USI and time.
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// ---- 1. The board ---------------------------------------------------------------------------------------------------
// A square is 9 * file + rank, both from 0: 1a is 0, 1b is 1, 9i is 80. Black moves towards rank a.
enum { BLACK = 1, WHITE = -1 };
enum { NONE, PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING, PROMOTED = 8, HORSE = 13, DRAGON = 14, KINDS = 15 };
const std::string LETTERS = " PLNSBRGK";  // of the kinds

// Directions, as the side sees them that moves; each is a bit of what a kind can do.
enum { UP = 1, UP_R = 2, UP_L = 4, RIGHT = 8, LEFT = 16, DOWN_R = 32, DOWN_L = 64, DOWN = 128, JUMPS = 256 + 512 };
const int DIRECTIONS = 10, FILES[] = {0, -1, 1, -1, 1, -1, 1, 0, -1, 1}, RANKS[] = {-1, -1, -1, 0, 0, 1, 1, 1, -2, -2};
constexpr int CROSS = UP | LEFT | RIGHT | DOWN, DIAGONALS = UP_R | UP_L | DOWN_R | DOWN_L, GOLDS = CROSS | UP_R | UP_L;
constexpr int STEPS[KINDS] = {0,     UP,    0,     JUMPS, UP | DIAGONALS, 0,        0, GOLDS, CROSS | DIAGONALS,
                              GOLDS, GOLDS, GOLDS, GOLDS, CROSS,          DIAGONALS};
constexpr int SLIDES[KINDS] = {0, 0, UP, 0, 0, DIAGONALS, CROSS, 0, 0, 0, 0, 0, 0, DIAGONALS, CROSS};

int neighbour(int side, int direction, int square) {  // -1: beyond the edge
  const int file = square / 9 + side * FILES[direction], rank = square % 9 + side * RANKS[direction];
  return file < 0 || file > 8 || rank < 0 || rank > 8 ? -1 : 9 * file + rank;
}
int row(int side, int square) { return side == BLACK ? square % 9 : 8 - square % 9; }  // 0 is the farthest

struct Position {
  std::array<int8_t, 81> board{};                // kind: a piece of Black; -kind: of White; 0: empty
  std::array<std::array<int8_t, 8>, 2> hands{};  // [0: Black's, 1: White's][kind]
  int side = BLACK;                              // who moves
  bool in_check = false;                         // and whether he must answer a check
  bool operator==(const Position&) const = default;
  auto& hand(int owner) { return hands[owner == WHITE]; }
  const auto& hand(int owner) const { return hands[owner == WHITE]; }
  int king(int of) const { return std::find(board.begin(), board.end(), KING * of) - board.begin(); }  // 81: none
  // Looks from a king in every direction: the first piece there attacks it if it moves in that direction, too.
  bool attacked(int of) const {
    const int from = king(of);
    for (int d = 0; d < DIRECTIONS && from < 81; ++d) {
      int at = neighbour(of, d, from), distance = 1;
      for (; at >= 0 && board[at] == NONE && d < 8; ++distance) at = neighbour(of, d, at);
      if (at < 0 || board[at] * of >= 0) continue;
      const int kind = std::abs(board[at]);
      if (((distance == 1 ? STEPS[kind] : 0) | SLIDES[kind]) >> d & 1) return true;
    }
    return false;
  }
};

Position from_sfen(const std::string& board, const std::string& side, const std::string& hands) {
  const auto kind = [](char c) { return static_cast<int>(LETTERS.find(static_cast<char>(std::toupper(c)))); };
  const auto owner = [](char c) { return std::isupper(c) ? BLACK : WHITE; };
  Position p;
  for (int file = 8, rank = 0, promoted = 0; const char c : board) {
    if (c == '/') file = 8, ++rank;
    if (std::isdigit(c)) file -= c - '0';
    if (std::isalpha(c)) p.board[9 * file-- + rank] = owner(c) * (kind(c) + promoted);
    promoted = c == '+' ? PROMOTED : 0;
  }
  for (int count = 0; const char c : hands) {
    if (std::isalpha(c)) p.hand(owner(c))[kind(c)] = std::max(count, 1);
    count = std::isdigit(c) ? 10 * count + c - '0' : 0;
  }
  p.side = side == "b" ? BLACK : WHITE;
  p.in_check = p.attacked(p.side);
  return p;
}

// ---- 2. Moves -------------------------------------------------------------------------------------------------------
struct Move {
  int from = -1, to = -1, drop = NONE;  // a drop comes from -1
  bool promotes = false;
  bool operator==(const Move&) const = default;
};
using Moves = std::vector<Move>;

std::string to_usi(Move move) {
  const auto name = [](int square) { return std::string{char('1' + square / 9), char('a' + square % 9)}; };
  const std::string from = move.drop ? std::string{LETTERS[move.drop], '*'} : name(move.from);
  return from + name(move.to) + (move.promotes ? "+" : "");
}

// On the rows before this one the piece could never move again: it must promote, and is not dropped there.
int first_row(int kind) { return kind == PAWN || kind == LANCE ? 1 : kind == KNIGHT ? 2 : 0; }

void add_board_moves(const Position& p, int from, bool captures_only, Moves& moves) {
  const int kind = std::abs(p.board[from]);
  for (int d = 0; d < DIRECTIONS; ++d) {
    if (!((STEPS[kind] | SLIDES[kind]) >> d & 1)) continue;
    for (int to = neighbour(p.side, d, from); to >= 0; to = neighbour(p.side, d, to)) {
      if (p.board[to] * p.side > 0) break;  // our own piece
      const bool may_promote = kind < GOLD && std::min(row(p.side, from), row(p.side, to)) < 3;
      const bool wanted = p.board[to] != NONE || !captures_only;
      if (wanted && may_promote) moves.push_back({from, to, NONE, true});
      if (wanted && row(p.side, to) >= first_row(kind)) moves.push_back({from, to, NONE, false});
      if (p.board[to] != NONE || !(SLIDES[kind] >> d & 1)) break;
    }
  }
}

// All moves by the way the pieces go; some of them leave the own king attacked.
Moves pseudo_legal_moves(const Position& p, bool captures_only = false) {
  Moves moves;
  for (int from = 0; from < 81; ++from)
    if (p.board[from] * p.side > 0) add_board_moves(p, from, captures_only, moves);
  for (int kind = PAWN; kind <= GOLD && !captures_only; ++kind)
    for (int to = 0; to < 81 && p.hand(p.side)[kind] > 0; ++to) {
      const auto file = p.board.begin() + (to - to % 9);
      const bool nifu = kind == PAWN && std::count(file, file + 9, PAWN * p.side) > 0;  // two pawns in a file
      if (p.board[to] == NONE && row(p.side, to) >= first_row(kind) && !nifu) moves.push_back({-1, to, kind, false});
    }
  return moves;
}

// ---- 3. Legal moves -------------------------------------------------------------------------------------------------
// The position after a move, if the move is legal. Positions are small: we copy them, and never take a move back.
std::optional<Position> play(const Position& p, Move move) {
  Position next = p;
  if (move.drop) {
    --next.hand(p.side)[move.drop];
    next.board[move.to] = move.drop * p.side;
  } else {
    if (p.board[move.to] != NONE) ++next.hand(p.side)[std::abs(p.board[move.to]) % PROMOTED];
    next.board[move.to] = p.board[move.from] + (move.promotes ? PROMOTED * p.side : 0);
    next.board[move.from] = NONE;
  }
  if (next.attacked(p.side)) return std::nullopt;
  next.side = -p.side;
  next.in_check = next.attacked(next.side);
  if (move.drop == PAWN && next.in_check) {  // a pawn that is dropped may check, and not mate
    const Moves replies = pseudo_legal_moves(next);
    if (std::none_of(replies.begin(), replies.end(), [&](Move reply) { return play(next, reply); }))
      return std::nullopt;
  }
  return next;
}

// How many sequences of so many moves there are: the numbers are known, and prove sections 1 to 3 right.
int64_t perft(const Position& p, int depth, bool divide = false) {
  int64_t total = depth == 0;
  for (const Move move : depth > 0 ? pseudo_legal_moves(p) : Moves())
    if (const auto next = play(p, move)) {
      const int64_t count = perft(*next, depth - 1);
      if (divide) std::cout << to_usi(move) << ' ' << count << '\n';
      total += count;
    }
  return total;
}

// ---- 4. Evaluation --------------------------------------------------------------------------------------------------
constexpr int VALUES[KINDS] = {0, 90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395};
int material(const Position& p) {
  int sum = 0;
  for (const int piece : p.board) sum += piece > 0 ? VALUES[piece] : -VALUES[-piece];
  for (int kind = PAWN; kind <= GOLD; ++kind) sum += (p.hand(BLACK)[kind] - p.hand(WHITE)[kind]) * VALUES[kind];
  return sum * p.side;
}

// The numbers of pieces in a network: on the board so much and the square, in a hand so much and how many come before.
constexpr int ON_BOARD[KINDS] = {0, 90, 252, 414, 576, 900, 1224, 738, 1548, 738, 738, 738, 738, 1062, 1386};
constexpr int OWN_HAND[] = {0, 1, 39, 49, 59, 79, 85, 69}, OTHER_HAND[] = {0, 20, 44, 54, 64, 82, 88, 74};

template <int IN, int OUT>
struct Layer {  // as it lies in the file
  std::array<int32_t, OUT> bias;
  std::array<std::array<int8_t, IN>, OUT> weights;
  int sum(const std::array<uint8_t, IN>& input, int out) const {
    int sum = bias[out];
    for (int in = 0; in < IN; ++in) sum += input[in] * weights[out][in];
    return sum;
  }
  std::array<uint8_t, OUT> operator()(const std::array<uint8_t, IN>& input) const {  // what the next layer sees
    std::array<uint8_t, OUT> output;
    for (int out = 0; out < OUT; ++out) output[out] = std::clamp(sum(input, out) >> 6, 0, 127);
    return output;
  }
};

// A network of the shape 256x2-32-32. Its inputs are numbers of pieces: each together with the square of the own king
// (HalfKP), or alone, and then the kings are pieces, too (K-P).
struct Network {
  bool loaded = false, half_kp = false;
  int scale = 16;
  std::vector<std::array<int16_t, 256>> rows;  // one for each input
  std::array<int16_t, 256> bias;
  Layer<512, 32> first;
  Layer<32, 32> second;
  Layer<32, 1> last;

  bool load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto read = [&](void* to, size_t bytes) { file.read(static_cast<char*>(to), bytes); };
    uint32_t header[3] = {}, hash;  // version, hash, length of a text
    read(header, sizeof header);
    std::string text(std::min(header[2], 1000U), ' ');
    read(text.data(), text.size());
    half_kp = text.find("HalfKP(Friend)[125388->256x2]") != std::string::npos;
    rows.resize(half_kp ? 81 * 1548 : 1548 + 2 * 81);
    read(&hash, 4), read(&bias, sizeof bias), read(rows.data(), rows.size() * sizeof rows[0]);
    read(&hash, 4), read(&first, sizeof first), read(&second, sizeof second), read(&last, sizeof last);
    const bool k_p = text.find("K+P[1710->256x2]") != std::string::npos;
    return loaded = (half_kp || k_p) && file.good() && file.peek() == EOF;
  }

  // The inputs as one side sees them: White turns the board by 180 degrees.
  std::vector<int> inputs(const Position& p, int side) const {
    const auto seen = [&](int square) { return side == BLACK ? square : 80 - square; };
    std::vector<int> list;
    for (int square = 0; square < 81; ++square) {
      const int piece = p.board[square] * side, kind = std::abs(piece);
      if (kind && !(half_kp && kind == KING)) list.push_back(ON_BOARD[kind] + (piece < 0 ? 81 : 0) + seen(square));
    }
    for (int kind = PAWN; kind <= GOLD; ++kind) {
      for (int n = 0; n < p.hand(side)[kind]; ++n) list.push_back(OWN_HAND[kind] + n);
      for (int n = 0; n < p.hand(-side)[kind]; ++n) list.push_back(OTHER_HAND[kind] + n);
    }
    list.resize(half_kp ? 38 : 40, 0);  // what a handicap leaves out has the number 0
    for (int& number : list) number += half_kp ? 1548 * (p.king(side) < 81 ? seen(p.king(side)) : 44) : 0;
    return list;
  }

  int output(const Position& p) const {
    std::array<uint8_t, 512> both;  // the view of the side that moves, then the other one's
    for (const int side : {p.side, -p.side}) {
      std::array<int16_t, 256> sums = bias;
      for (const int number : inputs(p, side))
        for (int i = 0; i < 256; ++i) sums[i] += rows[number][i];
      for (int i = 0; i < 256; ++i) both[(side == p.side ? 0 : 256) + i] = std::clamp<int>(sums[i], 0, 127);
    }
    return last.sum(second(first(both)), 0);
  }
};

// ---- 5. Search ------------------------------------------------------------------------------------------------------
constexpr int MATE = 32'000;
constexpr int64_t FOREVER = INT64_MAX, RESERVE_MS = 100;  // kept back of each move, for a busy machine and the network
struct TimeUp {};
int64_t now_ms() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1); }

struct Engine {
  Network net;
  std::string eval_file = "nn.bin";
  std::vector<Position> game;  // from its start to the position that is searched
  Moves best_line;
  std::thread thread;
  std::atomic<int64_t> deadline_ms = 0;
  int64_t nodes = 0, max_nodes = 0, budget_ms = 0;
  // For the side that moves; a pawn is 90. Division rounds towards 0, as in other engines.
  int evaluate(const Position& p) const { return net.loaded ? net.output(p) / net.scale : material(p); }
  // Sennichite, already when a position comes back once. It is a draw, but who gave check with every move loses.
  std::optional<int> repetition(int ply) const {
    for (int last = game.size() - 1, i = last - 4; i >= 0; i -= 2) {
      if (game[i] != game[last]) continue;
      bool we_are_checked = true, we_check = true;
      for (int j = last; j > i; j -= 2) we_are_checked &= game[j].in_check, we_check &= game[j - 1].in_check;
      return we_are_checked ? MATE - ply : we_check ? ply - MATE : 0;
    }
    return std::nullopt;
  }
  // First what was best an iteration ago; then captures, most valuable by least valuable, and promotions.
  Moves ordered(const Position& p, Moves moves, size_t ply) const {
    const auto promise = [&](Move move) {
      if (ply < best_line.size() && move == best_line[ply]) return 1'000'000;
      const int mover = move.drop ? move.drop : std::abs(p.board[move.from]), captured = std::abs(p.board[move.to]);
      const int gain = VALUES[captured] + (move.promotes ? VALUES[mover + PROMOTED] - VALUES[mover] : 0);
      return 10 * gain - (captured ? VALUES[mover] : 0);
    };
    std::sort(moves.begin(), moves.end(), [&](Move a, Move b) { return promise(a) > promise(b); });
    return moves;
  }

  // Negamax with alpha-beta: the worth of the last position for the side that moves, exact between alpha and beta. At
  // the end of the depth only captures go on, a few plies (quiescence); but a check is answered.
  int negamax(int depth, int alpha, int beta, int ply, Moves& line) {
    if (++nodes == max_nodes || now_ms() >= deadline_ms) throw TimeUp();
    const Position p = game.back();
    const bool quiescence = depth <= 0 && !(p.in_check && depth > -4);
    line.clear();
    if (const auto value = ply > 0 ? repetition(ply) : std::nullopt) return *value;
    int best = quiescence ? evaluate(p) : ply - MATE;  // mated, unless there is a legal move
    if (best >= beta || depth <= -6) return best;
    Moves replies;
    for (const Move move : ordered(p, pseudo_legal_moves(p, quiescence), ply)) {
      const auto next = play(p, move);
      if (!next) continue;
      game.push_back(*next);
      const int value = -negamax(depth - 1, -beta, -std::max(alpha, best), ply + 1, replies);
      game.pop_back();
      if (value <= best) continue;
      best = value;
      line = {move};  // the best moves of both sides
      line.insert(line.end(), replies.begin(), replies.end());
      if (ply == 0) best_line = line;
      if (best >= beta) break;
    }
    return best;
  }

  // Until the time or the nodes (0: any number) are up. Then best_line is empty only if there is no legal move.
  void think(int64_t max_depth, int64_t most) {
    const std::vector<Position> before = game;
    const int64_t start_ms = now_ms();
    nodes = 0, max_nodes = most, best_line = {};
    for (const Move move : pseudo_legal_moves(game.back()))
      if (best_line.empty() && play(game.back(), move)) best_line = {move};
    try {
      for (int depth = 1, value = 0; depth <= max_depth && std::abs(value) < MATE - 1000; ++depth) {
        Moves line;
        value = negamax(depth, -MATE, MATE, 0, line);
        const int64_t ms = now_ms() - start_ms;
        const bool mate = std::abs(value) >= MATE - 1000;
        const int score = mate ? (value > 0 ? MATE : -MATE) - value : value * 100 / 90;  // plies, or a pawn is 100
        std::cout << "info depth " << depth << " score " << (mate ? "mate " : "cp ") << score << " nodes " << nodes
                  << " time " << ms << " nps " << nodes * 1000 / (ms + 1) << " pv";
        for (const Move move : line) std::cout << ' ' << to_usi(move);
        std::cout << std::endl;
      }
    } catch (const TimeUp&) {
      game = before;
    }
  }

  // ---- 6. USI and time ----------------------------------------------------------------------------------------------
  void stop() {
    deadline_ms = 0;
    if (thread.joinable()) thread.join();
  }

  void set_position(std::istringstream words) {
    std::string word, board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", side = "b", hands = "-";
    if (words >> word && word == "sfen") words >> board >> side >> hands;
    game = {from_sfen(board, side, hands)};
    while (words >> word)
      for (const Move move : pseudo_legal_moves(game.back()))
        if (const auto next = to_usi(move) == word ? play(game.back(), move) : std::nullopt) game.push_back(*next);
  }

  void go(std::istringstream words) {
    std::map<std::string, int64_t> limits;
    for (std::string word; words >> word;)
      if (!(words >> limits[word])) words.clear();  // no number follows `infinite` and `ponder`
    const std::string us = game.back().side == BLACK ? "b" : "w";
    const int64_t added_ms = limits["byoyomi"] + limits[us + "inc"] + limits["movetime"];
    const int64_t all_ms = limits[us + "time"] + added_ms;
    budget_ms = std::min(limits[us + "time"] / 40 + added_ms, all_ms - std::min(RESERVE_MS, all_ms / 2));
    const bool waits = limits.contains("ponder") || limits.contains("infinite");
    deadline_ms = waits || (all_ms == 0 && limits["depth"] + limits["nodes"] > 0) ? FOREVER : now_ms() + budget_ms;
    thread = std::thread([this, waits, depth = limits["depth"], most = limits["nodes"]] {
      think(depth > 0 ? depth : 100, most);
      while (waits && deadline_ms == FOREVER) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::cout << "bestmove " << (best_line.empty() ? "resign" : to_usi(best_line[0]))
                << (best_line.size() > 1 ? " ponder " + to_usi(best_line[1]) : "") << std::endl;
    });
  }

  void answer(const std::string& command, std::istringstream words) {
    std::string word, name, value;
    if (command == "usi")
      std::cout << "id name First engine in C++\nid author you\noption name EvalFile type string default nn.bin\n"
                << "option name FV_SCALE type spin default 16 min 1 max 128\nusiok" << std::endl;
    if (command == "setoption" && words >> word >> name >> word >> value) {
      if (name == "EvalFile") eval_file = value;
      if (name == "FV_SCALE") net.scale = std::stoi(value);
    }
    if (command == "isready")
      std::cout << (net.load(eval_file) ? "" : "info string no network, material counts\n") << "readyok" << std::endl;
    if (command == "ponderhit") deadline_ms = now_ms() + budget_ms;
    if (command == "position") set_position(std::move(words));
    if (command == "go") go(std::move(words));
    if (command == "eval") std::cout << "eval = " << evaluate(game.back()) << std::endl;
    if (command == "perft" && words >> value)
      std::cout << perft(game.back(), std::stoi(value), true) << " moves" << std::endl;
  }
};

int main() {
  Engine engine;
  engine.set_position(std::istringstream("startpos"));
  for (std::string line, command; std::getline(std::cin, line) && command != "quit";) {
    std::istringstream words(line);
    if (!(words >> command)) continue;
    if (command != "ponderhit") engine.stop();  // whatever else comes ends the search
    engine.answer(command, std::move(words));
  }
  engine.stop();
}
