#include "engines/book/player.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <new>

#include "engines/book/flip.h"
#include "engines/book/open.h"
#include "engines/shogi/repetition.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::book {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultFile = "standard_book.db", kDefaultDir = "book", kNoBook = "no_book";
constexpr int kMaxPvMoves = 246;
// Values beyond the first are mates, and the second is one on the board (YaneuraOu's numbers).
constexpr int kMateWithin = 31'753, kMate = 32'000;

bool is_default(const usi::OptionTable& options) {
  return options.text("BookFile") == kDefaultFile && options.text("BookDir") == kDefaultDir;
}

// Empty: no book is wanted.
fs::path file_of(const usi::OptionTable& options) {
  const std::string& file = options.text("BookFile");
  if (!options.check("USI_OwnBook") || file.empty() || file == "<empty>" || file == kNoBook) return {};
  fs::path path = fs::path(options.text("BookDir")) / file;
  std::error_code error;
  // Who has the same book in the newer format need not say so.
  fs::path other = path;
  other.replace_extension(".ybb");
  if (path.extension() == ".db" && !fs::exists(path, error) && fs::exists(other, error)) return other;
  return path;
}

std::string identity_of(const fs::path& file, bool on_the_fly) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return {};
  const auto written = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {} {}", file.string(), size, written, on_the_fly);
}

usi::Score score_of(int value) {
  const int distance = kMate - std::abs(value);
  if (std::abs(value) <= kMateWithin || distance < 0) return {.value = value};
  return {.kind = value > 0 ? usi::Score::Kind::win : usi::Score::Kind::lose, .value = distance};
}

usi::Info info_of(const BookMove& move, int number, std::vector<shogi::Move> line) {
  return {.depth = move.depth,
          .multipv = number,
          .hashfull = 0,
          .time_ms = 0,
          .nodes = 0,
          .nps = 0,
          .score = score_of(move.value),
          .pv = std::move(line)};
}

ChoiceRules rules_of(const usi::OptionTable& options, shogi::Color us) {
  return {
      .narrow = options.check("NarrowBook"),
      .eval_diff = static_cast<int>(options.spin("BookEvalDiff")),
      .eval_limit = static_cast<int>(options.spin(us == shogi::BLACK ? "BookEvalBlackLimit" : "BookEvalWhiteLimit")),
      .depth_limit = static_cast<int>(options.spin("BookDepthLimit")),
      .by_count = options.check("ConsiderBookMoveCount")};
}

// How often a move was played, where the book knows.
std::string share(const BookMove& move, const Entry& entry) {
  std::uint64_t total = 0;
  for (const BookMove& each : entry) total += each.count;
  if (total == 0) return {};
  return fmt::format("({:.2f}%)", 100 * static_cast<double>(move.count) / static_cast<double>(total));
}

}  // namespace

