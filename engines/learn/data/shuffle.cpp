#include "engines/learn/data/shuffle.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engines/learn/data/buckets.h"
#include "engines/learn/data/byte_file.h"
#include "engines/learn/data/game_file.h"
#include "engines/learn/data/part_file.h"
#include "engines/learn/data/sink.h"
#include "engines/match/tune/random.h"
#include "engines/record/hcpe.h"
#include "engines/record/packed_sfen.h"
#include "engines/record/scored_game_codec.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using match::tune::Random;
using Done = std::expected<void, std::string>;
using record::Bytes;
using record::ByteView;

// Bytes of a unit; 0: units differ.
std::size_t unit_size(DataFormat format) {
  switch (format) {
    case DataFormat::psv:
      return record::PackedSfenValue::kSize;
    case DataFormat::hcpe:
    case DataFormat::hcpe2:
      return record::Hcpe::kSize;
    case DataFormat::hcp:
      return record::Hcp::kSize;
    default:
      return 0;
  }
}

// ---- in ----

template <class Each>
Done each_fixed(ByteFile& file, std::size_t size, Each each) {
  for (;;) {
    const auto bytes = file.peek(size);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty()) return {};
    if (bytes->size() < size) return std::unexpected(file.at_offset("the file ends within a position"));
    if (auto done = each(bytes->first(size)); !done) return done;
    file.consume(size);
  }
}

template <class Each>
Done each_hcpe3(ByteFile& file, Each each) {
  std::size_t wanted = record::Hcpe3Game::kStart;
  for (;;) {
    const auto bytes = file.peek(wanted);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty()) return {};
    const auto size = record::hcpe3_size(*bytes);
    if (!size) return std::unexpected(file.at_offset(size.error()));
    if (*size > bytes->size()) {
      if (bytes->size() < wanted) return std::unexpected(file.at_offset("the file ends within a game"));
      wanted = *size;
      continue;
    }
    if (auto done = each(bytes->first(*size)); !done) return done;
    file.consume(*size);
    wanted = record::Hcpe3Game::kStart;
  }
}

template <class Each>
Done each_game(const fs::path& path, Each each) {
  auto reader = GameReader::open(path, record::MoveCheck::trusted);
  if (!reader) return std::unexpected(reader.error());
  Bytes bytes;
  for (;;) {
    const auto game = reader->next();
    if (!game) return std::unexpected(game.error());
    if (!*game && reader->unfinished()) return std::unexpected(*reader->unfinished());
    if (!*game) return {};
    bytes.clear();
    if (auto done = append_scored_game(bytes, **game); !done) return done;
    if (auto done = each(ByteView(bytes)); !done) return done;
  }
}

template <class Each>
Done each_unit(const fs::path& path, DataFormat format, Each each) {
  if (format == DataFormat::games) return each_game(path, each);
  auto file = ByteFile::open(path);
  if (!file) return std::unexpected(file.error());
  if (const std::size_t size = unit_size(format)) return each_fixed(*file, size, each);
  return each_hcpe3(*file, each);
}

// ---- out ----

class Output {
 public:
  Output(const fs::path& path, DataFormat format) : path_(path), format_(format), raw_(path) {}

  Done open() {
    if (format_ != DataFormat::games) return raw_.open();
    auto sink = open_sink(path_, format_, "fuhyo-learn shuffle", losses_);
    if (!sink) return std::unexpected(sink.error());
    games_ = *std::move(sink);
    return {};
  }
  Done write(ByteView unit) {
    if (!games_) return raw_.write(unit);
    record::ByteReader in(unit);
    const auto game = take_scored_game(in, record::MoveCheck::trusted);
    if (!game) return std::unexpected(game.error());
    return games_->append(*game);
  }
  Done finish() { return games_ ? games_->finish() : raw_.finish(); }

 private:
  fs::path path_;
  DataFormat format_;
  PartFile raw_;
  ConversionLosses losses_;
  std::unique_ptr<GameSink> games_;
};

using Length = std::uint32_t;

// The units of a bucket: where each begins, and its length.
std::vector<ByteView> units_of(const Bytes& bytes, std::size_t size) {
  std::vector<ByteView> units;
  for (ByteView rest(bytes); !rest.empty();) {
    Length length = static_cast<Length>(size);
    if (size == 0) {
      std::memcpy(&length, rest.data(), sizeof length);
      rest = rest.subspan(sizeof length);
    }
    units.push_back(rest.first(length));
    rest = rest.subspan(length);
  }
  return units;
}

Done write_bucket(const Bytes& bytes, std::size_t size, Random random, Output& out) {
  auto units = units_of(bytes, size);
  for (std::size_t left = units.size(); left > 1; --left) std::swap(units[left - 1], units[random.below(left)]);
  for (const ByteView unit : units) {
    if (auto done = out.write(unit); !done) return done;
  }
  return {};
}

}  // namespace

bool can_be_shuffled(DataFormat format) { return !is_record(format); }

// Each unit goes to a bucket drawn by lot, and each bucket is shuffled: all orders are equally likely.
std::expected<Shuffled, std::string> shuffle(std::span<const fs::path> in, const fs::path& out, DataFormat format,
                                             const ShuffleOptions& options) {
  std::uint64_t total = 0;
  std::error_code error;
  for (const fs::path& path : in) {
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) return std::unexpected(fmt::format("{}: {}", path.string(), error.message()));
    total += size;
  }
  const std::size_t size = unit_size(format);
  // A small unit costs half as much again in memory, for where it stands.
  const auto count = Buckets::count_for(total * 2, options.memory);
  if (!count) return std::unexpected(count.error());
  Output output(out, format);
  if (auto opened = output.open(); !opened) return std::unexpected(opened.error());
  Buckets buckets(out.string() + ".buckets", *count, options.memory);
  Shuffled result{.units = 0, .buckets = *count};
  Random random(options.seed, 0);
  const auto add = [&](ByteView unit) -> Done {
    ++result.units;
    const std::size_t bucket = random.below(*count);
    if (size == 0) {
      const auto length = static_cast<Length>(unit.size());
      std::uint8_t head[sizeof length];
      std::memcpy(head, &length, sizeof length);
      Bytes whole(head, head + sizeof length);
      whole.insert(whole.end(), unit.begin(), unit.end());
      return buckets.add(bucket, whole);
    }
    return buckets.add(bucket, unit);
  };
  for (const fs::path& path : in) {
    if (auto done = each_unit(path, format, add); !done) return std::unexpected(done.error());
  }
  for (std::size_t i = 0; i < *count; ++i) {
    const auto bytes = buckets.take(i);
    if (!bytes) return std::unexpected(bytes.error());
    if (auto done = write_bucket(*bytes, size, Random(options.seed, i + 1), output); !done) {
      return std::unexpected(done.error());
    }
  }
  if (auto done = output.finish(); !done) return std::unexpected(done.error());
  return result;
}

}  // namespace fuhyo::learn
