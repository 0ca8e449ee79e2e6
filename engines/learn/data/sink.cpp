#include "engines/learn/data/sink.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "engines/jobs/files/durable_file.h"
#include "engines/learn/data/game_file.h"
#include "engines/record/training.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using record::Bytes;
using record::ScoredGame;
using Done = std::expected<void, std::string>;

Failure unwritten(const fs::path& path, std::string_view why) {
  return Failure(fmt::format("{}: cannot be written: {}", path.string(), why));
}

// The name of a file until it is finished.
class PartName {
 public:
  explicit PartName(fs::path path) : path_(std::move(path)), part_(path_.string() + ".part") {}
  ~PartName() {
    std::error_code ignored;
    if (!finished_) fs::remove(part_, ignored);
  }
  PartName(const PartName&) = delete;
  PartName& operator=(const PartName&) = delete;

  const fs::path& part() const { return part_; }
  Done finish() {
    std::error_code error = jobs::sync_bytes(part_);
    if (!error) fs::rename(part_, path_, error);
    if (error) return unwritten(path_, error.message());
    finished_ = true;
    return {};
  }

 private:
  fs::path path_, part_;
  bool finished_ = false;
};

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
  RawFile(const fs::path& path, ConversionLosses& losses) : losses_(losses), name_(path) {}

  Done open() {
    file_.reset(std::fopen(name_.part().string().c_str(), "wb"));
    return file_ ? Done() : unwritten(name_.part(), std::strerror(errno));
  }
  Done append(const ScoredGame& game) override {
    bytes_.clear();
    add(game, bytes_);
    if (std::fwrite(bytes_.data(), 1, bytes_.size(), file_.get()) == bytes_.size()) return {};
    return unwritten(name_.part(), std::strerror(errno));
  }
  Done finish() override {
    if (std::fflush(file_.get()) != 0) return unwritten(name_.part(), std::strerror(errno));
    return name_.finish();
  }

 protected:
  virtual void add(const ScoredGame& game, Bytes& out) = 0;

  ConversionLosses& losses_;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  PartName name_;
  std::unique_ptr<std::FILE, Close> file_;
  Bytes bytes_;
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
  if (value) append_hcpe(out, *value);
  return value.has_value();
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
      } else if (!append_value(out, {position, each.move, *each.score, game.winner}, format_)) {
        losses_.add("positions that the format cannot hold");
      }
      position.do_move(each.move);
    }
    losses_.add("games without moves", game.moves.empty() ? 1 : 0);
    losses_.add("ends of games", game.end != record::ScoredEnd::unknown ? 1 : 0);
    losses_.add("move numbers of starts", format_ == DataFormat::hcpe && is_numbered_otherwise(game) ? 1 : 0);
  }

  DataFormat format_;
};

class Hcpe3Games final : public RawFile {
 public:
  using RawFile::RawFile;

 private:
  void add(const ScoredGame& game, Bytes& out) override {
    const auto packed = record::hcpe3(game);
    if (!packed || !append_hcpe3(out, *packed)) return losses_.add("games that the format cannot hold");
    const bool kept = packed->flags != 0 || game.end == record::ScoredEnd::unknown;
    losses_.add("ends of games", kept ? 0 : 1);
    losses_.add("move numbers of starts", is_numbered_otherwise(game) ? 1 : 0);
  }
};

std::expected<std::unique_ptr<GameSink>, std::string> opened(std::unique_ptr<RawFile> file) {
  if (auto done = file->open(); !done) return Failure(std::move(done.error()));
  return file;
}

}  // namespace

std::expected<std::unique_ptr<GameSink>, std::string> open_sink(const fs::path& file, DataFormat format,
                                                                std::string_view made_by, ConversionLosses& losses) {
  std::error_code ignored;
  // A device, a pipe or a folder would be replaced by a file.
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return unwritten(file, "it is not a file");
  if (format == DataFormat::games) return OwnGames::open(file, made_by);
  if (format == DataFormat::hcpe3) return opened(std::make_unique<Hcpe3Games>(file, losses));
  return opened(std::make_unique<Positions>(file, format, losses));
}

}  // namespace fuhyo::learn
