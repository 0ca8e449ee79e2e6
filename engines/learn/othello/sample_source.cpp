#include "engines/learn/othello/sample_source.h"

#include <bit>
#include <fmt/format.h>
#include <sstream>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/othello/records.h"
#include "engines/nn/container.h"
#include "engines/othello/othello_game.h"
#include "engines/othello/symmetry.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {

std::expected<void, std::string> OthelloSampleSource::fits(const nn::Shape& shape) const {
  return othello::check_shape(shape);
}

std::size_t OthelloSampleSource::symmetries() const { return othello::kTurns; }

std::expected<void, std::string> OthelloSampleSource::read(const Say& say) {
  std::size_t games = 0;
  for (const std::filesystem::path& file : files_) {
    const auto records = read_othello(file);
    if (!records) return std::unexpected(records.error());
    fingerprint_ += fmt::format("{:08x} ", records->checksum);
    games += records->games.size();
    for (const OthelloRecord& game : records->games) {
      const std::size_t first = samples_.size();
      othello::Board board = othello::Board::start();
      int turn = 1;  // of black, 1; of white, -1
      std::vector<int> turns;
      for (const std::uint8_t move : game.moves) {
        if (std::popcount(board.moves()) > 1) {
          samples_.push_back({.board = board, .move = move, .result = 1});
          turns.push_back(turn);
        }
        board.play(move);
        turn = -turn;
      }
      const int lead = board.lead() * turn;  // black's
      for (std::size_t i = 0; i < turns.size(); ++i) {
        const int ours = lead * turns[i];
        samples_[first + i].result = ours > 0 ? 2 : ours < 0 ? 0 : 1;
      }
    }
  }
  say(fmt::format("{} of {}", record::counted(samples_.size(), "position"), record::counted(games, "game")));
  return {};
}

std::expected<void, std::string> OthelloSampleSource::fill(std::size_t number, std::size_t symmetry,
                                                           policy::Example& out) const {
  const Sample& sample = samples_[number];
  const int turn = static_cast<int>(symmetry);
  const othello::Board board = othello::turned(sample.board, turn);
  const int move = othello::turned_square(sample.move, turn);
  out.planes.assign(othello::kPlanes, {});
  othello::write_inputs(board, out.planes);
  out.scalars.clear();
  out.labels.clear();
  for (std::uint64_t rest = board.moves(); rest != 0; rest &= rest - 1) {
    const int square = std::countr_zero(rest);
    if (square == move) out.played = out.labels.size();
    out.labels.push_back(static_cast<std::uint16_t>(square));
  }
  out.value = static_cast<float>(sample.result) / 2;
  return {};
}

std::expected<void, std::string> OthelloSampleSource::save(const nn::Model& model, std::string_view remark,
                                                           const std::filesystem::path& file) const {
  return write_network(model, remark, file);
}

std::expected<void, std::string> write_network(const nn::Model& model, std::string_view remark,
                                               const std::filesystem::path& file) {
  if (auto held = nn::check_halves(model); !held) {
    return std::unexpected(fmt::format("{}: {}", file.string(), held.error()));
  }
  std::ostringstream out;
  nn::write_container(model, remark, out, nn::Precision::halves);
  return replace_file(file, out.str());
}

}  // namespace fuhyo::learn
