#include "engines/learn/data/source.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engines/learn/data/byte_file.h"
#include "engines/learn/data/game_file.h"
#include "engines/learn/data/record_source.h"
#include "engines/record/training.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;
using record::ScoredGame;
using record::ScoredPosition;
using NextGame = std::expected<std::optional<ScoredGame>, std::string>;
using NextPosition = std::expected<std::optional<ScoredPosition>, std::string>;

class OwnGames final : public GameSource {
 public:
  OwnGames(GameReader reader, ConversionLosses& losses) : reader_(std::move(reader)), losses_(losses) {}

  NextGame next() override {
    auto game = reader_.next();
    if (game && !*game && reader_.unfinished() && !std::exchange(told_, true)) {
      losses_.add(*reader_.unfinished());
    }
    return game;
  }

 private:
  GameReader reader_;
  ConversionLosses& losses_;
  bool told_ = false;
};

// ---- positions ----

struct PackedSfenValues {
  static constexpr std::size_t kSize = record::PackedSfenValue::kSize;
  static constexpr bool kNumbered = true;

  static std::expected<ScoredPosition, std::string> read(record::ByteView bytes, ConversionLosses& losses) {
    const auto value = record::packed_sfen_value(bytes.first<kSize>());
    losses.add("last bytes of positions (flags of some programs)", value.padding != 0 ? 1 : 0);
    losses.add("move numbers 0, which became 1", value.game_ply == 0 ? 1 : 0);
    return record::scored_position(value);
  }
};

struct Hcpes {
  static constexpr std::size_t kSize = record::Hcpe::kSize;
  static constexpr bool kNumbered = false;

  static std::expected<ScoredPosition, std::string> read(record::ByteView bytes, ConversionLosses& losses) {
    const auto value = record::hcpe(bytes);
    if (!value) return Failure(value.error());
    losses.add("last bytes of positions", value->padding != 0 ? 1 : 0);
    return record::scored_position(*value);
  }
};

struct Hcpe2s {
  static constexpr std::size_t kSize = record::Hcpe::kSize;
  static constexpr bool kNumbered = false;

  static std::expected<ScoredPosition, std::string> read(record::ByteView bytes, ConversionLosses& losses) {
    const auto value = record::hcpe2(bytes);
    if (!value) return Failure(value.error());
    losses.add("last bytes of positions", value->padding != 0 ? 1 : 0);
    losses.add("ends of games, but one of several", std::popcount(value->flags) > 1 ? 1 : 0);
    return record::scored_position(*value);
  }
};

template <class Format>
class Positions final : public GameSource {
 public:
  Positions(ByteFile file, ConversionLosses& losses) : file_(std::move(file)), losses_(losses) {}

  NextGame next() override {
    std::optional<ScoredGame> game;
    shogi::Position after;  // the game's last move
    for (;;) {
      if (!waiting_ && !error_) {
        auto read = read_position();
        if (read) waiting_ = *std::move(read);
        if (!read) error_ = std::move(read.error());
      }
      // The game that was begun is whole, whatever stands behind it.
      if (!waiting_ && error_ && !game) return Failure(*error_);
      if (!waiting_ || (game && !continues(*game, after, *waiting_))) return game;
      if (!game)
        game = ScoredGame{.start = waiting_->position, .moves = {}, .winner = waiting_->winner, .end = waiting_->end};
      game->moves.push_back({.move = waiting_->move, .score = waiting_->score});
      after = waiting_->position;
      after.do_move(waiting_->move);
      waiting_.reset();
    }
  }

 private:
  NextPosition read_position() {
    const auto bytes = file_.peek(Format::kSize);
    if (!bytes) return Failure(bytes.error());
    if (bytes->empty()) return std::nullopt;
    if (bytes->size() < Format::kSize) return Failure(file_.at_offset("the file ends within a position"));
    auto position = Format::read(bytes->first(Format::kSize), losses_);
    if (!position) return Failure(file_.at_offset(position.error()));
    file_.consume(Format::kSize);
    return *std::move(position);
  }

  static bool continues(const ScoredGame& game, const shogi::Position& after, const ScoredPosition& position) {
    return position.winner == game.winner && position.end == game.end && game.moves.size() < record::kMaxScoredMoves &&
           (!Format::kNumbered || position.position.ply() == after.ply()) && position.position.same_as(after);
  }

  ByteFile file_;
  ConversionLosses& losses_;
  std::optional<ScoredPosition> waiting_;
  std::optional<std::string> error_;
};

