#include "engines/record/csa_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engines/record/csa_setup.h"
#include "engines/record/lines.h"
#include "engines/shogi/number.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

constexpr std::size_t kMoveLength = 7;  // "+7776FU"

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// "'CSA encoding=UTF-8" (V3) and "'encoding=Shift_JIS" (Kifu for Windows): what follows the equals sign.
std::optional<std::string_view> declared_encoding(std::string_view comment) {
  for (const std::string_view prefix : {"CSA encoding=", "encoding="}) {
    if (comment.starts_with(prefix)) return trim(comment.substr(prefix.size()));
  }
  return std::nullopt;
}

// One game, statement by statement.
class GameParser {
 public:
  explicit GameParser(CsaVersion version) { result_.version = version; }

  // Each returns the defect, if there is one. `line` is where it stands.
  using Defect = std::optional<Diagnostic>;
  Defect line(std::string_view text, std::int32_t line);
  Defect move(const CsaMove& csa, std::int32_t line);
  Defect finish(std::int32_t line);

  bool in_moves() const { return in_moves_; }
  bool blank() const { return blank_; }  // nothing but comments and a version so far
  CsaVersion version() const { return result_.version; }
  CsaGame take() { return std::move(result_); }

 private:
  Defect list(std::string_view text, std::int32_t line);
  Defect statement(std::string_view text, std::int32_t line);
  Defect position(std::string_view text, std::int32_t line);
  Defect turn(std::string_view text, std::int32_t line);
  Defect special(std::string_view text, std::int32_t line);
  void name(std::string_view text);
  void header(std::string_view text);
  bool timed_header(std::string_view key, std::string_view value);
  void comment(std::string_view text);
  void time(std::string_view text, std::int32_t line);
  void version_line(std::string_view text, std::int32_t line);
  void unparsed(std::string_view text, std::int32_t line, const std::string& why);
  void take_back_end();
  bool ended_illegally() const;
  void warn(std::int32_t line, std::string text) { result_.warnings.push_back({line, std::move(text)}); }

  Game& game() { return result_.game; }

  CsaGame result_;
  CsaSetupReader setup_reader_;
  Setup board_;  // after the moves so far
  Defect impossible_;
  bool in_moves_ = false;
  bool blank_ = true;
};

using Defect = GameParser::Defect;

Defect GameParser::line(std::string_view text, std::int32_t line) {
  if (text.empty()) return std::nullopt;
  // Comments, names and headers own their whole line, commas and blanks included.
  if (text[0] == '\'') {
    comment(text.substr(1));
    return std::nullopt;
  }
  if (text[0] == 'N' || text[0] == '$') return statement(text, line);
  text = trim(text);
  if (text.empty()) return std::nullopt;
  constexpr std::string_view kListed = "+-T%PV'";
  return kListed.contains(text[0]) ? list(text, line) : statement(text, line);
}

