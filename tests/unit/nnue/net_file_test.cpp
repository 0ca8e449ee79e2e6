// What is read and what is refused, and what a refusal says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "engines/nnue/net/network.h"
#include "naive_network.h"

namespace fuhyo::nnue {
namespace {

using naive::NaiveNetwork;
using naive::Size;
using ::testing::AllOf;
using ::testing::HasSubstr;

Network::Loaded read(const std::string& file) {
  std::istringstream in(file);
  return Network::read(in, file.size(), "nn.bin");
}

std::string error_of(const std::string& file) {
  const auto network = read(file);
  return network ? "read as " + (*network)->architecture().name() : network.error();
}

std::string with_text(const std::string& text, std::size_t rest) {
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string file("\x16\x2f\xf3\x7a\0\0\0\0", 8);
  return file.append(reinterpret_cast<const char*>(&length), 4) + text + std::string(rest, '\0');
}

std::string features(const std::string& name, const std::string& inputs, const std::string& layers) {
  return with_text("Features=" + name + "[" + inputs + "->256x2],Network=" + layers, 1000);
}

const std::string kLayers =
    "AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](...";

TEST(NetworkFile, E5_IsRefusedWhereverItEnds) {
  const NaiveNetwork naive({.features = "K+P"}, Size::tiny, 1);
  const std::string file = naive.file();
  ASSERT_TRUE(read(file));
  for (std::size_t length = 0; length < file.size(); length += length < 400 || length + 900 > file.size() ? 1 : 997) {
    const std::string error = error_of(file.substr(0, length));
    EXPECT_THAT(error, HasSubstr("nn.bin: ")) << length;
    EXPECT_THAT(error, AllOf(::testing::Not(HasSubstr("read as")))) << length;
  }
  EXPECT_THAT(error_of(file.substr(0, 10)), HasSubstr("the file ends within the header: 4 bytes from offset 8 on are"));
  EXPECT_THAT(error_of(file.substr(0, file.size() - 1)), HasSubstr("K+P 64x2-8-32 by its text"));
}

TEST(NetworkFile, E5_IsRefusedWithAByteTooMany) {
  const NaiveNetwork naive({.features = "K+P"}, Size::tiny, 1);
  const std::string size = std::to_string(naive.file().size());
  EXPECT_THAT(error_of(naive.file() + '\0'),
              AllOf(HasSubstr("K+P 64x2-8-32 by its text, which is " + size), HasSubstr("the file has")));
  const NaiveNetwork sfnn({.features = "K+P", .width = 128, .hidden1 = 7, .sfnn = true}, Size::trained, 1);
  EXPECT_THAT(error_of(sfnn.file() + '\0'), HasSubstr("whose weights end 1 bytes before the file does"));
}

TEST(NetworkFile, OfAnSfnnIsRefusedWhereverItEnds) {
  const NaiveNetwork naive({.features = "K+P", .width = 128, .hidden1 = 7, .sfnn = true, .stacks = "k3k3"},
                           Size::trained, 1);
  for (const bool compressed : {true, false}) {
    const std::string file = naive.file(compressed);
    ASSERT_TRUE(read(file)) << error_of(file);
    for (std::size_t length = 0; length < file.size(); length += length < 600 ? 1 : 4001) {
      EXPECT_FALSE(read(file.substr(0, length))) << length;
    }
  }
}

TEST(NetworkFile, SaysWhatItIsInsteadOfANetwork) {
  EXPECT_THAT(error_of("#YANEURAOU-DB2016 1.00\n"), HasSubstr("no network: it begins with 4E415923"));
  EXPECT_THAT(error_of(""), HasSubstr("the file ends within the header"));
  EXPECT_THAT(error_of(with_text("", 100)), HasSubstr("names no shape"));
  EXPECT_THAT(error_of(with_text("an old text\n\x1b[31m", 64)), HasSubstr("('an old text??[31m')"));
}

TEST(NetworkFile, E5_RefusesAbsurdLengthsWithoutTakingMemory) {
  std::string file = with_text("", 100);
  file.replace(8, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(error_of(file), HasSubstr("4294967295 bytes of text follow"));
  file.replace(8, 4, std::string("\0\0\1\0", 4));
  EXPECT_THAT(error_of(file), HasSubstr("the file ends within the text of the header"));
  EXPECT_THAT(error_of(features("HalfKP(Friend)", "125388", "AffineTransform[1<-999999999](...")),
              HasSubstr("layers other than three"));
  EXPECT_THAT(error_of(with_text("Features=K+P[1710->4294967295x2],Network=" + kLayers, 9)), HasSubstr("layers"));
  // A block whose length is a lie.
  const NaiveNetwork sfnn({.features = "K+P", .width = 128, .hidden1 = 7, .sfnn = true}, Size::tiny, 1);
  std::string lie = sfnn.file();
  lie.replace(lie.find("COMPRESSED_LEB128") + 17, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(error_of(lie), HasSubstr("the file ends within the transformer's biases: 4294967295 bytes"));
  lie.replace(lie.find("COMPRESSED_LEB128") + 17, 4, std::string("\5\0\0\0", 4));
  EXPECT_THAT(error_of(lie), HasSubstr("ends after 5 of 128 numbers"));
}

TEST(NetworkFile, RefusesShapesByName) {
  EXPECT_THAT(error_of(features("HalfRelativeKP(Friend)", "46512", kLayers)),
              AllOf(HasSubstr("the features 'HalfRelativeKP(Friend)'"), HasSubstr("HalfKP, K+P, HalfKP_vm")));
  EXPECT_THAT(error_of(features("HalfKP(Friend)", "125389", kLayers)),
              HasSubstr("HalfKP with 125389 inputs; it has 125388"));
  EXPECT_THAT(error_of(features("K+P", "1710", "AffineTransform[1<-512](...")), HasSubstr("layers other than three"));
  EXPECT_THAT(error_of(features("K+P", "1710",
                                "AffineTransform[1<-32](x[32](AffineTransform[32<-32](x[32]("
                                "AffineTransform[32<-1024](...")),
              HasSubstr("layers other than three"));
  EXPECT_THAT(error_of(with_text("Features=K+P[1710->100x2],Network=AffineTransform[1<-32](AffineTransform[32<-32]("
                                 "AffineTransform[32<-200](",
                                 9)),
              HasSubstr("a transformer of width 100 is not read: a multiple of 64 up to 4096 is"));
}

std::string sfnn(const std::string& network) {
  return error_of(
      with_text("ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1024x2],Network=" + network, 99));
}

TEST(NetworkFile, RefusesLayerStacksByName) {
  for (const char* scheme :
       {"HAND4", "HAND64Z_K3K3", "PROGRESS8", "K3K3_PROGRESS8", "C1024_S256X8_K3K3", "K3K3_K9K9"}) {
    EXPECT_THAT(sfnn(std::string("SFNN_HALFKAHM2_1024_7_64_") + scheme + "{LayerStack=9}"),
                AllOf(HasSubstr("the layer stacks '"), HasSubstr("are not read: none, k3k3, k9k9")))
        << scheme;
  }
  EXPECT_THAT(sfnn("SFNN_HALFKAHM2_1024_7_64_K3K3{LayerStack=81}"), HasSubstr("81 layer stacks, but"));
  EXPECT_THAT(sfnn("SFNN_HALFKAHM2_1536_7_64_K3K3{LayerStack=9}"), HasSubstr("that says width 1024"));
  EXPECT_THAT(sfnn("SFNN_HALFKAHM2_1024_9_64_K3K3{LayerStack=9}"), HasSubstr("8n or 8n - 1"));
  EXPECT_THAT(sfnn("MYNET{LayerStack=9}"), HasSubstr("whose shape is not named: 'mynet'"));
}

// HalfKPE9 files may say that they are HalfKP: their length tells.
TEST(NetworkFile, LengthTellsWhatTheTextDoesNot) {
  const NaiveNetwork naive({.features = "HalfKPE9", .hidden1 = 32}, Size::tiny, 1);
  std::string file = naive.file();
  const std::string full = "HalfKPE9(Friend)[1128492->", as_halfkp = "HalfKP(Friend)[125388->";
  file.replace(file.find(full), full.size(), as_halfkp);
  file[8] = static_cast<char>(file[8] - static_cast<char>(full.size() - as_halfkp.size()));
  const auto network = read(file);
  ASSERT_TRUE(network) << network.error();
  EXPECT_EQ((*network)->architecture().name(), "HalfKPE9 64x2-32-32");
}

TEST(NetworkFile, WithoutATextIsKnownByItsLength) {
  const NaiveNetwork naive({.features = "K+P", .width = 256, .hidden1 = 32, .hidden2 = 32}, Size::tiny, 1);
  std::string file = naive.file();
  const std::size_t length = naive.text().size();
  file.replace(12, length, std::string(length, 'x'));
  const auto network = read(file);
  ASSERT_TRUE(network) << network.error();
  EXPECT_EQ((*network)->architecture().name(), "K+P 256x2-32-32");
}

TEST(NetworkFile, ChecksumsAreRemarkedOn) {
  const NaiveNetwork naive({.features = "K+P"}, Size::tiny, 1);
  const auto network = read(naive.file());
  ASSERT_TRUE(network);
  EXPECT_EQ((*network)->remark(), "its transformer is marked 00000001, not 3F57177F");
}

TEST(NetworkFile, IsNoFolder) { EXPECT_FALSE(Network::load(".")); }

TEST(ArchitectureHash, IsThatOfFilesThatExist) {
  const auto hash = [](const char* set, std::uint32_t width, std::uint32_t hidden1, std::uint32_t hidden2) {
    const Architecture shape{.features = find_feature_set(set), .width = width, .hidden1 = hidden1, .hidden2 = hidden2};
    return transformer_hash(shape) ^ layers_hash(shape);
  };
  EXPECT_EQ(hash("HalfKP", 256, 32, 32), 0x3e5aa6eeu);
  EXPECT_EQ(hash("K+P", 256, 32, 32), 0x5c6464a9u);
  EXPECT_EQ(hash("HalfKPE9", 256, 32, 32), 0x3e5aa6eeu);
  EXPECT_EQ(hash("HalfKP_vm", 256, 32, 32), 0x68586eccu);
  EXPECT_EQ(hash("HalfKP", 512, 16, 32), 0x3e5aa772u);
  EXPECT_EQ(hash("HalfKP", 1024, 8, 32), 0x3e5ab7ecu);
  EXPECT_EQ(hash("HalfKP", 1024, 8, 64), 0x3e5ab79cu);
  EXPECT_EQ(hash("HalfKA_hm2", 512, 16, 32), 0x1c103e72u);
  EXPECT_EQ(hash("HalfKA_hm2", 1024, 8, 64), 0x1c102e9cu);
}

// HalfKPE9 has HalfKP's, and is told by its length.
TEST(ArchitectureHash, TellsSetsApart) {
  std::map<std::uint32_t, std::string> known;
  std::map<std::uint32_t, std::string> sizes;
  for (const FeatureSet& set : feature_sets()) {
    if (!set.attacks) EXPECT_TRUE(known.emplace(set.hash, set.name).second) << set.name;
    EXPECT_TRUE(sizes.emplace(set.inputs, set.name).second) << set.name;
  }
  // Of HalfKP_m9: the CRC-32 of its name.
  EXPECT_EQ(find_feature_set("HalfKP_m9")->hash, 0x01214dd7U);
  EXPECT_EQ(find_feature_set("HalfKP_m9(Friend)")->inputs, 13'932U);
}

TEST(ArchitectureSize, IsThatOfFilesThatExist) {
  const Architecture halfkp{.features = find_feature_set("HalfKP"), .width = 256, .hidden1 = 32, .hidden2 = 32};
  EXPECT_EQ(classic_text(halfkp).size(), 178u);
  EXPECT_EQ(halfkp.classic_file_size(178), 64'217'066u);
}

}  // namespace
}  // namespace fuhyo::nnue
