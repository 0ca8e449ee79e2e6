#include "engines/record/kif_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "engines/record/game_builder.h"
#include "engines/record/kif_end.h"
#include "engines/record/kif_header.h"
#include "engines/record/kif_move.h"
#include "engines/record/kif_setup.h"
#include "engines/record/kif_text.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using Defect = std::optional<Diagnostic>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_with_mark(std::string_view text) { return take_mark(text).has_value(); }

// Lines that only look good: "+-----+", "  ９ ８ ７ ...", "手数----指手---", "手数＝45  ▲７六歩  まで".
bool is_ornament(std::string_view text) {
  return text.starts_with("+-") || text.starts_with("９ ８") || text.starts_with("9 8") || text.starts_with("手数");
}

// "先手の持駒", "上手持駒": whose hand it is.
std::optional<Color> hand_of(std::string_view key) {
  const auto side = take_side(key);
  if (side) take(key, "の");
  return key == "持駒" || key == "持ち駒" ? side : std::nullopt;
}

// The number in "変化：3手".
std::optional<int> variation_in(std::string_view text) {
  text = trimmed(text);
  if (!take(text, "変化") || (!take(text, "：") && !take(text, ":"))) return std::nullopt;
  skip_blanks(text);
  return take_number(text);
}

class KifParser {
 public:
  Defect line(std::string_view text, std::int32_t line);
  Defect finish(std::int32_t line);
  GameFile take_file();

 private:
  Defect any_line(std::string_view text, std::int32_t line);
  Defect statement(std::string_view text, std::int32_t line);
  Defect header(std::string_view key, std::string_view value, std::int32_t line);
  Defect start_moves(std::int32_t line);
  Defect numbered(std::string_view text, std::int32_t line);
  Defect marked(std::string_view text, std::int32_t line);
  Defect move(const KifMove& said, std::int32_t line);
  Defect end_word(std::string_view word, std::int32_t line);
  void number(int said, std::int32_t line);
  void time(std::string_view text, std::int32_t line);
  Defect last_line(std::string_view text, std::int32_t line);
  Defect variation(int number, std::int32_t line);
  Defect end_line(std::int32_t line);
  void end_in_comment();
  void unparsed(std::string_view text, std::int32_t line, const std::string& why);
  void warn(std::int32_t line, std::string text) { warnings_.push_back({line, std::move(text)}); }

  GameBuilder builder_;
  KifSetupReader setup_;
  std::vector<Diagnostic> warnings_;
  std::int32_t next_number_ = 0;  // of the next move; 0: none had any
  bool any_ = false;              // something was understood
  bool skipping_ = false;         // a variation whose rest is left out
};

Defect KifParser::line(std::string_view text, std::int32_t line) {
  while (text.ends_with('\r')) text.remove_suffix(1);
  if (const auto number = variation_in(text)) return variation(*number, line);
  if (skipping_) return std::nullopt;
  auto defect = any_line(text, line);
  if (!defect || !builder_.in_branch()) return defect;
  warn(defect->line, defect->text + "; the rest of this variation is left out");
  skipping_ = true;
  return std::nullopt;
}

Defect KifParser::any_line(std::string_view text, std::int32_t line) {
  if (text.starts_with('*')) {
    any_ = true;
    builder_.comment(Comment::Kind::program, text.substr(1));
  } else if (text.starts_with('#')) {
    if (any_) builder_.comment(Comment::Kind::note, text.substr(1));
  } else if (text.starts_with('&')) {
    any_ = true;
    builder_.comment(Comment::Kind::note, text);
  } else if (text = trimmed(text); !text.empty()) {
    return statement(text, line);
  }
  return std::nullopt;
}

Defect KifParser::statement(std::string_view text, std::int32_t line) {
  const bool known = any_;
  any_ = true;
  if (is_ornament(text)) return std::nullopt;
  if (is_digit(text[0])) return numbered(text, line);
  if (begins_with_mark(text)) return marked(text, line);
  if (text.starts_with("まで")) return last_line(text, line);
  if (text.starts_with('|') && !builder_.started()) {
    if (auto defect = setup_.rank(text)) return Diagnostic{line, std::move(*defect)};
    return std::nullopt;
  }
  std::string_view side = text;
  if (const auto color = take_side(side); color && side == "番" && !builder_.started()) {
    setup_.turn(*color);
    return std::nullopt;
  }
  constexpr std::string_view kColon = "：";
  const std::size_t wide = text.find(kColon), narrow = text.find(':');
  if (std::min(wide, narrow) != std::string_view::npos) {
    const std::size_t width = wide < narrow ? kColon.size() : 1;
    const std::size_t at = std::min(wide, narrow);
    return header(trimmed(text.substr(0, at)), trimmed(text.substr(at + width)), line);
  }
  any_ = known;
  unparsed(text, line, "not understood");
  return std::nullopt;
}

