#include "engines/learn/data/record_source.h"

#include <algorithm>
#include <utility>

#include "engines/learn/data/record_texts.h"
#include "engines/record/csa_reader.h"
#include "engines/record/jkf_reader.h"
#include "engines/record/kif_reader.h"
#include "engines/record/scored_record.h"
#include "engines/record/usi_line.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;
using Read = std::expected<record::Game, record::Diagnostic>;

Read game_of(std::expected<record::GameFile, record::Diagnostic> file) {
  if (!file) return std::unexpected(std::move(file.error()));
  return std::move(file->game);
}

Read read_game(std::string_view text, DataFormat format) {
  if (format == DataFormat::usi) return game_of(record::read_usi(text));
  if (format == DataFormat::kif) return game_of(record::read_kif(text));
  if (format == DataFormat::jkf) return game_of(record::read_jkf(text));
  auto file = record::read_csa(text);
  if (!file) return std::unexpected(std::move(file.error()));
  return std::move(file->games.front().game);
}

// Remarks behind the last game of a file are no game.
bool says_nothing(std::string_view text, DataFormat format) {
  while (format == DataFormat::csa && !text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    if (!line.starts_with('\'') && line.find_first_not_of(" \t\r") != std::string_view::npos) return false;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return format == DataFormat::csa;
}

bool says_more(const record::Game& game) {
  return !game.black.empty() || !game.white.empty() || !game.event.empty() || !game.headers.empty();
}

class ReadRecords final : public GameSource {
 public:
  ReadRecords(RecordTexts texts, DataFormat format, ConversionLosses& losses)
      : texts_(std::move(texts)), format_(format), losses_(losses) {}

  std::expected<std::optional<record::ScoredGame>, std::string> next() override {
    for (;;) {
      const auto text = texts_.next();
      if (!text) return Failure(text.error());
      if (!*text) return std::nullopt;
      auto read = read_game(**text, format_);
      if (!read && says_nothing(**text, format_)) continue;
      auto game = read ? record::scored_game(*read) : Failure(record::to_string(read.error()));
      if (game) return count(*read), *std::move(game);
      if (auto left = texts_.leave_out(game.error()); !left) return Failure(std::move(left.error()));
    }
  }

 private:
  void count(const record::Game& game) {
    losses_.add("names and headers, of records", says_more(game) ? 1 : 0);
    losses_.add("comments and times, of records",
                !game.comments.empty() || (!game.moves.empty() && game.moves[0].spent_ms) ? 1 : 0);
    losses_.add("variations, of records", game.branches.size());
  }

  RecordTexts texts_;
  DataFormat format_;
  ConversionLosses& losses_;
};

}  // namespace

std::expected<std::unique_ptr<GameSource>, std::string> open_records(const std::filesystem::path& file,
                                                                     DataFormat format, ConversionLosses& losses,
                                                                     LeftOut* left_out) {
  auto texts = RecordTexts::open(file, format, left_out);
  if (!texts) return Failure(std::move(texts.error()));
  return std::make_unique<ReadRecords>(*std::move(texts), format, losses);
}

}  // namespace fuhyo::learn
