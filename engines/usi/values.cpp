#include "engines/usi/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

// ---- go ----

// Reads the number after a keyword. Negative times occur (a GUI that lets a lost clock run on): they count as none.
std::expected<std::int64_t, std::string> number_after(std::string_view word, std::string_view& rest) {
  const std::string_view text = next_word(rest);
  const auto value = to_integer(text);
  if (!value) return std::unexpected("go: '" + std::string(text) + "' after " + std::string(word) + " is not a number");
  return *value < 0 ? 0 : *value;
}

bool is_timed_word(std::string_view word) {
  return word == "btime" || word == "wtime" || word == "binc" || word == "winc" || word == "byoyomi";
}

void set_time(GoLimits& limits, std::string_view word, std::int64_t value) {
  limits.timed = true;
  if (word == "byoyomi") {
    limits.byoyomi_ms = value;
  } else {
    const std::size_t side = word.front() == 'b' ? shogi::BLACK : shogi::WHITE;
    (word.substr(1) == "time" ? limits.time_ms : limits.inc_ms)[side] = value;
  }
}

void take_searchmoves(GoLimits& limits, std::string_view& rest) {
  while (const auto move = shogi::parse_usi_move(peek_word(rest))) {
    limits.searchmoves.push_back(*move);
    next_word(rest);
  }
}

std::expected<void, std::string> take_numbered(GoLimits& limits, std::string_view word, std::string_view& rest) {
  const auto value = number_after(word, rest);
  if (!value) return std::unexpected(value.error());
  if (is_timed_word(word)) set_time(limits, word, *value);
  if (word == "movetime") limits.movetime_ms = *value;
  if (word == "nodes") limits.nodes = *value;
  if (word == "depth") limits.depth = static_cast<int>(std::min<std::int64_t>(*value, 1000));
  return {};
}

// "go mate" may stand alone, or be followed by milliseconds or "infinite".
void take_mate(GoLimits& limits, std::string_view& rest) {
  limits.mate_ms = kForever;
  if (const auto ms = to_integer(peek_word(rest))) {
    limits.mate_ms = *ms < 0 ? 0 : *ms;
    next_word(rest);
  } else if (peek_word(rest) == "infinite") {
    next_word(rest);
  }
}

// ---- info ----

void append_number(std::string& out, std::string_view name, const auto& value) {
  if (!value) return;
  out += ' ';
  out += name;
  out += ' ';
  out += std::to_string(*value);
}

void append_score(std::string& out, const Score& score) {
  if (score.kind == Score::Kind::cp) {
    out += " score cp " + std::to_string(score.value);
  } else {
    out += score.kind == Score::Kind::win ? " score mate +" : " score mate -";
    if (score.value != 0) out += std::to_string(score.value);
  }
  if (score.bound == Score::Bound::lower) out += " lowerbound";
  if (score.bound == Score::Bound::upper) out += " upperbound";
}

int clamp_to_int(std::int64_t value) {
  constexpr std::int64_t kLow = std::numeric_limits<int>::min() + 1;
  constexpr std::int64_t kHigh = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(std::max(value, kLow), kHigh));
}

std::optional<Score> mate_score(std::string_view word) {
  if (word.empty()) return std::nullopt;
  Score score;
  score.kind = word.front() == '-' ? Score::Kind::lose : Score::Kind::win;
  if (word == "+" || word == "-") return score;
  const auto plies = to_integer(word);
  if (!plies) return std::nullopt;
  score.value = clamp_to_int(*plies < 0 ? -*plies : *plies);
  return score;
}

std::optional<Score> take_score(std::string_view& rest) {
  const std::string_view kind = next_word(rest);
  std::optional<Score> score;
  if (kind == "mate") {
    score = mate_score(next_word(rest));
  } else if (kind == "cp") {
    if (const auto cp = to_integer(next_word(rest))) score = Score{.value = clamp_to_int(*cp)};
  }
  if (peek_word(rest) == "lowerbound" || peek_word(rest) == "upperbound") {
    const bool lower = next_word(rest) == "lowerbound";
    if (score) score->bound = lower ? Score::Bound::lower : Score::Bound::upper;
  }
  return score;
}

void take_pv(Info& info, std::string_view& rest) {
  while (const auto move = shogi::parse_usi_move(peek_word(rest))) {
    info.pv.push_back(*move);
    next_word(rest);
  }
}

void take_wdl(Info& info, std::string_view& rest) {
  std::array<int, 3> parts{};
  for (int& part : parts) {
    const auto number = to_integer(peek_word(rest));
    if (!number) return;
    next_word(rest);
    part = clamp_to_int(*number);
  }
  info.wdl = Wdl{parts[0], parts[1], parts[2]};
}

void take_info_number(Info& info, std::string_view word, std::string_view& rest) {
  const auto value = to_integer(peek_word(rest));
  if (!value) return;
  next_word(rest);
  if (word == "depth") info.depth = clamp_to_int(*value);
  if (word == "seldepth") info.seldepth = clamp_to_int(*value);
  if (word == "multipv") info.multipv = clamp_to_int(*value);
  if (word == "hashfull") info.hashfull = clamp_to_int(*value);
  if (word == "time") info.time_ms = value;
  if (word == "nodes") info.nodes = value;
  if (word == "nps") info.nps = value;
}

}  // namespace

std::expected<GoLimits, std::string> parse_go(std::string_view rest) {
  GoLimits limits;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word == "ponder") {
      limits.ponder = true;
    } else if (word == "infinite") {
      limits.infinite = true;
    } else if (word == "mate") {
      take_mate(limits, rest);
    } else if (word == "searchmoves") {
      take_searchmoves(limits, rest);
    } else if (is_timed_word(word) || word == "movetime" || word == "nodes" || word == "depth") {
      if (auto taken = take_numbered(limits, word, rest); !taken) return std::unexpected(taken.error());
    }
  }
  return limits;
}