// A game without moves each.
class BarePositions final : public GameSource {
 public:
  BarePositions(ByteFile file, ConversionLosses&) : file_(std::move(file)) {}

  NextGame next() override {
    const auto bytes = file_.peek(record::Hcp::kSize);
    if (!bytes) return Failure(bytes.error());
    if (bytes->empty()) return std::nullopt;
    if (bytes->size() < record::Hcp::kSize) return Failure(file_.at_offset("the file ends within a position"));
    record::Hcp hcp;
    std::ranges::copy(bytes->first(record::Hcp::kSize), hcp.bytes.begin());
    auto position = record::unnumbered_position(hcp);
    if (!position) return Failure(file_.at_offset(position.error()));
    file_.consume(record::Hcp::kSize);
    return ScoredGame{.start = *std::move(position), .moves = {}};
  }

 private:
  ByteFile file_;
};

// ---- hcpe3 ----

class Hcpe3Games final : public GameSource {
 public:
  Hcpe3Games(ByteFile file, ConversionLosses& losses) : file_(std::move(file)), losses_(losses) {}

  NextGame next() override {
    std::size_t wanted = record::Hcpe3Game::kStart;
    for (;;) {
      const auto bytes = file_.peek(wanted);
      if (!bytes) return Failure(bytes.error());
      if (bytes->empty()) return std::nullopt;
      const auto size = record::hcpe3_size(*bytes);
      if (!size) return Failure(file_.at_offset(size.error()));
      if (*size <= bytes->size()) return take(bytes->first(*size));
      if (bytes->size() < wanted) return Failure(file_.at_offset("the file ends within a game"));
      wanted = *size;
    }
  }

 private:
  NextGame take(record::ByteView bytes) {
    const auto packed = record::hcpe3(bytes);
    if (!packed) return Failure(file_.at_offset(packed.error()));
    auto game = record::scored_game(*packed);
    if (!game) return Failure(file_.at_offset(game.error()));
    count(*packed);
    file_.consume(bytes.size());
    return *std::move(game);
  }

  void count(const record::Hcpe3Game& game) {
    using Game = record::Hcpe3Game;
    constexpr unsigned kKnown = Game::kRepetition | Game::kDeclaration | Game::kMoveLimit;
    losses_.add("who played against whom, of games", game.opponent != 0 ? 1 : 0);
    losses_.add("ends of games, but one of several",
                (game.flags & ~kKnown) != 0 || std::popcount(game.flags) > 1 ? 1 : 0);
    for (const record::Hcpe3Move& each : game.moves) {
      const bool plain = each.candidates.size() == 1 &&
                         each.candidates[0] == record::Hcpe3Move::Candidate{.move = each.move, .visits = 1};
      losses_.add("candidates and visits, of moves", each.candidates.empty() || plain ? 0 : 1);
      losses_.add("that there were no candidates, of moves with a score",
                  each.candidates.empty() && each.score != 0 ? 1 : 0);
    }
  }

  ByteFile file_;
  ConversionLosses& losses_;
};

template <class Source, class Reader>
std::expected<std::unique_ptr<GameSource>, std::string> made(Reader reader, ConversionLosses& losses) {
  if (!reader) return Failure(std::move(reader.error()));
  return std::make_unique<Source>(*std::move(reader), losses);
}

}  // namespace

std::expected<std::unique_ptr<GameSource>, std::string> open_source(const std::filesystem::path& file,
                                                                    DataFormat format, ConversionLosses& losses,
                                                                    LeftOut* left_out) {
  switch (format) {
    case DataFormat::games:
      return made<OwnGames>(GameReader::open(file), losses);
    case DataFormat::psv:
      return made<Positions<PackedSfenValues>>(ByteFile::open(file), losses);
    case DataFormat::hcpe:
      return made<Positions<Hcpes>>(ByteFile::open(file), losses);
    case DataFormat::hcpe3:
      return made<Hcpe3Games>(ByteFile::open(file), losses);
    case DataFormat::hcpe2:
      return made<Positions<Hcpe2s>>(ByteFile::open(file), losses);
    case DataFormat::hcp:
      return made<BarePositions>(ByteFile::open(file), losses);
    case DataFormat::csa:
    case DataFormat::usi:
    case DataFormat::kif:
    case DataFormat::jkf:
      return open_records(file, format, losses, left_out);
  }
  std::unreachable();
}

}  // namespace fuhyo::learn
