#include "engines/learn/data/sink.h"

#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/game_file.h"
#include "engines/learn/data/part_file.h"
#include "engines/record/csa_writer.h"
#include "engines/record/encoding.h"
#include "engines/record/record_format.h"
#include "engines/record/scored_record.h"
#include "engines/record/training.h"
#include "engines/record/usi_line.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using record::Bytes;
using record::ScoredGame;
using Done = std::expected<void, std::string>;

class OwnGames final : public GameSink {
 public:
  static std::expected<std::unique_ptr<GameSink>, std::string> open(const fs::path& path, std::string_view made_by) {
    auto sink = std::unique_ptr<OwnGames>(new OwnGames(path));
    std::error_code ignored;
    fs::remove(sink->name_.part(), ignored);
    auto writer = GameWriter::create(sink->name_.part(), made_by);
    if (!writer) return Failure(std::move(writer.error()));
    sink->writer_ = *std::move(writer);
    return sink;
  }
  using GameSink::append;
  Done append(const ScoredGame& game) override { return writer_->append(game); }
  Done finish() override {
    if (auto flushed = writer_->flush(); !flushed) return Failure(std::move(flushed.error()));
    writer_.reset();
    return name_.finish();
  }

 private:
  explicit OwnGames(const fs::path& path) : name_(path) {}

  PartName name_;
  std::optional<GameWriter> writer_;
};

// ---- formats without a header ----

class RawFile : public GameSink {
 public:
  RawFile(const fs::path& path, ConversionLosses& losses) : losses_(losses), file_(path) {}

  Done open() { return file_.open(); }
  using GameSink::append;
  Done append(const ScoredGame& game) override {
    bytes_.clear();
    add(game, bytes_);
    return file_.write(bytes_);
  }
  Done finish() override { return file_.finish(); }

 protected:
  virtual void add(const ScoredGame& game, Bytes& out) = 0;

  ConversionLosses& losses_;
  PartFile file_;
  Bytes bytes_;  // of the newest game
};

bool append_value(Bytes& out, const record::ScoredPosition& position, DataFormat format) {
  if (format == DataFormat::psv) {
    const auto value = record::packed_sfen_value(position);
    if (!value) return false;
    const auto bytes = to_bytes(*value);
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  }
  const auto value = record::hcpe(position);
  if (!value) return false;
  if (format == DataFormat::hcpe2) {
    append_hcpe2(out, *value);
  } else {
    append_hcpe(out, *value);
  }
  return true;
}

bool is_kept_by_flags(record::ScoredEnd end) {
  using record::ScoredEnd;
  return end == ScoredEnd::unknown || end == ScoredEnd::repetition || end == ScoredEnd::declaration ||
         end == ScoredEnd::move_limit;
}

bool is_numbered_otherwise(const ScoredGame& game) {
  return game.start.ply() != (game.start.side_to_move() == shogi::BLACK ? 0 : 1);
}

class Positions final : public RawFile {
 public:
  Positions(const fs::path& path, DataFormat format, ConversionLosses& losses)
      : RawFile(path, losses), format_(format) {}

 private:
  void add(const ScoredGame& game, Bytes& out) override {
    shogi::Position position = game.start;
    for (const record::ScoredMove& each : game.moves) {
      if (!each.score) {
        losses_.add("moves that were not searched");
      } else if (!append_value(out, {position, each.move, *each.score, game.winner, game.end}, format_)) {
        losses_.add("positions that the format cannot hold");
      }
      position.do_move(each.move);
    }
    losses_.add("games without moves", game.moves.empty() ? 1 : 0);
    const bool kept =
        format_ == DataFormat::hcpe2 ? is_kept_by_flags(game.end) : game.end == record::ScoredEnd::unknown;
    losses_.add("ends of games", kept ? 0 : 1);
    losses_.add("move numbers of starts", format_ != DataFormat::psv && is_numbered_otherwise(game) ? 1 : 0);
  }

  DataFormat format_;
};

// The position before each move; of a game without moves its start.
class BarePositions final : public RawFile {
 public:
  using RawFile::RawFile;

 private:
  void add(const ScoredGame& game, Bytes& out) override {
    shogi::Position position = game.start;
    if (game.moves.empty()) add(position, out);
    for (const record::ScoredMove& each : game.moves) {
      add(position, out);
      position.do_move(each.move);
    }
    losses_.add("all but the positions, of games with moves", game.moves.empty() ? 0 : 1);
    losses_.add("move numbers of starts", is_numbered_otherwise(game) ? 1 : 0);
  }
  void add(const shogi::Position& position, Bytes& out) {
    const auto packed = record::pack_hcp(position);
    if (!packed) return losses_.add("positions that the format cannot hold");
    out.insert(out.end(), packed->bytes.begin(), packed->bytes.end());
  }
};

