// The archive of an event: whatever its pages link to is in it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/tournament/archive.h"
#include "server/core/facts.h"

namespace fuhyo::app {
namespace {

using core::tournament::Decision;
using core::tournament::DivisionFormed;
using core::tournament::GameResult;
using core::tournament::RoundPaired;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kSettings =
    "name\tcup\nformat\tround-robin\ntime\t300-10F\nentrant[0].name\tann\nentrant[1].name\tbob\nentrant[2].name\tcat\n";

class EventArchives : public testing::Test {
 protected:
  EventArchives() {
    event.keep(core::TournamentSet{.name = "cup", .text = std::string(kSettings)});
    event.settle();
    event.keep(core::TournamentPhaseSet{.event = "cup", .phase = core::TournamentPhase::running});
    decide(DivisionFormed{{}, {{"ann", 1}, {"bob", 2}, {"cat", 3}}});
  }
  void decide(Decision decision) {
    core::TournamentDecided fact{.event = "cup", .decision = std::move(decision), .number = ++number};
    event.keep(fact);
  }
  // A game of a round of its own.
  void play(const std::string& black, const std::string& white, const std::string& record) {
    ++round;
    decide(RoundPaired{{}, round, {{.black = black, .white = white}}, {}});
    decide(GameResult{.game = {.division = {}, .round = round},
                      .black = black,
                      .white = white,
                      .outcome = core::Outcome::black_wins,
                      .end = {},
                      .record = record});
  }
  void keep_record(const std::string& game) {
    for (const std::string& line : {std::string("V2.2"), "$EVENT:" + game, std::string("%TORYO"), std::string("/")}) {
      games.rows.push_back({line});
    }
  }
  static std::string page(const EventArchive& archive, std::string_view name) {
    const auto found = std::ranges::find(archive.files, name, &net::ZipEntry::name);
    return found == archive.files.end() ? "" : found->bytes;
  }
  static std::vector<std::string> names(const EventArchive& archive) {
    std::vector<std::string> all;
    for (const net::ZipEntry& entry : archive.files) all.push_back(entry.name);
    return all;
  }
  // What a browser asks for.
  static std::vector<std::string> links(const std::string& page) {
    static constexpr std::string_view kBefore = "href=\"";
    std::vector<std::string> found;
    for (std::size_t at = page.find(kBefore); at != page.npos; at = page.find(kBefore, at + 1)) {
      const std::size_t begin = at + kBefore.size();
      const std::string address = page.substr(begin, page.find('"', begin) - begin);
      std::string link;
      for (std::size_t i = 0; i < address.size(); ++i) {
        const bool coded = address[i] == '%';
        link += coded ? static_cast<char>(std::stoi(address.substr(i + 1, 2), nullptr, 16)) : address[i];
        if (coded) i += 2;
      }
      found.push_back(std::move(link));
    }
    return found;
  }

  core::RunningEvent event{32};
  core::AdminResult games{.ok = true, .text = {}, .columns = {"record"}, .rows = {}};
  std::int64_t number = 0;
  int round = 0;
};

TEST_F(EventArchives, EveryLinkNamesAFile) {
  const std::vector<std::string> ids = {"wdoor+cup-300-10F+ann+bob+20261121041441", "a/b+cup-300-10F+cat+ann+2026",
                                        "dai-3-kai 100% #1? <\"&'> +cup-300-10F+bob+cat+2026"};
  play("ann", "bob", ids[0]);
  play("cat", "ann", ids[1]);
  play("bob", "cat", ids[2]);
  for (const std::string& id : ids) keep_record(id);
  ASSERT_EQ(event.fault(), "");
  const EventArchive archive = archive_of(event, &games);
  EXPECT_EQ(archive.records, 3u);
  EXPECT_THAT(archive.missing, IsEmpty());
  for (const char* name : {"tables.html", "tables.ja.html"}) {
    const auto found = links(page(archive, name));
    ASSERT_THAT(found, SizeIs(6)) << name << ": a game stands in two rows";
    for (const std::string& link : found) EXPECT_THAT(names(archive), Contains(link)) << name;
  }
  EXPECT_THAT(names(archive), Contains("records/wdoor+cup-300-10F+ann+bob+20261121041441.csa"));
  EXPECT_THAT(names(archive), Contains("records/a_b+cup-300-10F+cat+ann+2026.csa"));
}

TEST_F(EventArchives, AGameWithoutARecordHasNoLink) {
  play("ann", "bob", "kept");
  play("cat", "ann", "lost");
  play("bob", "cat", "");  // by forfeit
  keep_record("kept");
  const EventArchive archive = archive_of(event, &games);
  EXPECT_THAT(links(page(archive, "tables.html")), testing::ElementsAre("records/kept.csa", "records/kept.csa"));
  EXPECT_THAT(archive.missing, testing::ElementsAre("lost"));
}

TEST_F(EventArchives, WithoutAnyRecordThereAreTables) {
  play("ann", "bob", "kept");
  const EventArchive archive = archive_of(event, nullptr);
  EXPECT_EQ(archive.records, 0u);
  EXPECT_EQ(archive.tables, 1u);
  EXPECT_THAT(page(archive, "tables.txt"), HasSubstr("ann"));
  EXPECT_THAT(links(page(archive, "tables.html")), IsEmpty());
  EXPECT_THAT(names(archive), Not(Contains(HasSubstr("records/"))));
}

}  // namespace
}  // namespace fuhyo::app
