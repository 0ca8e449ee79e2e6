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

bool is_board(std::string_view word) { return std::ranges::count(word, '/') == 8; }

// "startpos", "sfen ...", an SFEN without that word or nothing, up to "moves".
std::expected<Setup, std::string> take_start(std::string_view& text) {
  std::string_view rest = text;
  if (take_word(rest) == "position") text = rest;
  rest = text;
  const std::string_view word = take_word(rest);
  if (word == "startpos") text = rest;
  if (word == "sfen") text = rest;
  if (word != "sfen" && !is_board(word)) return Setup::standard();
  const std::size_t end = std::min(text.find("moves"), text.size());
  const auto position = Position::from_sfen(trimmed(text.substr(0, end)));
  if (!position) return std::unexpected(position.error().message);
  text.remove_prefix(end);
  return Setup::of(*position);
}

// "resign" and "win" of bestmove.
std::optional<EndKind> end_named(std::string_view word) {
  if (word == "resign") return EndKind::toryo;
  return word == "win" ? std::optional(EndKind::kachi) : std::nullopt;
}

std::optional<Diagnostic> add_moves(GameBuilder& builder, std::string_view text, std::int32_t line) {
  std::string_view ahead = text;
  const std::string_view first = take_word(ahead);
  if (first == "moves") {
    text = ahead;
  } else if (!first.empty() && !parse_usi_move(first) && !end_named(first)) {
    return Diagnostic{line, "not a position: " + in_quotes(first)};
  }
  std::string_view word;
  for (word = take_word(text); !word.empty(); word = take_word(text)) {
    if (const auto end = end_named(word)) {
      if (auto defect = builder.end({.kind = *end}, line)) return defect;
      continue;
    }
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

std::expected<GameFile, Diagnostic> read_line(std::string_view text, std::int32_t line) {
  const auto setup = take_start(text);
  if (!setup) return std::unexpected(Diagnostic{line, setup.error()});
  GameBuilder builder;
  builder.start(*setup);
  if (auto defect = add_moves(builder, text, line)) return std::unexpected(std::move(*defect));
  return GameFile{.encoding = Encoding::utf8, .game = builder.take(), .warnings = {}};
}

struct Line {
  std::int32_t number = 0;
  std::string_view text;
};

// Those that are games: at least one.
std::expected<std::vector<Line>, Diagnostic> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::int32_t number = 0;
  for (std::string_view rest = without_mark(text); !rest.empty();) {
    ++number;
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (!line.empty() && !line.starts_with('#')) lines.push_back({number, line});
  }
  if (lines.empty()) return std::unexpected(Diagnostic{std::max(number, 1), "no game in it"});
  return lines;
}

}  // namespace

std::string write_usi(const Game& game) {
  std::string out = "position ";
  out += game.start == Setup::standard() ? "startpos" : "sfen " + game.start.sfen();
  if (!game.moves.empty()) out += " moves";
  for (const RecordedMove& recorded : game.moves) out += " " + to_usi(recorded.move);
  return out + "\n";
}

bool is_bare_usi(std::string_view line) {
  const std::string_view word = take_word(line);
  return is_board(word) || parse_usi_move(word);
}

std::expected<std::vector<GameFile>, Diagnostic> read_usi_lines(std::string_view bytes) {
  std::vector<GameFile> files;
  const auto plain = plain_file(bytes);
  const auto lines = lines_of(plain ? *plain : bytes);
  if (!lines) return std::unexpected(lines.error());
  for (const auto& [number, text] : *lines) {
    auto file = read_line(text, number);
    if (!file) return std::unexpected(std::move(file.error()));
    files.push_back(*std::move(file));
  }
  return files;
}

std::expected<GameFile, Diagnostic> read_usi(std::string_view bytes) {
  const auto plain = plain_file(bytes);
  const auto lines = lines_of(plain ? *plain : bytes);
  if (!lines) return std::unexpected(lines.error());
  auto file = read_line(lines->front().text, lines->front().number);
  const std::size_t more = lines->size() - 1;
  if (file && more > 0) file->warnings.push_back({0, std::to_string(more) + " more lines are left out"});
  return file;
}

}  // namespace fuhyo::record
