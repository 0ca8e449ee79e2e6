#include "engines/record/usi_line.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engines/record/game_builder.h"
#include "engines/record/kif_text.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

std::string_view take_word(std::string_view& text) {
  skip_blanks(text);
  const std::size_t length = std::min(text.find_first_of(" \t\r"), text.size());
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

// "startpos", "sfen ..." or nothing, up to "moves".
std::expected<Setup, std::string> take_start(std::string_view& text) {
  std::string_view rest = text;
  std::string_view word = take_word(rest);
  if (word == "position") {
    text = rest;
    word = take_word(rest);
  }
  if (word == "startpos") text = rest;
  if (word != "sfen") return Setup::standard();
  const std::size_t end = std::min(rest.find("moves"), rest.size());
  const auto position = Position::from_sfen(trimmed(rest.substr(0, end)));
  if (!position) return std::unexpected(position.error().message);
  text = rest.substr(end);
  return Setup::of(*position);
}

std::optional<Diagnostic> add_moves(GameBuilder& builder, std::string_view text, std::int32_t line) {
  std::string_view word = take_word(text);
  if (word != "moves" && !word.empty()) return Diagnostic{line, "not a position: " + in_quotes(word)};
  for (word = take_word(text); !word.empty(); word = take_word(text)) {
    const auto move = parse_usi_move(word);
    if (!move) return Diagnostic{line, "not a move: " + in_quotes(word)};
    const Setup& board = builder.board();
    // The notation does not name the piece: a move from an empty square is told by a piece that is not there.
    CsaMove csa{.color = board.turn, .from = SQ_NONE, .to = move->to(), .after = PAWN};
    if (move->is_drop()) {
      csa.after = move->dropped();
    } else {
      csa.from = move->from();
      const PieceType before = type_of(board.board[static_cast<std::size_t>(csa.from)]);
      if (move->is_promotion() && !can_promote(before)) {
        return Diagnostic{line,
                          "move " + std::to_string(builder.tried() + 1) + ", " + in_quotes(word) + ", cannot promote"};
      }
      if (before != NO_PIECE_TYPE) csa.after = move->is_promotion() ? promoted(before) : before;
    }
    if (auto defect = builder.move(csa, line)) return defect;
  }
  return builder.finish();
}

}  // namespace

std::string write_usi(const Game& game) {
  std::string out = "position ";
  out += game.start == Setup::standard() ? "startpos" : "sfen " + game.start.sfen();
  if (!game.moves.empty()) out += " moves";
  for (const RecordedMove& recorded : game.moves) out += " " + to_usi(recorded.move);
  return out + "\n";
}

std::expected<GameFile, Diagnostic> read_usi(std::string_view bytes) {
  if (const auto plain = plain_file(bytes)) return read_usi(*plain);
  std::optional<GameFile> file;
  std::int32_t line = 0, more = 0;
  for (std::string_view rest = without_mark(bytes); !rest.empty();) {
    ++line;
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    std::string_view text = trimmed(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (text.empty() || text.starts_with('#')) continue;
    if (file) {
      ++more;
      continue;
    }
    const auto setup = take_start(text);
    if (!setup) return std::unexpected(Diagnostic{line, setup.error()});
    GameBuilder builder;
    builder.start(*setup);
    if (auto defect = add_moves(builder, text, line)) return std::unexpected(std::move(*defect));
    file = GameFile{.encoding = Encoding::utf8, .game = builder.take(), .warnings = {}};
  }
  if (!file) return std::unexpected(Diagnostic{std::max(line, 1), "no game in it"});
  if (more > 0) file->warnings.push_back({0, std::to_string(more) + " more lines are left out"});
  return *std::move(file);
}

}  // namespace fuhyo::record
