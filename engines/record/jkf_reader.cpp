#include "engines/record/jkf_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "engines/record/csa_format.h"
#include "engines/record/game_builder.h"
#include "engines/record/kif_end.h"
#include "engines/record/kif_header.h"
#include "engines/record/kif_move.h"
#include "engines/record/kif_setup.h"

namespace fuhyo::record {
namespace {

namespace json = boost::json;
using namespace shogi;
using Defect = std::optional<Diagnostic>;

constexpr std::size_t kMaxDepth = 256;  // forks in forks; the library frees values by recursion

// A member that is there and not null.
const json::value* member(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}
const json::object* object_in(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  return value == nullptr ? nullptr : value->if_object();
}
const json::array* array_in(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  return value == nullptr ? nullptr : value->if_array();
}
std::optional<std::string_view> text_in(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}
std::optional<double> number_in(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<Color> color_in(const json::object& object) {
  const auto number = number_in(object, "color");
  if (!number || (*number != 0 && *number != 1)) return std::nullopt;
  return *number == 0 ? BLACK : WHITE;
}

PieceType piece_named(std::optional<std::string_view> name) {
  return name && name->size() == 2 ? piece_of_csa_name((*name)[0], (*name)[1]) : NO_PIECE_TYPE;
}

// {"x": 7, "y": 6}
std::optional<Square> square_in(const json::object& object, std::string_view key) {
  const json::object* place = object_in(object, key);
  if (place == nullptr) return std::nullopt;
  const auto x = number_in(*place, "x"), y = number_in(*place, "y");
  const auto good = [](const std::optional<double>& v) { return v && *v >= 1 && *v <= 9; };
  if (!good(x) || !good(y)) return std::nullopt;
  return make_square(static_cast<int>(*x), static_cast<int>(*y));
}

// {"h": 1, "m": 2, "s": 3} in milliseconds.
std::optional<std::int64_t> time_in(const json::object& object) {
  constexpr double kMost_s = 999'999'999;  // as in CSA files
  const json::object* time = object_in(object, "time");
  const json::object* now = time == nullptr ? nullptr : object_in(*time, "now");
  if (now == nullptr) return std::nullopt;
  const auto part = [now](std::string_view key) { return number_in(*now, key).value_or(0); };
  const double seconds = part("h") * 3600 + part("m") * 60 + part("s");
  if (!(seconds >= 0 && seconds <= kMost_s)) return std::nullopt;
  return static_cast<std::int64_t>(seconds * 1000 + 0.5);
}

// "L", "RU", "H": the words that tell a move from others. False: a letter that is none.
bool add_relative(KifMove& move, std::string_view relative) {
  using Side = KifMove::Side;
  using Motion = KifMove::Motion;
  for (const char letter : relative) {
    switch (letter) {
      case 'L':
        move.side = Side::left;
        break;
      case 'C':
        move.side = Side::straight;
        break;
      case 'R':
        move.side = Side::right;
        break;
      case 'U':
        move.motion = Motion::up;
        break;
      case 'M':
        move.motion = Motion::sideways;
        break;
      case 'D':
        move.motion = Motion::back;
        break;
      case 'H':
        move.drop = true;
        break;
      default:
        return false;
    }
  }
  return true;
}

class JkfParser {
 public:
  Defect game(const json::object& root);
  GameFile take_file() { return {Encoding::utf8, builder_.take(), std::move(warnings_)}; }

 private:
  using Text = std::optional<std::string>;  // a defect without its place
  struct Fork {
    std::int32_t ply = 0;
    const json::array* entries = nullptr;
  };
  Defect line(const json::array& entries);
  void fork(const Fork& fork);
  Text start(const json::object& root);
  Text board(const json::object& data, Setup& setup);
  Text hands(const json::object& data, Setup& setup);
  Text entry(const json::object& entry);
  Text move(const json::object& move);
  Text special(std::string_view name);
  Text said(Defect defect) const { return defect ? Text(std::move(defect->text)) : std::nullopt; }
  void headers(const json::object& root);
  void comments(const json::object& entry);
  void warn(std::string text) { warnings_.push_back({0, std::move(text)}); }

  GameBuilder builder_;
  std::vector<Diagnostic> warnings_;
  std::vector<Fork> forks_;  // to be read, the next one last
};

Defect JkfParser::game(const json::object& root) {
  headers(root);
  if (auto defect = start(root)) return Diagnostic{0, "start position: " + *defect};
  const json::array* moves = array_in(root, "moves");
  if (moves == nullptr) return Diagnostic{0, "no game in it: \"moves\" is missing"};
  if (auto defect = line(*moves)) return defect;
  if (auto defect = builder_.finish()) return defect;
  while (!forks_.empty()) {
    const Fork next = forks_.back();
    forks_.pop_back();
    fork(next);
  }
  return std::nullopt;
}

// Its forks are to be read next: from its end to its beginning, those of one entry in their order.
Defect JkfParser::line(const json::array& entries) {
  std::vector<Fork> forks;
  Defect defect;
  for (std::size_t i = 0; i < entries.size() && !defect; ++i) {
    const json::object* each = entries[i].if_object();
    const json::array* found = each == nullptr ? nullptr : array_in(*each, "forks");
    for (std::size_t k = found == nullptr ? 0 : found->size(); k-- > 0;) {
      if (const json::array* one = (*found)[k].if_array()) forks.push_back({builder_.game().plies(), one});
    }
    auto wrong = each == nullptr ? Text("is no object") : entry(*each);
    if (wrong) defect = Diagnostic{0, "entry " + std::to_string(i) + ": " + *wrong};
  }
  forks_.insert(forks_.end(), forks.begin(), forks.end());
  return defect;
}

void JkfParser::fork(const Fork& fork) {
  const std::string place = "the variation at move " + std::to_string(fork.ply + 1);
  if (!builder_.branch(fork.ply)) return warn(place + " is left out");
  Defect defect = line(*fork.entries);
  if (!defect) defect = builder_.finish();
  if (defect) warn(place + ", " + defect->text + "; its rest is left out");
}

void JkfParser::headers(const json::object& root) {
  const json::object* header = object_in(root, "header");
  if (header == nullptr) return;
  for (const auto& [key, value] : *header) {
    if (key == "手合割") continue;  // "initial" says it
    if (value.is_string()) {
      set_header(builder_.game(), key, value.get_string());
    } else {
      warn("header " + in_quotes(key) + " is no text");
    }
  }
}

JkfParser::Text JkfParser::start(const json::object& root) {
  const json::object* initial = object_in(root, "initial");
  if (initial == nullptr) return builder_.start(Setup::standard()), std::nullopt;
  const auto preset = text_in(*initial, "preset");
  if (!preset) return "\"preset\" is missing";
  const json::object* data = object_in(*initial, "data");
  if (*preset != "OTHER") {
    const KifHandicap* handicap = handicap_by_preset(*preset);
    if (handicap == nullptr) return "unknown preset " + in_quotes(*preset);
    return builder_.start(handicap->setup), std::nullopt;
  }
  if (data == nullptr) return "\"data\" is missing";
  Setup setup;
  setup.turn = color_in(*data).value_or(BLACK);
  if (auto defect = board(*data, setup)) return defect;
  if (auto defect = hands(*data, setup)) return defect;
  if (const PieceType type = excess(setup); type != NO_PIECE_TYPE) {
    return "more " + std::string(csa_name(type)) + " than a set has";
  }
  return builder_.start(setup), std::nullopt;
}

// board[x - 1][y - 1] is {"color": 0, "kind": "FU"}, or {} where nothing stands; all of it {} for an empty board.
JkfParser::Text JkfParser::board(const json::object& data, Setup& setup) {
  const json::value* value = member(data, "board");
  if (value != nullptr && value->is_object() && value->get_object().empty()) return std::nullopt;
  const json::array* files = array_in(data, "board");
  if (files == nullptr || files->size() != 9) return "the board has not nine files";
  for (int x = 1; x <= 9; ++x) {
    const json::array* squares = (*files)[static_cast<std::size_t>(x - 1)].if_array();
    if (squares == nullptr || squares->size() != 9) return "file " + std::to_string(x) + " has not nine squares";
    for (int y = 1; y <= 9; ++y) {
      const json::object* square = (*squares)[static_cast<std::size_t>(y - 1)].if_object();
      if (square == nullptr || member(*square, "kind") == nullptr) continue;
      const PieceType type = piece_named(text_in(*square, "kind"));
      const auto color = color_in(*square);
      if (type == NO_PIECE_TYPE || !color) return "no piece on " + std::to_string(x) + std::to_string(y);
      setup.board[static_cast<std::size_t>(make_square(x, y))] = make_piece(*color, type);
    }
  }
  return std::nullopt;
}

JkfParser::Text JkfParser::hands(const json::object& data, Setup& setup) {
  const json::array* both = array_in(data, "hands");
  if (both == nullptr) return std::nullopt;
  for (std::size_t c = 0; c < std::min<std::size_t>(both->size(), COLOR_NB); ++c) {
    const json::object* hand = (*both)[c].if_object();
    if (hand == nullptr) continue;
    for (const auto& [name, count] : *hand) {
      const PieceType type = piece_named(std::string_view(name));
      const double number = count.is_number() ? count.to_number<double>() : -1;
      if (number == 0) continue;
      if (type == NO_PIECE_TYPE || type > GOLD) return "a hand cannot hold " + in_quotes(name);
      if (!(number > 0 && number <= set_count(type))) return "no count of " + in_quotes(name);
      setup.hands[c].add(type, static_cast<int>(number));
    }
  }
  return std::nullopt;
}

JkfParser::Text JkfParser::entry(const json::object& entry) {
  const bool adds = member(entry, "move") != nullptr || member(entry, "special") != nullptr;
  if (const json::value* value = member(entry, "move")) {
    if (!value->is_object()) return "\"move\" is no object";
    if (auto defect = move(value->get_object())) return defect;
  }
  if (member(entry, "special") != nullptr) {
    const auto name = text_in(entry, "special");
    if (!name) return "\"special\" is no text";
    if (auto defect = special(*name)) return defect;
  }
  if (adds) {
    if (const auto spent = time_in(entry)) builder_.spent(*spent);
  }
  comments(entry);
  return std::nullopt;
}

void JkfParser::comments(const json::object& entry) {
  const json::array* lines = array_in(entry, "comments");
  if (lines == nullptr) return;
  for (const json::value& line : *lines) {
    if (line.is_string()) builder_.comment(Comment::Kind::program, line.get_string());
  }
}

JkfParser::Text JkfParser::move(const json::object& move) {
  const Setup& board = builder_.board();
  KifMove wanted{.color = color_in(move)};
  if (const auto to = square_in(move, "to")) {
    wanted.to = *to;
  } else if (member(move, "to") != nullptr || member(move, "same") == nullptr) {
    return "\"to\" is no square";
  }
  const auto from = square_in(move, "from");
  if (!from && member(move, "from") != nullptr) return "\"from\" is no square";
  wanted.from = from.value_or(SQ_NONE);
  wanted.piece = piece_named(text_in(move, "piece"));
  if (wanted.piece == NO_PIECE_TYPE && from) {
    const Piece piece = board.board[static_cast<std::size_t>(*from)];
    if (piece != NO_PIECE) wanted.piece = type_of(piece);
  }
  if (wanted.piece == NO_PIECE_TYPE) return "\"piece\" is missing or none";
  if (const json::value* promote = member(move, "promote")) {
    if (!promote->is_bool()) return "\"promote\" is neither true nor false";
    if (promote->get_bool() || !from) wanted.promote = promote->get_bool();
  }
  if (!from && !add_relative(wanted, text_in(move, "relative").value_or("H"))) return "\"relative\" is none";
  const auto csa = meant(board, wanted, builder_.last_to());
  if (!csa) return csa.error();
  return said(builder_.move(*csa, 0));
}

JkfParser::Text JkfParser::special(std::string_view name) {
  End end{.kind = csa_end_kind(name), .spent_ms = {}, .text = {}};
  if (name == "ILLEGAL_ACTION") {  // without a sign: by the side that did not move last
    end.kind = next_to_move(builder_.game()) == WHITE ? EndKind::black_illegal : EndKind::white_illegal;
  } else if (end.kind == EndKind::other) {
    if (!is_kif_end_word(name)) warn("unknown end " + in_quotes(name));
    end.text = name;
  }
  return said(builder_.end(std::move(end), 0));
}

}  // namespace

std::expected<GameFile, Diagnostic> read_jkf(std::string_view bytes) {
  const auto decoded = decode_file(bytes);
  if (!decoded) return std::unexpected(Diagnostic{0, decoded.error()});
  const std::string_view text = decoded->text;
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::parser parser({}, options);
  json::error_code error;
  const std::size_t read = parser.write_some(text, error);
  if (!error && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) error = json::error::extra_data;
  if (error) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n') + 1;
    return std::unexpected(Diagnostic{static_cast<std::int32_t>(line), "not JSON: " + error.message()});
  }
  const json::value root = parser.release();
  if (!root.is_object()) return std::unexpected(Diagnostic{0, "no game in it: it is no JSON object"});
  JkfParser game;
  if (auto defect = game.game(root.get_object())) return std::unexpected(std::move(*defect));
  GameFile file = game.take_file();
  file.encoding = decoded->encoding;
  return file;
}

}  // namespace fuhyo::record
