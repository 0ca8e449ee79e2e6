#include "engines/cluster/cluster_file.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"

namespace fuhyo::cluster {
namespace {

using ::testing::HasSubstr;

std::expected<ClusterFile, std::string> parse(std::string_view text) {
  return parse_cluster_file(text, "folder/cluster.toml", "/nonexistent");
}

TEST(ClusterFile, NamesNodesAndWhatTheyDo) {
  const auto file = parse(R"(
[cluster]
exchange = "depth"
ponder_replies = 2
lockstep = 200
split = true

[[node]]
name = "here"
role = "root"
command = "fuhyo-nnue"
options = "EvalFile='a b.bin'"
threads = 16
memory = 4096

[[node]]
name = "there"
command = "ssh there nice fuhyo-nnue"
dir = "nets"
)");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->modes.exchange, "depth");
  EXPECT_EQ(file->modes.ponder_replies, 2);
  EXPECT_EQ(file->modes.lockstep, 200);
  EXPECT_TRUE(file->modes.split);
  ASSERT_EQ(file->nodes.size(), 2U);
  EXPECT_EQ(file->nodes[0].role, Role::root);
  EXPECT_EQ(file->nodes[0].threads, 16);
  EXPECT_EQ(file->nodes[0].config.setup.options, (members::EngineOptions{{"EvalFile", "a b.bin"}}));
  EXPECT_EQ(file->nodes[1].role, Role::search);
  EXPECT_EQ(file->nodes[1].memory_mb, 256);
  EXPECT_EQ(file->nodes[1].config.command, (std::vector<std::string>{"ssh", "there", "nice", "fuhyo-nnue"}));
  EXPECT_EQ(file->nodes[1].config.folder, "folder/nets");
}

TEST(ClusterFile, ANodeForEveryRankBecomesMany) {
  auto file = parse(
      "[[node]]\nname = 'a'\nrole = 'root'\ncommand = 'rank 1 b c'\n"
      "[[node]]\nname = 'd'\ncommand = 'rank * e f'\nthreads = 2\n");
  ASSERT_TRUE(file) << file.error();
  spread_over_ranks(*file, 2);
  const auto words = [&](std::size_t node) {
    return fmt::format("{}", fmt::join(file->nodes[node].config.command, " "));
  };
  ASSERT_EQ(file->nodes.size(), 3U);
  EXPECT_EQ(words(0), "rank 1 b c");
  EXPECT_EQ(words(1), "rank 1 e f");
  EXPECT_EQ(words(2), "rank 2 e f");
  EXPECT_EQ(file->nodes[2].config.setup.name, "d-2");
  EXPECT_EQ(file->nodes[2].threads, 2);
  spread_over_ranks(*file, 0);
  EXPECT_EQ(file->nodes.size(), 3U);
}

TEST(ClusterFile, WhatIsWrongIsNamed) {
  const auto error = [](const std::string& text) { return test::error_of(parse(text)); };
  const std::string node = "[[node]]\nname = 'a'\ncommand = 'b'\n";
  EXPECT_THAT(error(""), HasSubstr("there is no node that searches"));
  EXPECT_THAT(error(node + "role = 'mate'"), HasSubstr("there is no node that searches"));
  EXPECT_THAT(error(node + node), HasSubstr("two nodes are called 'a'"));
  EXPECT_THAT(error(node + "role = 'boss'"), HasSubstr("'root' or 'search' or 'mate'"));
  EXPECT_THAT(error(node + "thread = 2"), HasSubstr("there is no key 'thread'"));
  EXPECT_THAT(error(node + "threads = 0"), HasSubstr("'threads' in [node]: a whole number from 1 to 4096"));
  EXPECT_THAT(error("[[node]]\nname = 'a'"), HasSubstr("a: command: the command is empty"));
  EXPECT_THAT(error("[[node]]\ncommand = 'b'"), HasSubstr("a node has a 'name'"));
  EXPECT_THAT(error(node + "options = 'Threads'"), HasSubstr("NAME=VALUE expected"));
  EXPECT_THAT(error("[cluster]\nexchange = 'all'\n" + node), HasSubstr("'off' or 'lines' or 'depth'"));
  EXPECT_THAT(error("[cluster"), HasSubstr("folder/cluster.toml:1"));
}

}  // namespace
}  // namespace fuhyo::cluster