// Statements separated by commas. In a comment a comma is text, unless another comment or a time follows it.
Defect GameParser::list(std::string_view text, std::int32_t line) {
  while (!text.empty()) {
    std::size_t end = text.find(',');
    if (text[0] == '\'') {
      const auto starts = [&](std::size_t at) {
        return text.substr(at).starts_with(",'") ||
               (text.substr(at).starts_with(",T") && at + 2 < text.size() && is_digit(text[at + 2]));
      };
      while (end != std::string_view::npos && !starts(end)) end = text.find(',', end + 1);
      comment(text.substr(1, end == std::string_view::npos ? end : end - 1));
    } else if (auto defect = statement(trim(text.substr(0, end)), line)) {
      return defect;
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  }
  return std::nullopt;
}

Defect GameParser::statement(std::string_view text, std::int32_t line) {
  if (text.empty()) return std::nullopt;
  switch (text[0]) {
    case '+':
    case '-':
      if (text.size() == 1) return turn(text, line);
      if (const auto csa = parse_csa_move(text)) return move(*csa, line);
      return Diagnostic{line, "not a move: " + in_quotes(text)};
    case 'T':
      time(text, line);
      return std::nullopt;
    case '%':
      return special(text, line);
    case 'P':
      return position(text, line);
    case 'N':
      if (text.starts_with("N+") || text.starts_with("N-")) return name(text), std::nullopt;
      break;
    case '$':
      if (text.find(':') != std::string_view::npos) return header(text.substr(1)), std::nullopt;
      break;
    case 'V':
      version_line(text, line);
      return std::nullopt;
    default:
      break;
  }
  unparsed(text, line, "not understood");
  return std::nullopt;
}

Defect GameParser::move(const CsaMove& csa, std::int32_t line) {
  if (!in_moves_) {
    return Diagnostic{line, "a move before the line that says who moves first: " + in_quotes(to_csa(csa))};
  }
  if (impossible_) return impossible_;
  if (game().end.kind != EndKind::none) take_back_end();
  if (const auto resolved = board_.resolve(csa)) {
    game().moves.push_back({*resolved, std::nullopt});
    board_.apply(*resolved);
  } else {
    impossible_ = Diagnostic{line, "impossible move " + in_quotes(to_csa(csa)) + ": " + board_.why_unresolved(csa)};
    game().impossible = ImpossibleMove{csa, std::nullopt};
  }
  return std::nullopt;
}

Defect GameParser::position(std::string_view text, std::int32_t line) {
  blank_ = false;
  if (in_moves_) return unparsed(text, line, "a position among the moves"), std::nullopt;
  if (auto defect = setup_reader_.line(text)) return Diagnostic{line, std::move(*defect)};
  return std::nullopt;
}

Defect GameParser::turn(std::string_view text, std::int32_t line) {
  blank_ = false;
  if (in_moves_) return unparsed(text, line, "the side to move is said again"), std::nullopt;
  if (!setup_reader_.any()) return Diagnostic{line, "no start position before the line that says who moves first"};
  auto setup = setup_reader_.finish(text[0] == '+' ? BLACK : WHITE);
  if (!setup) return Diagnostic{line, std::move(setup.error())};
  game().start = board_ = *setup;
  // Room for an ordinary game, so that moves are not copied again and again while it grows.
  game().moves.reserve(160);
  in_moves_ = true;
  return std::nullopt;
}

Defect GameParser::special(std::string_view text, std::int32_t line) {
  if (!in_moves_) return Diagnostic{line, "an end before the line that says who moves first: " + in_quotes(text)};
  const std::string_view name = text.substr(1);
  End end;
  end.kind = csa_end_kind(name);
  if (end.kind == EndKind::other) end.text = name;
  End& known = game().end;
  if (known.kind == EndKind::none) {
    known = end;
    if (end.kind == EndKind::other) warn(line, "unknown end " + in_quotes(text));
  } else if (known.kind != end.kind || known.text != end.text) {
    unparsed(text, line, "a second end");
  }
  return std::nullopt;
}

void GameParser::name(std::string_view text) {
  blank_ = false;
  (text[1] == '+' ? game().black : game().white) = text.substr(2);
}

void GameParser::header(std::string_view text) {
  blank_ = false;
  const std::size_t colon = text.find(':');
  const std::string_view key = text.substr(0, colon);
  const std::string_view value = text.substr(colon + 1);
  if (key == "EVENT") {
    game().event = value;
  } else if (key == "SITE") {
    game().site = value;
  } else if (key == "OPENING") {
    game().opening = value;
  } else if (key == "NOTE") {
    game().note = value;
  } else if (key == "START_TIME") {
    game().start_time = value;
  } else if (key == "END_TIME") {
    game().end_time = value;
  } else if (!timed_header(key, value)) {
    game().headers.push_back({std::string(key), std::string(value)});
  }
}

// Headers whose value is a number or a time control. False: another one, or a value that is none.
bool GameParser::timed_header(std::string_view key, std::string_view value) {
  if (key == "MAX_MOVES") {
    const auto moves = shogi::number_of<std::int32_t>(value);
    if (!moves || *moves < 0) return false;
    game().max_moves = *moves;
    return true;
  }
  if (!key.starts_with("TIME")) return false;
  const auto control = key == "TIME_LIMIT" ? parse_time_limit(value) : parse_time(value);
  if (!control) return false;
  if (key == "TIME+") {
    game().black_time = control;
  } else if (key == "TIME-") {
    game().white_time = control;
  } else if (key == "TIME" || key == "TIME_LIMIT") {
    game().black_time = game().white_time = control;
  } else {
    return false;
  }
  return true;
}

void GameParser::comment(std::string_view text) {
  while (text.ends_with('\r')) text.remove_suffix(1);  // a line end, wherever it came from
  if (!in_moves_ && declared_encoding(text)) return;   // a fact about the file, not the game
  constexpr std::string_view kEndTime = "$END_TIME:";  // as shogi-server says it, in a comment
  if (text.starts_with(kEndTime) && game().end_time.empty()) game().end_time = trim(text.substr(kEndTime.size()));
  Comment& added = game().comments.emplace_back();
  added.ply = game().plies();
  added.after_end = game().end.kind != EndKind::none;
  if (text.starts_with('*')) {
    added.kind = Comment::Kind::program;
    text.remove_prefix(1);
  }
  added.text = text;
}

void GameParser::time(std::string_view text, std::int32_t line) {
  const auto spent = parse_seconds(text.substr(1));
  if (spent && game().end.kind != EndKind::none) {
    game().end.spent_ms = spent;
  } else if (spent && game().impossible) {
    game().impossible->spent_ms = spent;
  } else if (spent && !game().moves.empty()) {
    game().moves.back().spent_ms = spent;
  } else {
    unparsed(text, line, spent ? "a time that belongs to no move" : "not a time");
  }
}

void GameParser::version_line(std::string_view text, std::int32_t line) {
  const auto version = csa_version(text);
  if (version && !in_moves_) {
    result_.version = *version;
  } else {
    unparsed(text, line, "unknown or late version");
  }
}

void GameParser::unparsed(std::string_view text, std::int32_t line, const std::string& why) {
  warn(line, why + ": " + in_quotes(text));
  if (text == "/") return;  // on a line of its own it would separate games
  game().comments.push_back({.ply = game().plies(),
                             .kind = Comment::Kind::unparsed,
                             .after_end = game().end.kind != EndKind::none,
                             .text = std::string(text)});
}

// A move follows what looked like the end (a %MATTA in the middle): it was none.
void GameParser::take_back_end() {
  auto& comments = game().comments;
  const auto after = std::ranges::find_if(comments, [](const Comment& c) { return c.after_end; });
  const std::string_view name = csa_end_name(game().end.kind);
  std::string text = "%" + (name.empty() ? game().end.text : std::string(name));
  if (game().end.spent_ms) text += ",T" + format_seconds(*game().end.spent_ms);
  const auto first =
      comments.insert(after, {.ply = game().plies(), .kind = Comment::Kind::unparsed, .text = std::move(text)});
  for (auto it = first; it != comments.end(); ++it) it->after_end = false;
  game().end = {};
}

bool GameParser::ended_illegally() const {
  const Game& game = result_.game;
  if (is_foul(game.end.kind)) return true;
  return std::ranges::any_of(game.comments, [&](const Comment& c) {
    return c.ply == game.plies() && c.text.find("ILLEGAL_MOVE") != std::string::npos;
  });
}

Defect GameParser::finish(std::int32_t line) {
  if (impossible_ && !ended_illegally()) return impossible_;
  if (in_moves_) return std::nullopt;
  if (!setup_reader_.any()) return Diagnostic{line, "no start position"};
  warn(line, "nothing says who moves first; Black is assumed");
  return turn("+", line);
}

// The whole text: finds lines, and where games begin and end.
class FileParser {
 public:
  explicit FileParser(std::string_view text) : rest_(text) {}

  std::expected<std::vector<CsaGame>, Diagnostic> parse() {
    while (!rest_.empty()) {
      if (auto defect = take_move() ? std::move(move_defect_) : take_line()) return std::unexpected(*defect);
    }
    if (auto defect = end_game()) return std::unexpected(*defect);
    if (games_.empty()) return std::unexpected(Diagnostic{std::max(line_, 1), "no game in it"});
    return std::move(games_);
  }

 private:
  // Nearly every line of a record is a bare move; they are taken without looking for the line's end.
  bool take_move() {
    move_defect_.reset();
    if (rest_.size() <= kMoveLength || (rest_[0] != '+' && rest_[0] != '-')) return false;
    std::size_t end = kMoveLength;
    if (rest_[end] == '\r' && end + 1 < rest_.size()) ++end;
    if (rest_[end] != '\n') return false;
    const auto csa = parse_csa_move(rest_.substr(0, kMoveLength));
    if (!csa) return false;
    ++line_;
    move_defect_ = parser_.move(*csa, line_);
    rest_.remove_prefix(end + 1);
    return true;
  }

  Defect take_line() {
    ++line_;
    const void* newline = std::memchr(rest_.data(), '\n', rest_.size());
    const std::size_t length =
        newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - rest_.data()) : rest_.size();
    std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return text == "/" ? end_game() : parser_.line(text, line_);
  }

  Defect end_game() {
    // A separator at the very end, or comments between two of them, are no game.
    if (!parser_.blank() || parser_.in_moves()) {
      if (auto defect = parser_.finish(std::max(line_, 1))) return defect;
      games_.push_back(parser_.take());
    }
    parser_ = GameParser(games_.empty() ? CsaVersion::v1 : games_.back().version);
    return std::nullopt;
  }

  std::string_view rest_;
  std::int32_t line_ = 0;
  GameParser parser_{CsaVersion::v1};
  Defect move_defect_;
  std::vector<CsaGame> games_;
};

