// Games of Othello as lessons for a network: every position in which there was a choice, the move that was drawn, and
// how the game ended. One thread at a time, but for what policy/lessons.h says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engines/learn/policy/lessons.h"
#include "engines/othello/board.h"

namespace fuhyo::learn {

class OthelloLessons final : public policy::Lessons {
 public:
  explicit OthelloLessons(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}

  std::expected<void, std::string> fits(const nn::Shape& shape) const override;
  std::expected<void, std::string> read(const Say& say) override;
  std::size_t size() const override { return samples_.size(); }
  std::string fingerprint() const override { return fingerprint_; }
  std::size_t looks() const override;
  std::expected<void, std::string> fill(std::size_t sample, std::size_t look, policy::Example& out) const override;
  std::expected<void, std::string> leave(const nn::Model& model, std::string_view remark,
                                         const std::filesystem::path& file) const override;

 private:
  struct Sample {
    othello::Board board;
    std::uint8_t move, result;  // result: for the side to move, 0 lost, 1 drawn, 2 won
  };

  std::vector<std::filesystem::path> files_;
  std::vector<Sample> samples_;
  std::string fingerprint_;
};

// Replaces the file by the network, weights of 16 bits.
std::expected<void, std::string> write_network(const nn::Model& model, std::string_view remark,
                                               const std::filesystem::path& file);

}  // namespace fuhyo::learn
