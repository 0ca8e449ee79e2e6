// Samples of games of Othello: every position with more than one move, the move that was played, and the result of the
// game. One thread at a time, except for fill() (policy/sample_source.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engines/learn/policy/sample_source.h"
#include "engines/othello/board.h"

namespace fuhyo::learn {

class OthelloSampleSource final : public policy::SampleSource {
 public:
  explicit OthelloSampleSource(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}

  std::expected<void, std::string> fits(const nn::Shape& shape) const override;
  std::expected<void, std::string> read(const Say& say) override;
  std::size_t size() const override { return samples_.size(); }
  std::string fingerprint() const override { return fingerprint_; }
  std::size_t symmetries() const override;
  std::expected<void, std::string> fill(std::size_t sample, std::size_t symmetry, policy::Example& out) const override;
  std::expected<void, std::string> save(const nn::Model& model, std::string_view remark,
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
