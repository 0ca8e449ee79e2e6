// The queue in a folder, with every operation on files failing in turn: once as on a full disk, once as if its answer
// had been lost, and once as the last thing that a process ever did. It is under the contract of every queue, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "tests/unit/jobs/contract/evening.h"
#include "tests/unit/jobs/files/files_under_test.h"

namespace fuhyo::test {
namespace {

using jobs::Fate;
using jobs::Finish;
using ::testing::HasSubstr;

// From this operation on, or only this one; as often as each call is tried.
struct Fault {
  const char* name;
  Fate fate;
  bool for_ever;
  int tries;
};

class FileQueueFault : public ::testing::TestWithParam<Fault> {};

TEST_P(FileQueueFault, AtAnyOperationHarmsNothing) {
  const auto& [name, fate, for_ever, tries] = GetParam();
  bool reached = true;
  int n = 1;
  for (; reached; ++n) {
    SCOPED_TRACE(n);
    FilesUnderTest under_test;
    int operations = -1000;  // opening is tested below
    const auto queue = under_test.open([&](std::string_view, const std::filesystem::path&) {
      ++operations;
      return (for_ever ? operations >= n : operations == n) ? fate : Fate::done;
    });
    operations = 0;
    Evening evening(*queue, tries);
    const bool ended = evening.run("w");
    EXPECT_TRUE(ended || for_ever) << "what failed works when it is asked for again";
    reached = for_ever ? !ended : operations >= n;
    expect_whole(under_test, *under_test.open(), evening.counted(), for_ever);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(n, 60) << "or nothing was tried";
}

INSTANTIATE_TEST_SUITE_P(, FileQueueFault,
                         ::testing::Values(Fault{"Killed", Fate::refused, true, 1},
                                           Fault{"Refused", Fate::refused, false, 3},
                                           Fault{"AnswerLost", Fate::answer_lost, false, 3}),
                         [](const auto& fault) { return fault.param.name; });

TEST(FileQueueFaults, AFullDiskIsCalledOne) {
  FilesUnderTest under_test;
  const auto queue = under_test.open();
  ASSERT_TRUE(queue->add(small_batch()));
  const auto full = jobs::open_queue(under_test.address(), {.hook = [](auto, const auto&) { return Fate::refused; }});
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error(), HasSubstr("No space left on device"));
}

TEST(FileQueueFaults, AResultCountsOnceItIsOnTheDisk) {
  FilesUnderTest under_test;
  int syncs = 0;
  jobs::QueueOptions options{.lease_ms = kLease_ms};
  options.hook = [&](std::string_view operation, const std::filesystem::path&) {
    return operation == "sync" && ++syncs == 3 ? Fate::refused : Fate::done;
  };
  const auto opened = jobs::open_queue(under_test.address(), options);
  ASSERT_TRUE(opened) << opened.error();
  jobs::Queue& queue = **opened;
  EXPECT_EQ(queue.add(small_batch()), true);
  EXPECT_EQ(syncs, 2) << "the batch's files, and its name";
  const auto claim = queue.claim(any("w"));
  EXPECT_THAT(queue.finish((*claim)->lease, "x").error(), HasSubstr("cannot sync"));
  EXPECT_EQ(queue.finish((*claim)->lease, "x"), Finish::counted);
  EXPECT_EQ(syncs, 4);
}

TEST(FileQueueFaults, OfTwoThatFinishInTheSameMomentOneCounts) {
  FilesUnderTest under_test;
  const auto other = under_test.open();
  ASSERT_TRUE(other->add(small_batch()));
  jobs::Lease young;
  const auto queue = under_test.open([&](std::string_view operation, const std::filesystem::path& path) {
    if (operation == "link" && path.parent_path().filename() == "done") {
      EXPECT_EQ(other->finish(young, "young"), Finish::counted);
    }
    return Fate::done;
  });
  const auto claim = queue->claim(any("old"));
  young = (*claim)->lease;
  young.worker = "young";
  ++young.fence;
  EXPECT_EQ(queue->finish((*claim)->lease, "old"), Finish::late);
  EXPECT_EQ(other->results("a", {})->at(0).bytes, "young");
}

// ---- files that somebody else has touched ----

class FileQueueFolder : public ::testing::Test {
 protected:
  std::filesystem::path batch() const { return std::filesystem::path(under_test_.address()) / "batches/a"; }
  static void put(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

  FilesUnderTest under_test_;
  const std::unique_ptr<jobs::Queue> queue_ = under_test_.open();
};

TEST_F(FileQueueFolder, DamageIsNamed) {
  ASSERT_TRUE(queue_->add(small_batch()));
  put(batch() / "done/2", "fuhyo result 1 w 1 10\nshort\n");
  EXPECT_THAT(queue_->results("a", {}).error(), HasSubstr("done/2 is damaged"));
  std::filesystem::remove(batch() / "done/2");
  EXPECT_EQ(queue_->progress("a")->waiting, kChunks);
  put(batch() / "batch", "fuhyo jobs 2\n");
  EXPECT_THAT(queue_->claim(any("w")).error(), HasSubstr("has no first line that this program knows"));
}

TEST_F(FileQueueFolder, OtherFilesAreLeftAlone) {
  ASSERT_TRUE(queue_->add(small_batch()));
  for (const char* name : {"claims/.nfs0001", "claims/9.1", "claims/1", "claims/1.0", "claims/1.1.lost", "claims/-1.1",
                           "claims/99999999999999999999.1", "done/.nfs1", "done/4", "done/1x"}) {
    put(batch() / name, "?");
  }
  std::filesystem::create_directory(batch().parent_path() / ".snapshot");
  std::filesystem::create_directory(batch().parent_path() / "empty");
  const auto progress = queue_->progress("a");
  ASSERT_TRUE(progress) << progress.error();
  EXPECT_EQ(progress->waiting, kChunks);
  EXPECT_EQ(progress->done + progress->held, 0);
  EXPECT_THAT(*queue_->batches(), testing::ElementsAre("a"));
}

TEST_F(FileQueueFolder, WhoOnlyLooksWritesNothing) {
  const std::filesystem::path folder = under_test_.address();
  EXPECT_TRUE(jobs::open_queue(folder.string(), {.create = false, .hook = [](std::string_view operation, const auto&) {
                                                   return operation == "exists" ? jobs::Fate::done
                                                                                : jobs::Fate::refused;
                                                 }}));
  const std::filesystem::path none = folder / "nothing" / "here";
  EXPECT_EQ(jobs::open_queue(none.string(), {.create = false}).error(),
            none.string() + " is no queue: it has no folder batches");
  EXPECT_FALSE(std::filesystem::exists(none.parent_path()));
}

TEST_F(FileQueueFolder, OnlyOldLeavingsAreClearedUp) {
  const std::filesystem::path folder = std::filesystem::path(under_test_.address()) / "temporary";
  put(folder / "old", "x");
  put(folder / "young", "x");
  std::filesystem::last_write_time(folder / "old",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  EXPECT_TRUE(under_test_.open());
  EXPECT_FALSE(std::filesystem::exists(folder / "old"));
  EXPECT_TRUE(std::filesystem::exists(folder / "young"));
}

// As if its clock were an hour slow, and later two hours fast: the time that a holder sets means nothing but change.
TEST_F(FileQueueFolder, ClocksOfMachinesNeedNotAgree) {
  ASSERT_TRUE(queue_->add(batch_of("a", 1)));
  ASSERT_TRUE(queue_->claim(any("w")));
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto other = under_test_.open();
  for (const int hours : {-1, 2, -5}) {
    std::filesystem::last_write_time(batch() / "claims/0.1", now + std::chrono::hours(hours));
    EXPECT_EQ(*other->claim(any("x")), std::nullopt);
    under_test_.pass(kLease_ms);
    EXPECT_EQ(*other->claim(any("x")), std::nullopt);
  }
  under_test_.pass(1);
  EXPECT_TRUE((*other->claim(any("x"))).has_value());
}

std::unique_ptr<QueueUnderTest> make_files() { return std::make_unique<FilesUnderTest>(); }

}  // namespace

INSTANTIATE_QUEUE_CONTRACTS(Files, make_files);

}  // namespace fuhyo::test
