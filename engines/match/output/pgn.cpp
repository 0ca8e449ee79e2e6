// Tags, and moves in lines of eighty characters.
#include "engines/match/output/pgn.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/match/output/record.h"
#include "engines/record/encoding.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {
namespace {

void add_tag(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format("[{} \"", name);
  for (const char c : record::without_controls(value)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 0 && c < ' ' ? ' ' : c;
  }
  out += "\"]\n";
}

class Movetext {
 public:
  void add(std::string_view word) {
    constexpr std::size_t kWidth = 80;
    if (column_ > 0 && column_ + 1 + word.size() > kWidth) {
      out_ += '\n';
      column_ = 0;
    }
    if (column_ > 0) out_ += ' ';
    out_ += word;
    column_ += word.size() + (column_ > 0 ? 1 : 0);
  }
  std::string text() && { return std::move(out_); }

 private:
  std::string out_;
  std::size_t column_ = 0;
};

std::vector<shogi::Move> all_moves(const PlayedGame& game) {
  std::vector<shogi::Move> moves = game.start.moves;
  for (const MoveData& data : game.moves) moves.push_back(data.move);
  return moves;
}

}  // namespace

std::string to_pgn(const PlayedGame& game, PgnMoves wanted) {
  constexpr std::array<std::string_view, 3> kResults = {"1/2-1/2", "1-0", "0-1"};
  const std::string_view result = kResults[static_cast<std::size_t>(game.result)];
  const std::string began = utc_text(game.began_ms);  // "2026/11/22 08:00:00"
  const std::vector<shogi::Move> moves = all_moves(game);
  std::string date = began.substr(0, 10);
  std::ranges::replace(date, '/', '.');
  std::string out;
  add_tag(out, "Event", "match");
  add_tag(out, "Site", "?");
  add_tag(out, "Date", date);
  add_tag(out, "Round", std::to_string(game.number + 1));
  add_tag(out, "White", game.names[shogi::BLACK]);
  add_tag(out, "Black", game.names[shogi::WHITE]);
  add_tag(out, "Result", result);
  add_tag(out, "UTCTime", began.substr(11));
  add_tag(out, "Opening", game.opening_name.empty() ? std::to_string(game.opening + 1) : game.opening_name);
  add_tag(out, "SFEN", game.start.start.sfen());
  add_tag(out, "WhiteTimeControl", to_text(game.times[shogi::BLACK]));
  add_tag(out, "BlackTimeControl", to_text(game.times[shogi::WHITE]));
  add_tag(out, "PlyCount", std::to_string(moves.size()));
  add_tag(out, "Termination", to_string(game.ending));
  Movetext text;
  for (std::size_t i = 0; wanted == PgnMoves::usi && i < moves.size(); ++i) {
    if (i % 2 == 0) text.add(fmt::format("{}.", i / 2 + 1));
    text.add(shogi::to_usi(moves[i]));
  }
  text.add(result);
  return out + "\n" + std::move(text).text() + "\n\n";
}

}  // namespace fuhyo::match