Defect KifParser::header(std::string_view key, std::string_view value, std::int32_t line) {
  const auto hand = hand_of(key);
  if (builder_.in_branch()) {
    unparsed(std::string(key) + "：" + std::string(value), line, "a header among the moves");
    return std::nullopt;
  }
  if (!hand && key != "手合割") {
    set_header(builder_.game(), key, value);
    return std::nullopt;
  }
  if (builder_.started()) {
    unparsed(std::string(key) + "：" + std::string(value), line, "a position among the moves");
    return std::nullopt;
  }
  auto defect = hand ? setup_.hand(*hand, value) : setup_.handicap(value);
  if (!defect) return std::nullopt;
  // A board may say what the name does not; without one, finish() refuses.
  if (hand) return Diagnostic{line, std::move(*defect)};
  warn(line, std::move(*defect));
  return std::nullopt;
}

Defect KifParser::start_moves(std::int32_t line) {
  if (builder_.started()) return std::nullopt;
  auto setup = setup_.finish();
  if (!setup) return Diagnostic{line, std::move(setup.error())};
  builder_.start(*setup);
  return std::nullopt;
}

// "   1 ７六歩(77)   ( 0:12/00:00:12)+": the plus says that there are variations.
Defect KifParser::numbered(std::string_view text, std::int32_t line) {
  if (auto defect = start_moves(line)) return defect;
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  std::string_view number_text = text.substr(0, digits), rest = text.substr(digits);
  if (!take(rest, ".")) take(rest, ":");
  skip_blanks(rest);
  const auto number_said = take_number(number_text);
  if (!number_said || rest.empty()) return Diagnostic{line, "not a move: " + in_quotes(text)};
  std::string_view after = rest;
  if (const auto said = take_kif_move(after)) {
    if (auto defect = move(*said, line)) return defect;
    number(*number_said, line);
    time(after, line);
    return std::nullopt;
  }
  std::string_view probe = rest;
  if (take_digit(probe) || take(probe, "同") || begins_with_mark(probe)) {
    return Diagnostic{line, "not a move: " + in_quotes(text)};
  }
  const std::size_t length = std::min(rest.find_first_of(" \t(+"), rest.find("　"));
  if (auto defect = end_word(rest.substr(0, length), line)) return defect;
  number(*number_said, line);
  time(length < rest.size() ? rest.substr(length) : std::string_view(), line);
  return std::nullopt;
}

// "▲７六歩 △３四歩 ...", as many as the line holds.
Defect KifParser::marked(std::string_view text, std::int32_t line) {
  if (auto defect = start_moves(line)) return defect;
  while (!text.empty()) {
    if (const auto said = take_kif_move(text)) {
      if (auto defect = move(*said, line)) return defect;
    } else {
      std::string_view word = text.substr(0, std::min(text.find(' '), text.find("　")));
      const std::string_view whole = word;
      take_mark(word);
      if (!is_kif_end_word(word)) return Diagnostic{line, "not a move: " + in_quotes(text)};
      if (auto defect = end_word(word, line)) return defect;
      text.remove_prefix(whole.size());
    }
    skip_blanks(text);
  }
  return std::nullopt;
}

Defect KifParser::move(const KifMove& said, std::int32_t line) {
  const auto csa = meant(builder_.board(), said, builder_.last_to());
  if (csa) return builder_.move(*csa, line);
  return Diagnostic{line, "move " + std::to_string(builder_.tried() + 1) + ": " + csa.error()};
}

Defect KifParser::end_word(std::string_view word, std::int32_t line) {
  KifEnd end = kif_end(builder_.game(), word);
  if (builder_.over()) return unparsed(word, line, "a second end"), std::nullopt;
  if (!end.known) warn(line, "unknown end " + in_quotes(word));
  return builder_.end(std::move(end.end), line);
}

// Numbers say nothing that the order of the lines does not; but a gap may mean that a line was lost.
void KifParser::number(int said, std::int32_t line) {
  if (next_number_ != 0 && said != next_number_) {
    warn(line, "move " + std::to_string(said) + " where " + std::to_string(next_number_) + " should be");
  }
  next_number_ = said + 1;
}

