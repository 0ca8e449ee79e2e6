// What a server keeps, without the server.
#include "server/app/serve/storage.h"

#include <fstream>
#include <gtest/gtest.h>

#include "server/app/commands.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

struct StorageTest : testing::Test {
  StorageTest() {
    config.data = folder / "data";
    config.records_mode = "0600";
  }
  // As far as a start comes before the ports.
  Started open(Storage& storage) {
    if (auto fine = storage.make_folders(); !fine) return fine;
    core::Recovery recovered;
    core::JournalEvents events{
        .durable = [](core::Seq) {}, .lost = [](const std::string&) {}, .back = [] {}, .replaced = [](const auto&) {}};
    if (auto fine = storage.open_store(std::move(events), [](const auto&) {}, recovered); !fine) return fine;
    return storage.open_keys(recovered, false);
  }

  test::TemporaryFolder folder;
  Log log{"error", "text"};
  ServeConfig config;
};

TEST_F(StorageTest, ARefusedStartTakesBackWhatItMade) {
  config.wire_log = folder / "logs" / "wire";
  config.reconnect_tokens = true;
  Storage storage(config, log);
  ASSERT_TRUE(open(storage));
  EXPECT_FALSE(storage.keys().reconnect.empty());
  storage.take_back();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(StorageTest, WhatWasThereBeforeStays) {
  std::filesystem::create_directories(config.data);
  std::ofstream(config.data / "floodgate-900-5F.conf") << "max_moves 256\n";
  Storage storage(config, log);
  ASSERT_TRUE(open(storage));
  storage.take_back();
  for (const auto& entry : std::filesystem::directory_iterator(config.data)) {
    EXPECT_EQ(entry.path().filename(), "floodgate-900-5F.conf");
  }
}

TEST_F(StorageTest, OneWritesAtATime) {
  Storage first(config, log);
  ASSERT_TRUE(open(first));
  Storage second(config, log);
  const Started refused = open(second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, kExitIo);
  second.take_back();
  EXPECT_TRUE(std::filesystem::exists(config.data / "fuhyo.db"));
  EXPECT_TRUE(first.close());
}

}  // namespace
}  // namespace fuhyo::app