std::string to_text(const GoLimits& limits) {
  std::string out = "go";
  if (limits.ponder) out += " ponder";
  if (limits.timed) {
    out += " btime " + std::to_string(limits.time_ms[shogi::BLACK]);
    out += " wtime " + std::to_string(limits.time_ms[shogi::WHITE]);
    if (limits.inc_ms[shogi::BLACK] != 0 || limits.inc_ms[shogi::WHITE] != 0) {
      out += " binc " + std::to_string(limits.inc_ms[shogi::BLACK]);
      out += " winc " + std::to_string(limits.inc_ms[shogi::WHITE]);
    }
    // Engines of Shogidokoro's time expect byoyomi, also 0; with an increment it would contradict it.
    if (limits.byoyomi_ms != 0 || (limits.inc_ms[shogi::BLACK] == 0 && limits.inc_ms[shogi::WHITE] == 0)) {
      out += " byoyomi " + std::to_string(limits.byoyomi_ms);
    }
  }
  append_number(out, "movetime", limits.movetime_ms);
  append_number(out, "nodes", limits.nodes);
  append_number(out, "depth", limits.depth);
  if (limits.mate_ms)
    out += *limits.mate_ms == kForever ? " mate infinite" : " mate " + std::to_string(*limits.mate_ms);
  if (limits.infinite) out += " infinite";
  if (!limits.searchmoves.empty()) out += " searchmoves";
  for (const shogi::Move move : limits.searchmoves) out += " " + shogi::to_usi(move);
  return out;
}

Info parse_info(std::string_view rest) {
  Info info;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word == "string") {
      info.text = std::string(trim(rest));
      return info;
    }
    if (word == "score") {
      info.score = take_score(rest);
    } else if (word == "pv") {
      take_pv(info, rest);
    } else if (word == "wdl") {
      take_wdl(info, rest);
    } else {
      take_info_number(info, word, rest);
    }
  }
  return info;
}

std::string to_text(const Info& info) {
  std::string out = "info";
  append_number(out, "depth", info.depth);
  append_number(out, "seldepth", info.seldepth);
  append_number(out, "multipv", info.multipv);
  if (info.score) append_score(out, *info.score);
  append_number(out, "nodes", info.nodes);
  append_number(out, "nps", info.nps);
  append_number(out, "time", info.time_ms);
  append_number(out, "hashfull", info.hashfull);
  if (info.wdl) {
    out += " wdl " + std::to_string(info.wdl->win) + ' ' + std::to_string(info.wdl->draw) + ' ' +
           std::to_string(info.wdl->lose);
  }
  if (!info.pv.empty()) out += " pv";
  for (const shogi::Move move : info.pv) out += " " + shogi::to_usi(move);
  if (!info.pv_end.empty()) out += " " + info.pv_end;
  if (!info.text.empty()) out += " string " + info.text;
  return out;
}

Wdl wdl_of(const Score& score) {
  constexpr double kScale = 600;  // of values in which a pawn is 90
  if (score.kind == Score::Kind::win) return {1'000, 0, 0};
  if (score.kind == Score::Kind::lose) return {0, 0, 1'000};
  const auto win = static_cast<int>(std::lround(1'000 / (1 + std::exp(-score.value * 0.9 / kScale))));
  return {win, 0, 1'000 - win};
}

std::expected<BestMove, std::string> parse_bestmove(std::string_view rest) {
  const std::string_view word = next_word(rest);
  BestMove best;
  if (word == "resign") return best;
  if (word == "win") {
    best.kind = BestMove::Kind::win;
    return best;
  }
  const auto move = shogi::parse_usi_move(word);
  if (!move) return std::unexpected("bestmove '" + std::string(word) + "' is not a move");
  best.kind = BestMove::Kind::move;
  best.move = *move;
  if (next_word(rest) == "ponder") best.ponder = shogi::parse_usi_move(next_word(rest)).value_or(shogi::Move{});
  return best;
}

std::string to_text(const BestMove& best) {
  if (best.kind == BestMove::Kind::resign) return "bestmove resign";
  if (best.kind == BestMove::Kind::win) return "bestmove win";
  std::string out = "bestmove " + shogi::to_usi(best.move);
  if (best.ponder) out += " ponder " + shogi::to_usi(best.ponder);
  return out;
}

std::expected<Checkmate, std::string> parse_checkmate(std::string_view rest) {
  const std::string_view first = peek_word(rest);
  if (first == "nomate") return Checkmate{.kind = Checkmate::Kind::no_mate};
  if (first == "timeout") return Checkmate{.kind = Checkmate::Kind::timeout};
  if (first == "notimplemented") return Checkmate{};
  Checkmate mate{.kind = Checkmate::Kind::mate};
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto move = shogi::parse_usi_move(word);
    if (!move) return std::unexpected("checkmate '" + std::string(word) + "' is not a move");
    mate.line.push_back(*move);
  }
  if (mate.line.empty()) return std::unexpected("checkmate without a move");
  return mate;
}

std::string to_text(const Checkmate& checkmate) {
  switch (checkmate.kind) {
    case Checkmate::Kind::mate:
      break;
    case Checkmate::Kind::no_mate:
      return "checkmate nomate";
    case Checkmate::Kind::timeout:
      return "checkmate timeout";
    case Checkmate::Kind::not_implemented:
      return "checkmate notimplemented";
  }
  std::string text = "checkmate";
  for (const shogi::Move move : checkmate.line) text += " " + shogi::to_usi(move);
  return text;
}

}  // namespace fuhyo::usi