void KifParser::time(std::string_view text, std::int32_t line) {
  text = trimmed(text);
  if (text.ends_with('+')) text = trimmed(text.substr(0, text.size() - 1));
  if (text.empty()) return;
  std::string_view rest = text;
  if (take(rest, "(") || take(rest, "（")) {
    rest = rest.substr(0, std::min(rest.find(')'), rest.find("）")));
    const std::string_view own = trimmed(rest.substr(0, rest.find('/')));
    if (own.empty()) return;
    if (const auto spent = parse_spent(own)) return builder_.spent(*spent);
  }
  warn(line, "not a time: " + in_quotes(text));
}

// It repeats what the line of the end says, or is the only one to say it, as in KI2.
Defect KifParser::last_line(std::string_view text, std::int32_t line) {
  if (auto defect = start_moves(line)) return defect;
  const auto parts = parse_last_line(text);
  if (!parts) return unparsed(text, line, "not understood"), std::nullopt;
  if (parts->plies && *parts->plies != builder_.tried()) {
    warn(line, "speaks of " + std::to_string(*parts->plies) + " moves; there are " + std::to_string(builder_.tried()));
  }
  if (builder_.over() || parts->word.empty()) return std::nullopt;
  return end_word(parts->word, line);
}

Defect KifParser::variation(int number, std::int32_t line) {
  if (!builder_.started()) return warn(line, "a variation before the moves: passed over"), std::nullopt;
  if (auto defect = end_line(line)) return defect;
  skipping_ = number < 1 || !builder_.branch(number - 1);
  if (skipping_) warn(line, "a variation of no move of the lines above it is left out");
  if (next_number_ != 0) next_number_ = number;
  return std::nullopt;
}

// Of a variation that is broken there is what could be read.
Defect KifParser::end_line(std::int32_t line) {
  end_in_comment();
  auto defect = builder_.finish();
  if (!defect || !builder_.in_branch()) return defect;
  if (!skipping_) warn(line, defect->text + "; it is the last one of its variation");
  return std::nullopt;
}

// An end that only this program's writer has words for (see kif_writer.h) stands in the last comment.
void KifParser::end_in_comment() {
  Game& game = builder_.game();
  if (builder_.over() || game.comments.empty()) return;
  const Comment& last = game.comments.back();
  const auto parts = parse_last_line(last.text);
  if (last.kind != Comment::Kind::program || last.ply != game.plies() || !parts) return;
  game.end = kif_end(game, parts->word).end;
  if (!is_usual_end(game.end) && kif_last_line(game) == last.text) {
    game.comments.pop_back();
  } else {
    game.end = {};
  }
}

void KifParser::unparsed(std::string_view text, std::int32_t line, const std::string& why) {
  warn(line, why + ": " + in_quotes(text));
  builder_.comment(Comment::Kind::note, text);  // unparsed lines are CSA's: they might make sense there
}

Defect KifParser::finish(std::int32_t line) {
  if (!any_) return Diagnostic{std::max(line, 1), "no game in it"};
  if (auto defect = start_moves(std::max(line, 1))) return defect;
  return end_line(line);
}

GameFile KifParser::take_file() {
  return {.encoding = Encoding::utf8, .game = builder_.take(), .warnings = std::move(warnings_)};
}

// "#KIF version=2.0 encoding=Shift_JIS" of the first line.
std::optional<Encoding> declared_in(std::string_view bytes) {
  constexpr std::string_view kKey = "encoding=";
  if (!bytes.starts_with('#')) return std::nullopt;
  const std::string_view first = bytes.substr(0, bytes.find_first_of("\r\n"));
  const std::size_t at = first.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view name = first.substr(at + kKey.size());
  return encoding_by_name(name.substr(0, name.find(' ')));
}

}  // namespace

std::expected<GameFile, Diagnostic> parse_kif(std::string_view utf8) {
  KifParser parser;
  std::int32_t line = 0;
  for (std::string_view rest = without_mark(utf8); !rest.empty();) {
    ++line;
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    if (auto defect = parser.line(rest.substr(0, length), line)) return std::unexpected(std::move(*defect));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  if (auto defect = parser.finish(line)) return std::unexpected(std::move(*defect));
  return parser.take_file();
}

std::expected<GameFile, Diagnostic> read_kif(std::string_view bytes) {
  const auto decoded = decode_file(bytes, declared_in(bytes));
  if (!decoded) return std::unexpected(Diagnostic{0, decoded.error()});
  auto file = parse_kif(decoded->text);
  if (!file) return file;
  file->encoding = decoded->encoding;
  if (decoded->bad > 0) {
    const std::string why =
        std::to_string(decoded->bad) + " bytes are not " + std::string(to_string(decoded->encoding));
    if (file->game.moves.empty()) return std::unexpected(Diagnostic{0, "no game in it: " + why});
    file->warnings.push_back({0, why});
  }
  return file;
}

}  // namespace fuhyo::record
