// Training data as cshogi writes it (https://github.com/TadaoYamaoka/cshogi, version 1.0.4): a thousand positions and
// fifty games, drawn by seed (tests/support/training_inputs.h), in every format; ours are the same bytes, of which the
// SHA-256 is kept here. cshogi has no hcpe3, whose records were put together out of its hcp and numbers of moves by
// dlshogi's layout.
#include "engines/record/training.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <string>

#include "tests/support/training_inputs.h"

namespace fuhyo::record {
namespace {

std::string sha256(ByteView bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

void append(Bytes& out, const auto& bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

const test::TrainingInputs& inputs() {
  static const test::TrainingInputs drawn = test::training_inputs();
  return drawn;
}

struct Written {
  Bytes psv, hcpe;
  void add(const ScoredPosition& position) {
    const auto value = packed_sfen_value(position);
    const auto other = record::hcpe(position);
    ASSERT_TRUE(value && other) << position.position.sfen();
    append(psv, to_bytes(*value));
    append_hcpe(hcpe, *other);
  }
};

// What cshogi was asked about. If this differs, so will everything else.
TEST(TrainingGolden, Inputs) {
  const std::string text = test::text_of(inputs());
  EXPECT_EQ(sha256(ByteView(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())),
            "987a91420294c6aaa4ee3980fe75c9099a2943aec1a0f20de0206f1db2220ced");
}

TEST(TrainingGolden, Positions) {
  Bytes hcp;
  Written written;
  for (const auto& [position, move, score, winner] : inputs().positions) {
    const auto packed = pack_hcp(position);
    ASSERT_TRUE(packed) << position.sfen();
    append(hcp, packed->bytes);
    written.add({.position = position, .move = move, .score = score, .winner = winner});
    EXPECT_EQ(unpack(*packed, position.ply())->sfen(), position.sfen());
  }
  EXPECT_EQ(sha256(hcp), "2014953733dcea0545ac3d3d697bc10a73cfaa8093fdec72479065b2ac1b9ca7");
  EXPECT_EQ(sha256(written.psv), "0f8deb7f3e5ff48710551989a9cf8b64c6aa5e74bd11ea847fe7cd9c278cdb08");
  EXPECT_EQ(sha256(written.hcpe), "7fb12a2eae75dbffa94e02ae6c62de3796bbccdadfa43a17a82d695f39e1a26c");
}

TEST(TrainingGolden, Games) {
  Bytes games;
  Written written;
  for (const ScoredGame& game : inputs().games) {
    const auto packed = hcpe3(game);
    ASSERT_TRUE(packed && append_hcpe3(games, *packed));
    shogi::Position position = game.start;
    for (const ScoredMove& each : game.moves) {
      if (each.score) {
        written.add({.position = position, .move = each.move, .score = *each.score, .winner = game.winner});
      }
      position.do_move(each.move);
    }
  }
  EXPECT_EQ(sha256(games), "73c77e14a43d841f7752dd7800c87ebfce20cfccad5b3010fc25c961fb57bef4");
  EXPECT_EQ(sha256(written.psv), "56e3a49452215407f3ad3594d7cda8f806d9564074d054c71c8464adfe52c6fd");
  EXPECT_EQ(sha256(written.hcpe), "e73fe9894dba5c63b0ffb102ca7bd4b02808b0e3170629360ea593afedb4e487");
}

}  // namespace
}  // namespace fuhyo::record
