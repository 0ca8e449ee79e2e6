// Fuhyō's own file format of a network (INFERENCE.md), which training writes and engines read. Little-endian, not
// compressed, with a checksum at the end. One thread at a time for a stream.
#pragma once

#include <cstdint>
#include <expected>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::nn {

constexpr std::string_view kContainerMagic = "FUHYO-NN";
constexpr std::size_t kLongestRemark = 4096;

// The precision of the weights in the file; also its version.
enum class Precision : std::uint32_t { floats = 1, halves = 2 };

// `remark`: who made it and how, for people; at most kLongestRemark bytes. Whether it was written shows in the stream.
// Halves are rounded (half.h); check_halves() says whether they can hold the weights.
void write_container(const Model& model, std::string_view remark, std::ostream& out,
                     Precision precision = Precision::floats);

// Whether all weights are numbers within what halves can hold; the first that is not.
std::expected<void, std::string> check_halves(const Model& model);

struct Container {
  Model model;
  std::string remark;
};

// From a stream of `size` bytes. An error says what is wrong, and where; no more memory is taken than the file is long.
std::expected<Container, std::string> read_container(std::istream& in, std::uint64_t size);

}  // namespace fuhyo::nn
