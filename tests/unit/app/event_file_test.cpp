// Files of events as the server reads them: by their names, with what is wrong in one line.
#include "server/app/tournament/event_file.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/core/tournaments/running_event.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::HasSubstr;

class EventFiles : public testing::Test {
 protected:
  EventFiles() { std::filesystem::create_directory(data.path() / "tournaments"); }
  void put(const std::string& name, const std::string& text) {
    std::ofstream(data.path() / "tournaments" / name) << text;
  }
  std::string fault(const std::string& file) {
    const auto read = read_event_settings(data.path(), file);
    EXPECT_FALSE(read.has_value());
    return read ? "" : read.error();
  }

  test::TemporaryFolder data;
};

TEST_F(EventFiles, WhatIsReadIsWhatTheCoreReadsAgain) {
  put("cup.toml", "name = \"cup\"\ntitle-ja = \"杯\"\nformat = \"round-robin\"\ntime = \"300-10F\"\n");
  const auto text = read_event_settings(data.path(), "cup.toml");
  ASSERT_TRUE(text.has_value()) << text.error();
  const auto event = core::read_stored_event(*text, 32);
  ASSERT_TRUE(event.has_value()) << event.error();
  EXPECT_EQ(event->title.ja, "杯");
}

TEST_F(EventFiles, FaultsAreToldWithTheirLines) {
  put("bad.toml", "name = \"cup\"\nformat = \"round-robin\"\ntime = \"300-10F\"\nrouns = 3\n");
  EXPECT_THAT(fault("bad.toml"), testing::AllOf(HasSubstr("bad.toml:4"), HasSubstr("rouns")));
  put("broken.toml", "name = \n");
  EXPECT_THAT(fault("broken.toml"), HasSubstr("broken.toml:1"));
}

TEST_F(EventFiles, OnlyFilesOfTheFolder) {
  std::ofstream(data.path() / "secret") << "name = \"cup\"\n";
  for (const char* name : {"", "../secret", "..", "/etc/passwd", ".hidden"}) {
    EXPECT_THAT(fault(name), HasSubstr("no file name")) << name;
  }
  EXPECT_THAT(fault("missing.toml"), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace fuhyo::app
