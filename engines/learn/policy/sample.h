// Training samples of shogi, in the form of files and as examples for a network. Values and pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "engines/learn/policy/example.h"
#include "engines/record/hcp.h"
#include "engines/shogi/position.h"

namespace fuhyo::learn::policy {

struct Sample {
  record::Hcp position;
  std::uint16_t move = 0;              // what was played, as apery_bits() numbers it
  std::uint16_t ply = 0;               // moves made before
  std::optional<std::int16_t> score;   // for the side to move, in the engine's units
  std::optional<std::uint8_t> result;  // for the side to move, at the end of its game: 0 lost, 1 drawn, 2 won
  bool operator==(const Sample&) const = default;
};

// How often a search looked at a move, as apery_bits() numbers it.
struct Visits {
  std::uint16_t move = 0, count = 0;
  bool operator==(const Visits&) const = default;
};

// Nothing for a position that cannot be packed (hcp.h).
std::optional<Sample> sample_of(const shogi::Position& position, shogi::Move move);

// lambda sigmoid(score / 600) + (1 - lambda) result; what is known of the two, if only one is; nothing if none is.
std::optional<float> value_target(const Sample& sample, double lambda);

// The inputs and targets of a sample. With `mirrored`, left and right are exchanged. An error says why the sample has
// no valid position and legal move. With `visits`, moves are learnt in proportion.
std::expected<void, std::string> fill_example(const Sample& sample, bool mirrored, double lambda, Example& out,
                                              std::span<const Visits> visits = {});

// A hash of a network's inputs. Positions with the same inputs for the side to move, with left and right exchanged
// or not, have the same key, whoever is to move.
std::uint64_t input_key(const shogi::Position& position);

}  // namespace fuhyo::learn::policy
