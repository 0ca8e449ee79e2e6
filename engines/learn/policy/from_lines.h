// Samples out of lines of play that hold nothing but moves. Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/policy/sample.h"

namespace fuhyo::learn::policy {

struct LineOptions {
  double held_out = 0.05;         // part of the lines that is for tests
  std::size_t prefix_plies = 30;  // by a hash of so many moves: lines that part later are on one side
};

struct LineSamples {
  std::vector<Sample> train, test;  // each position and move once
  std::uint64_t lines = 0, test_lines = 0;
  std::uint64_t edges = 0;    // of the tree of training lines: the same position reached in other ways counts again
  std::uint64_t dropped = 0;  // of the test lines: positions that the training shows too, as they are or mirrored
  std::vector<std::string> faults;  // a line for each that was left out
};

// Lines as opening_line.h of engines/match reads them. More than one faulty line of a hundred is an error that names
// the first.
std::expected<LineSamples, std::string> samples_of_lines(std::string_view text, const std::string& name,
                                                         const LineOptions& options);

}  // namespace fuhyo::learn::policy
