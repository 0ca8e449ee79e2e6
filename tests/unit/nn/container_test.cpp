#include "engines/nn/container.h"

#include <cmath>
#include <cstring>
#include <sstream>

#include "engines/nn/half.h"
#include "engines/nn/random_model.h"
#include "tests/support/expected.h"
#include "tests/unit/nn/batches.h"

namespace fuhyo::nn {
namespace {

const Shape kSmall = {.planes = 3,
                      .scalars = 2,
                      .channels = 5,
                      .blocks = 2,
                      .kind = BlockKind::squeeze_excite,
                      .activation = Activation::silu,
                      .squeeze = 2,
                      .policy_planes = 2,
                      .value_planes = 1,
                      .value_hidden = 3};

std::string written(const Model& model, std::string_view remark = "", Precision precision = Precision::floats) {
  std::ostringstream out;
  write_container(model, remark, out, precision);
  return out.str();
}

std::expected<Container, std::string> read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_container(in, bytes.size());
}

std::string refusal(const std::string& bytes) { return test::error_of(read(bytes)); }

void set_number(std::string& bytes, std::size_t index, std::uint32_t value) {
  std::memcpy(bytes.data() + kContainerMagic.size() + 4 * index, &value, sizeof value);
}

TEST(Container, GivesBackWhatWasWritten) {
  for (const BlockKind kind :
       {BlockKind::plain, BlockKind::squeeze_excite, BlockKind::global_pool, BlockKind::pre_activation}) {
    Shape shape = kSmall;
    shape.kind = kind;
    shape.squeeze = kind == BlockKind::squeeze_excite ? 2 : 0;
    const Model model = random_model(shape, 3);
    const auto found = read(written(model, "made by a test"));
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->model.shape, shape);
    EXPECT_EQ(found->remark, "made by a test");
    std::vector<std::vector<float>> expected, read_back;
    for_each_tensor(model, [&](const std::string&, const auto& values) { expected.push_back(values); });
    for_each_tensor(found->model, [&](const std::string&, const auto& values) { read_back.push_back(values); });
    EXPECT_EQ(read_back, expected);
  }
}

TEST(Container, KeepsWeightsInSixteenBits) {
  const Model model = random_model(kSmall, 3);
  const std::string bytes = written(model, "small", Precision::halves);
  EXPECT_EQ(bytes.size(), kContainerMagic.size() + 4 * 13 + 5 + 2 * kSmall.parameters() + 4);
  const auto found = read(bytes);
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->remark, "small");
  std::vector<float> expected, read_back;
  for_each_tensor(model, [&](const std::string&, const auto& values) {
    for (const float value : values) expected.push_back(from_half(to_half(value)));
  });
  for_each_tensor(found->model, [&](const std::string&, const auto& values) {
    read_back.insert(read_back.end(), values.begin(), values.end());
  });
  EXPECT_EQ(read_back, expected);
  EXPECT_EQ(written(found->model, "small", Precision::halves), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_FALSE(read(bytes.substr(0, length))) << length;
  }
}

TEST(Container, SaysWhatSixteenBitsCannotHold) {
  Model model = random_model(kSmall, 1);
  EXPECT_TRUE(check_halves(model));
  model.value_out.weights[1] = 65505;
  ASSERT_FALSE(check_halves(model));
  EXPECT_EQ(check_halves(model).error(), "value out.weights holds 65505 at 1, which 16 bits cannot");
  model.value_out.weights[1] = 65520;
  EXPECT_EQ(refusal(written(model, "", Precision::halves)), "value out.weights holds inf at 1");
}

// Every half is the nearest to itself, and to what lies less than half a step away; the even one of two.
TEST(Halves, AreTheNearest) {
  for (std::uint32_t half = 0; half < 0x7C00; ++half) {
    const auto here = static_cast<std::uint16_t>(half), next = static_cast<std::uint16_t>(half + 1);
    const float value = from_half(here), above = half + 1 < 0x7C00 ? from_half(next) : 65536.F;
    const float middle = (value + above) / 2;
    ASSERT_EQ(to_half(value), here);
    ASSERT_EQ(to_half(-value), here | 0x8000);
    ASSERT_EQ(to_half(std::nextafter(middle, 0.F)), here);
    ASSERT_EQ(to_half(middle), half % 2 == 0 ? here : next);
    ASSERT_EQ(to_half(std::nextafter(middle, 1e6F)), next);
  }
  EXPECT_EQ(from_half(0x3C00), 1);
  EXPECT_EQ(from_half(0xC000), -2);
  EXPECT_EQ(from_half(0x0001), 0x1p-24F);
  EXPECT_EQ(from_half(0x7BFF), kLargestHalf);
  EXPECT_TRUE(std::isinf(from_half(to_half(1e9F))));
  EXPECT_TRUE(std::isnan(from_half(to_half(NAN))));
}

