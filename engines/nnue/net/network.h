// A network: the weights of one file, laid out for the kernels. Immutable once loaded; shared by threads.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "engines/machine/memory.h"
#include "engines/nnue/net/architecture.h"
#include "engines/nnue/net/kernels.h"

namespace fuhyo::nnue {

class Network {
 public:
  using Loaded = std::expected<std::shared_ptr<const Network>, std::string>;

  // Reads a file. An error is one line that names the file, what was found in it and what would be read.
  // With `share`, processes that load equal networks hold one copy of its weights.
  static Loaded load(const std::filesystem::path& file, bool share = false);
  // ... from a stream of `size` bytes; `name` stands for the file in errors.
  static Loaded read(std::istream& in, std::uint64_t size, const std::string& name, bool share = false);

  const Architecture& architecture() const { return architecture_; }
  const FeatureSet& features() const { return *architecture_.features; }
  std::uint32_t width() const { return architecture_.width; }
  // A remark about the file that is no error, e.g. unexpected checksums; else empty.
  const std::string& remark() const { return remark_; }
  const machine::Memory& memory() const { return *memory_; }

  // The initial values of an accumulator; `width()` values, as all rows.
  const std::int16_t* biases() const { return biases_; }
  const std::int16_t* row(std::uint32_t input) const { return rows_ + std::size_t{input} * width(); }
  // The stack that a position goes through: kings as Black sees them, SQ_NONE where there is none.
  const LayerStack& stack(shogi::Color turn, shogi::Square black_king, shogi::Square white_king) const;

 private:
  Network() = default;
  static std::string read_into(Network& network, std::istream& in, std::uint64_t size, bool share);
  void lay_out(const std::byte* memory);
  void read_transformer(class Reader& reader, std::byte* memory);
  void reorder(std::byte* memory);
  void read_stack(class Reader& reader, std::byte* memory, std::size_t index);

  Architecture architecture_;
  std::string remark_;
  std::unique_ptr<const machine::Memory> memory_;
  const std::int16_t* biases_ = nullptr;
  const std::int16_t* rows_ = nullptr;
  std::vector<LayerStack> stacks_;
};

}  // namespace fuhyo::nnue