// ---- records ----

bool has_scores(const ScoredGame& game) {
  for (const record::ScoredMove& each : game.moves) {
    if (each.score) return true;
  }
  return false;
}

class WrittenRecords final : public RawFile {
 public:
  WrittenRecords(const fs::path& path, DataFormat format, ConversionLosses& losses)
      : RawFile(path, losses), path_(path), format_(format) {}

  using RawFile::append;
  Done append(const ScoredGame& game) override {
    if (holds_one() && games_ > 0) {
      return unwritten(path_, fmt::format("{} holds one game a file, and there are more", to_string(format_)));
    }
    return RawFile::append(game);
  }

 private:
  bool holds_one() const { return format_ == DataFormat::kif || format_ == DataFormat::jkf; }

  void add(const ScoredGame& game, Bytes& out) override {
    const record::Game made = record::record_of(game);
    const auto text = text_of(made);
    if (!text) return losses_.add("games that the format cannot hold");
    out.insert(out.end(), text->begin(), text->end());
    ++games_;
    const bool only_moves = format_ == DataFormat::usi;
    losses_.add("scores, of games", only_moves && has_scores(game) ? 1 : 0);
    losses_.add("results of games", only_moves && made.end.kind != record::EndKind::none ? 1 : 0);
    losses_.add("move numbers of starts", game.start.ply() != 0 ? 1 : 0);
  }

  std::optional<std::string> text_of(const record::Game& game) const {
    if (format_ == DataFormat::usi) return write_usi(game);
    if (holds_one()) {  // in the encoding that its ending promises
      const auto named = record::format_by_extension(path_.extension().string().substr(path_.has_extension() ? 1 : 0));
      const auto other = format_ == DataFormat::kif ? record::RecordFormat::kifu : record::RecordFormat::jkf;
      auto file = write_record(game, named.value_or(other));
      return file ? std::optional(std::move(file->bytes)) : std::nullopt;
    }
    // The version stands at the head of the file.
    const std::string text =
        games_ == 0 ? write_csa(game, record::CsaVersion::v2_2) : "/\n" + write_csa(game, record::CsaVersion::v1);
    return record::without_controls(text);
  }

  fs::path path_;
  DataFormat format_;
  std::uint64_t games_ = 0;
};

class Hcpe3Games final : public RawFile {
 public:
  using RawFile::append;
  using RawFile::RawFile;

  Done append(const ScoredGame& game, const Candidates& candidates) override {
    auto packed = record::hcpe3(game);
    for (std::size_t i = 0; packed && i < packed->moves.size(); ++i) packed->moves[i].candidates = candidates[i];
    bytes_.clear();
    add(game, packed, bytes_);
    return file_.write(bytes_);
  }

 private:
  void add(const ScoredGame& game, Bytes& out) override { add(game, record::hcpe3(game), out); }
  void add(const ScoredGame& game, const std::optional<record::Hcpe3Game>& packed, Bytes& out) {
    if (!packed || !append_hcpe3(out, *packed)) return losses_.add("games that the format cannot hold");
    losses_.add("ends of games", is_kept_by_flags(game.end) ? 0 : 1);
    losses_.add("move numbers of starts", is_numbered_otherwise(game) ? 1 : 0);
  }
};

std::expected<std::unique_ptr<GameSink>, std::string> opened(std::unique_ptr<RawFile> file) {
  if (auto done = file->open(); !done) return Failure(std::move(done.error()));
  return file;
}

}  // namespace

Done GameSink::append(const ScoredGame& game, const Candidates&) { return append(game); }

std::expected<std::unique_ptr<GameSink>, std::string> open_sink(const fs::path& file, DataFormat format,
                                                                std::string_view made_by, ConversionLosses& losses) {
  std::error_code ignored;
  // A device, a pipe or a folder would be replaced by a file.
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return unwritten(file, "it is not a file");
  if (format == DataFormat::games) return OwnGames::open(file, made_by);
  if (is_record(format)) return opened(std::make_unique<WrittenRecords>(file, format, losses));
  if (format == DataFormat::hcp) return opened(std::make_unique<BarePositions>(file, losses));
  if (format == DataFormat::hcpe3) return opened(std::make_unique<Hcpe3Games>(file, losses));
  return opened(std::make_unique<Positions>(file, format, losses));
}

}  // namespace fuhyo::learn