// The encoding that the first line names, if it does.
std::optional<Encoding> declared_in(std::string_view bytes) {
  if (!bytes.starts_with('\'')) return std::nullopt;
  const std::string_view first = trim(bytes.substr(1, bytes.find_first_of("\r\n") - 1));
  const auto declared = declared_encoding(first);
  return declared ? encoding_by_name(*declared) : std::nullopt;
}

}  // namespace

std::expected<std::vector<CsaGame>, Diagnostic> parse_csa(std::string_view utf8) {
  return FileParser(without_mark(utf8)).parse();
}

std::expected<CsaFile, Diagnostic> read_csa(std::string_view bytes) {
  if (const auto plain = plain_file(bytes)) return read_csa(*plain);
  CsaFile file;
  std::string decoded;
  std::size_t bad = 0;
  if (!is_ascii(bytes)) file.encoding = choose_encoding(bytes, declared_in(bytes));
  if (file.encoding != Encoding::utf8 || !is_utf8(bytes)) {
    auto converted = decode_to_utf8(bytes, file.encoding);
    if (!converted) return std::unexpected(Diagnostic{1, std::move(converted.error())});
    decoded = std::move(converted->text);
    bad = converted->bad;
    bytes = decoded;
  }
  auto games = parse_csa(bytes);
  if (!games) return std::unexpected(std::move(games.error()));
  file.games = std::move(*games);
  if (bad > 0) {
    file.games.front().warnings.push_back(
        {1, std::to_string(bad) + " bytes are not " + std::string(to_string(file.encoding))});
  }
  return file;
}

}  // namespace fuhyo::record