TEST(Container, IsAsLongAsItsShapeSays) {
  const Model model = random_model(kSmall, 1);
  std::uint64_t parameters = 0;
  for_each_tensor(model, [&](const std::string&, const auto& values) { parameters += values.size(); });
  EXPECT_EQ(parameters, kSmall.parameters());
  EXPECT_EQ(written(model).size(), kContainerMagic.size() + 4 * 13 + 4 * parameters + 4);
}

TEST(Container, E5_IsRefusedWhereverItIsCut) {
  const std::string whole = written(random_model(kSmall, 1), "r");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_FALSE(read(whole.substr(0, length))) << length;
  }
  EXPECT_EQ(refusal(whole.substr(0, 10)),
            "it ends within the version: 4 bytes from offset 8 on are expected, 2 are there");
  ASSERT_FALSE(read(whole + '\0'));
}

TEST(Container, E5_IsRefusedWhereverABitIsWrong) {
  const std::string whole = written(random_model(kSmall, 1), "r");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    ASSERT_FALSE(read(damaged)) << i;
  }
  std::string damaged = whole;
  damaged[whole.size() - 9] ^= 1;
  EXPECT_TRUE(refusal(damaged).starts_with("it is damaged: its checksum is ")) << refusal(damaged);
}

TEST(Container, SaysWhatItCannotBe) {
  const std::string whole = written(random_model(kSmall, 1));
  EXPECT_EQ(refusal("PK\3\4 and more"), "it does not begin as a network does");
  const auto with = [&](std::size_t index, std::uint32_t value) {
    std::string bytes = whole;
    set_number(bytes, index, value);
    return refusal(bytes);
  };
  EXPECT_EQ(with(0, 3), "its version is 3, 1 and 2 are read");
  EXPECT_EQ(with(0, 0), "its version is 0, 1 and 2 are read");
  EXPECT_EQ(with(1, 10), "it asks for 10 squares along the board where 3 to 9 are possible");
  EXPECT_EQ(with(4, 0), "it asks for 0 channels where 1 to 1024 are possible");
  EXPECT_EQ(with(4, 0xffffffff), "it asks for 4294967295 channels where 1 to 1024 are possible");
  EXPECT_EQ(with(6, 4), "its kind of blocks is 4, 0 to 3 are known");
  EXPECT_EQ(with(12, 5000), "its remark has 5000 bytes, at most 4096 are read");
  EXPECT_NE(with(5, 100).find("bytes where 100 blocks x 5 channels"), std::string::npos) << with(5, 100);
}

TEST(Container, HoldsNumbersOnly) {
  Model model = random_model(kSmall, 1);
  model.blocks[1].first.weights[7] = NAN;
  EXPECT_EQ(refusal(written(model)), "block 2.first.weights holds nan at 7");
}

TEST(Shapes, HaveLimits) {
  EXPECT_EQ((Shape{.channels = 1024, .blocks = 1}).fault(), "");
  EXPECT_EQ((Shape{.channels = 1025, .blocks = 1}).fault(), "1025 channels where 1 to 1024 are possible");
  EXPECT_EQ((Shape{.channels = 1024, .blocks = 100}).fault(), "1888890279 weights where 419430400 are possible");
  EXPECT_EQ((Shape{.channels = 192, .blocks = 10}).name(), "10 blocks x 192 channels, ReLU, 62+57 inputs, 2187 labels");
  EXPECT_EQ(kSmall.name(), "2 blocks x 5 channels, squeeze-excite, SiLU, 3+2 inputs, 162 labels");
}

}  // namespace
}  // namespace fuhyo::nn