void Player::add_options(usi::OptionTable& options) {
  options.add_check("USI_OwnBook", true, {"play from the opening book", "定跡を使う"});
  options.add_string("BookFile", std::string(kDefaultFile),
                     {"the book's file, of YaneuraOu's (.db, .ybb) or Apery's (.bin) format; no_book: none",
                      "定跡ファイル(.db, .ybb, Aperyの.bin)。no_bookなら使わない"});
  options.add_string("BookDir", std::string(kDefaultDir), {"folder of BookFile", "定跡ファイルのフォルダ"});
  options.add_spin("BookMoves", 16, 0, 10'000, {"the book is used up to this move number", "定跡を使う手数の上限"});
  options.add_spin("BookIgnoreRate", 0, 0, 100,
                   {"in so many of 100 cases the engine thinks for itself", "定跡を使わずに考える割合(%)"});
  options.add_check(
      "NarrowBook", false,
      {"leave out book moves that were played in less than a tenth of the games", "採択率が1割未満の定跡手を除く"});
  options.add_spin("BookEvalDiff", 30, 0, 99'999,
                   {"a book move may be worth so much less than the first one, in centipawns",
                    "定跡の第一候補との評価値の差の上限"});
  options.add_spin("BookEvalBlackLimit", 0, -99'999, 99'999,
                   {"what a book move must be worth at least, played by Black", "先手番で定跡手に求める評価値の下限"});
  options.add_spin("BookEvalWhiteLimit", -140, -99'999, 99'999,
                   {"what a book move must be worth at least, played by White", "後手番で定跡手に求める評価値の下限"});
  options.add_spin("BookDepthLimit", 16, 0, 99'999,
                   {"leave positions aside whose first move was searched less deeply; 0: any depth",
                    "第一候補の探索の深さがこれ未満の局面は使わない。0なら問わない"});
  options.add_check("BookOnTheFly", false,
                    {"search the book's file on disk, for books larger than the memory",
                     "定跡をメモリーに読み込まず、ファイルを直接調べる"});
  options.add_check("ConsiderBookMoveCount", false,
                    {"play book moves as often as they were played; else all that remain are alike",
                     "採択回数に比例した確率で定跡手を選ぶ"});
  options.add_spin("BookPvMoves", 8, 1, kMaxPvMoves,
                   {"moves of a line that are shown, as the book continues", "定跡の読み筋を何手先まで表示するか"});
  options.add_check("IgnoreBookPly", false,
                    {"a position of the book counts whatever its move number", "手数が違う局面でも定跡を使う"});
  options.add_check(
      "FlippedBook", true,
      {"look for a position with the colours changed if it is not there", "先後を入れ替えた局面も定跡から探す"});
}

std::vector<std::string> Player::update(const usi::OptionTable& options) {
  const fs::path file = file_of(options);
  const bool on_the_fly = options.check("BookOnTheFly");
  const std::string identity = file.empty() ? std::string() : identity_of(file, on_the_fly);
  if (book_ != nullptr && identity == opened_) return {};
  book_.reset();
  opened_.clear();
  std::error_code error;
  if (file.empty() || (is_default(options) && !fs::exists(file, error))) return {};
  try {
    auto opened = open_book(file, on_the_fly);
    if (!opened) return {fmt::format("Error! {}; playing without a book", opened.error())};
    book_ = std::move(opened->book);
    opened_ = identity;
    opened->notes.push_back(fmt::format("book {}: {}", file.string(), book_->description()));
    return std::move(opened->notes);
  } catch (const std::bad_alloc&) {
    return {fmt::format("Error! {}: there is no memory for it (BookOnTheFly needs none); playing without a book",
                        file.string())};
  }
}

Entry Player::lookup(const shogi::Position& position, const Lookup& lookup, std::vector<shogi::Move>* bad) {
  Query query{.position = position};
  if (!lookup.ignore_ply) query.ply = position.ply() + 1;
  Entry entry = book_->find(query);
  if (entry.empty() && lookup.flipped) {
    if (const auto turned = flipped(position)) {
      query.position = *turned;
      entry = book_->find(query);
      for (BookMove& move : entry) move.move = flipped(move.move), move.reply = flipped(move.reply);
    }
  }
  std::erase_if(entry, [&](const BookMove& move) {
    if (position.is_legal(move.move)) return false;
    if (bad != nullptr) bad->push_back(move.move);
    return true;
  });
  sort_by_merit(entry);
  return entry;
}

std::vector<shogi::Move> Player::line(shogi::Position position, const BookMove& first, std::size_t moves,
                                      const Lookup& how) {
  std::vector<shogi::Move> line;
  std::vector<shogi::Key> seen = {position.key()};
  BookMove next = first;
  while (true) {
    line.push_back(next.move);
    position.do_move(next.move);
    // The book may lead in a circle.
    if (line.size() >= moves || std::ranges::find(seen, position.key()) != seen.end()) return line;
    seen.push_back(position.key());
    const Entry entry = lookup(position, how, nullptr);
    if (entry.empty()) break;
    next = entry.front();
  }
  if (next.reply && position.is_legal(next.reply)) line.push_back(next.reply);
  return line;
}

// Perpetual check: legal move by move, and lost all the same.
bool Player::loses_by_repetition(const usi::Game& game, shogi::Move move) const {
  shogi::RepetitionHistory history(shogi::RepetitionRule::REAL);
  shogi::Position position = game.start;
  history.start(position);
  const auto play = [&](shogi::Move each) {
    const bool check = position.gives_check(each);
    position.do_move(each);
    return history.push(position, check);
  };
  for (const shogi::Move each : game.moves) play(each);
  return play(move) == shogi::Repetition::MOVER_LOSES;
}

usi::BestMove Player::choose(const usi::Game& game, const usi::GoLimits& limits, const usi::OptionTable& options,
                             const Report& report) {
  if (book_ == nullptr || limits.infinite || limits.mate_ms || !limits.searchmoves.empty()) return {};
  const shogi::Position root = game.current();
  if (root.ply() + 1 > options.spin("BookMoves")) return {};
  if (static_cast<std::int64_t>(random_() % 100) < options.spin("BookIgnoreRate")) return {};
  const Lookup how{.ignore_ply = options.check("IgnoreBookPly"), .flipped = options.check("FlippedBook")};
  std::vector<shogi::Move> bad;
  Entry entry = lookup(root, how, &bad);
  std::erase_if(entry, [&](const BookMove& move) {
    if (!loses_by_repetition(game, move.move)) return false;
    bad.push_back(move.move);
    return true;
  });
  for (const shogi::Move move : bad) {
    report({.text = "Error! the book has an illegal move: " + shogi::to_usi(move) + " in " + root.sfen()});
  }
  const auto length = static_cast<std::size_t>(options.spin("BookPvMoves"));
  int number = 0;
  for (const BookMove& move : entry) {
    usi::Info info = info_of(move, ++number, line(root, move, length, how));
    info.pv_end = share(move, entry);
    report(info);
  }
  const Choice choice = book::choose(entry, rules_of(options, root.side_to_move()), random_);
  for (const std::string& note : choice.notes) report({.text = note});
  if (!choice.move) return {};
  std::vector<shogi::Move> best = line(root, *choice.move, std::max<std::size_t>(length, 2), how);
  shogi::Position after = root;
  after.do_move(choice.move->move);
  // The book's own word for the reply comes before what it would play there.
  const shogi::Move reply = choice.move->reply;
  if (reply && after.is_legal(reply) && (best.size() < 2 || best[1] != reply)) best = {best[0], reply};
  report(info_of(*choice.move, 1, best));
  return {.kind = usi::BestMove::Kind::move, .move = best[0], .ponder = best.size() > 1 ? best[1] : shogi::Move{}};
}

}  // namespace fuhyo::book
