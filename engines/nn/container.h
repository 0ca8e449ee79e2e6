// Our own file of a network (INFERENCE.md has the format): what training writes and engines read. Little-endian, no
// compression, a checksum at the end. One thread at a time for a stream.
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

// What weights are kept as; the file's version.
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
