// The arithmetic of training against the same in plain loops of doubles, on every instruction set of this machine.
#include <random>

#include "engines/learn/train/choice.h"
#include "engines/learn/train/floats.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class TrainKernels : public testing::TestWithParam<const FloatKernels*> {
 protected:
  Floats numbers(std::size_t count, double most = 1) {
    Floats all(count);
    std::uniform_real_distribution<float> draw(static_cast<float>(-most), static_cast<float>(most));
    for (float& one : all) one = draw(random_);
    return all;
  }
  const FloatKernels& kernels() { return *GetParam(); }
  std::mt19937 random_{5};
};

INSTANTIATE_TEST_SUITE_P(Sets, TrainKernels, testing::ValuesIn(float_kernels_here()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(TrainKernels, MultipliesMatricesOfAnySize) {
  constexpr std::size_t kSizes[][3] = {{1, 1, 32}, {7, 33, 64}, {11, 300, 32}, {256, 512, 32}};
  for (const auto& [m, k, n] : kSizes) {
    const Floats a = numbers(m * k), b = numbers(k * (n + 16)), before = numbers(m * n);
    Floats transposed(a.size());
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < k; ++j) transposed[j * m + i] = a[i * k + j];
    }
    Floats c = before, d = before;
    kernels().multiply({a.data(), k, 1}, b.data(), n + 16, c.data(), n, m, k, n);
    kernels().multiply({transposed.data(), 1, m}, b.data(), n + 16, d.data(), n, m, k, n);
    EXPECT_EQ(c, d);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = double{before[i * n + j]};
        for (std::size_t x = 0; x < k; ++x) sum += double{a[i * k + x]} * double{b[x * (n + 16) + j]};
        ASSERT_NEAR(c[i * n + j], sum, 1e-4) << m << " " << k << " " << n;
      }
    }
  }
}

TEST_P(TrainKernels, AddsRowsUpAndClips) {
  constexpr std::size_t kActive = 5, kCount = 9, kInputs = 40;
  for (const std::size_t width : {std::size_t{64}, std::size_t{192}}) {
    const Floats rows = numbers(kInputs * width), bias = numbers(width);
    std::vector<std::uint32_t> index(kActive * kCount);
    for (std::uint32_t& one : index) one = static_cast<std::uint32_t>(random_() % kInputs);
    Floats out(kCount * (width + 16), 7);
    kernels().sum_rows({index.data(), kActive, kCount, width}, bias.data(), rows.data(), out.data(), width + 16);
    bool low = false, high = false;
    for (std::size_t p = 0; p < kCount; ++p) {
      for (std::size_t i = 0; i < width; ++i) {
        double sum = double{bias[i]};
        for (std::size_t k = 0; k < kActive; ++k) sum += double{rows[index[p * kActive + k] * width + i]};
        low = low || sum < 0;
        high = high || sum > 1;
        ASSERT_NEAR(out[p * (width + 16) + i], std::clamp(sum, 0.0, 1.0), 1e-5);
      }
      EXPECT_EQ(out[p * (width + 16) + width], 7) << "what lies behind a row is touched";
    }
    EXPECT_TRUE(low && high);
  }
}

TEST_P(TrainKernels, AddsGradientsToRowsWithinItsColumnsOnly) {
  constexpr std::size_t kActive = 3, kCount = 6, kInputs = 4, kWidth = 192;
  const std::vector<std::uint32_t> index = {0, 1, 1, 2, 0, 3, 3, 3, 3, 1, 2, 0, 2, 2, 1, 0, 0, 1};
  const Floats gradient = numbers(kCount * kWidth), before = numbers(kInputs * kWidth), bias = numbers(kWidth);
  constexpr std::size_t kRanges[][2] = {{0, 192}, {32, 64}, {96, 192}, {64, 160}};
  for (const auto& [from, to] : kRanges) {
    Floats rows = before, sum = bias;
    kernels().add_rows({index.data(), kActive, kCount, kWidth}, gradient.data(), kWidth, from, to, rows.data(),
                       sum.data());
    for (std::size_t i = 0; i < kWidth; ++i) {
      const bool within = i >= from && i < to;
      std::array<double, kInputs> expected{};
      double expected_bias = double{bias[i]};
      for (std::size_t input = 0; input < kInputs; ++input) expected[input] = double{before[input * kWidth + i]};
      for (std::size_t p = 0; within && p < kCount; ++p) {
        expected_bias += double{gradient[p * kWidth + i]};
        for (std::size_t k = 0; k < kActive; ++k) expected[index[p * kActive + k]] += double{gradient[p * kWidth + i]};
      }
      ASSERT_NEAR(sum[i], expected_bias, 1e-5);
      for (std::size_t input = 0; input < kInputs; ++input)
        ASSERT_NEAR(rows[input * kWidth + i], expected[input], 1e-5);
    }
  }
}

TEST_P(TrainKernels, StopsGradientsAtTheLimits) {
  Floats values(kColumns, 0.5F), gradient = numbers(kColumns);
  values[3] = 0;
  values[4] = 1;
  values[5] = -2;
  values[6] = 3;
  const Floats before = gradient;
  kernels().through_clip(values.data(), gradient.data(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(gradient[i], i >= 3 && i <= 6 ? 0 : before[i]);
  kernels().clip(values.data(), values.size());
  EXPECT_EQ(values[5], 0);
  EXPECT_EQ(values[6], 1);
  EXPECT_EQ(values[7], 0.5F);
}

TEST(TrainKernelChoice, NamesWhatCanBeChosen) {
  EXPECT_EQ((*choose_float_kernels("auto"))->name, std::string(float_kernels_here().front()->name));
  EXPECT_EQ(*choose_float_kernels("plain"), &kPlainFloatKernels);
  EXPECT_THAT(error_of(choose_float_kernels("mmx")), AllOf(HasSubstr("'mmx'"), HasSubstr("plain")));
}

}  // namespace
}  // namespace fuhyo::learn
