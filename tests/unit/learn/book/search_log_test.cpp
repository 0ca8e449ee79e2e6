// The file of searches: goes on after whatever a kill leaves of it, and refuses what is damaged or of other searches.
#include "engines/learn/book/search_log.h"

#include "tests/unit/learn/book/fake_search.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kOptions = "100 nodes";

std::vector<shogi::Position> some_positions(std::size_t count) {
  std::vector<shogi::Position> out(1);
  while (out.size() < count) {
    out.push_back(out.back());
    out.back().do_move(test::fake_search(out.back()).lines.front().move);
  }
  return out;
}

class SearchLogTest : public FolderTest {
 protected:
  SearchLogTest() {
    auto log = must(SearchLog::open(file_, kOptions));
    sizes_.push_back(fs::file_size(file_));
    for (const auto& position : positions_) {
      must(log.append(*record::pack(position), found(position)));
      sizes_.push_back(fs::file_size(file_));
    }
    must(log.sync());
    bytes_ = folder_.read("a.searches");
  }

  // Of different lengths, and one that ended.
  SearchResult found(const shogi::Position& position) const {
    SearchResult out = test::fake_search(position);
    out.lines.resize(static_cast<std::size_t>(position.ply()) % 4);
    if (out.lines.empty()) out.ended = -kMateValue;
    return out;
  }
  std::expected<SearchLog, std::string> open_with(const std::string& bytes) {
    folder_.write("a.searches", bytes);
    return SearchLog::open(file_, kOptions);
  }

  fs::path file_ = folder_ / "a.searches";
  std::vector<shogi::Position> positions_ = some_positions(6);
  std::vector<std::uintmax_t> sizes_;  // of the file with so many records
  std::string bytes_;
};

TEST_F(SearchLogTest, KnowsWhatWasAppended) {
  auto log = must(SearchLog::open(file_, kOptions));
  EXPECT_EQ(log.size(), positions_.size());
  EXPECT_EQ(log.cut(), 0U);
  for (const auto& position : positions_) {
    const SearchResult* const known = log.find(*record::pack(position));
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(*known, found(position));
  }
  shogi::Position other = positions_.back();
  other.do_move(test::fake_search(other).lines.front().move);
  EXPECT_EQ(log.find(*record::pack(other)), nullptr);
}

TEST_F(SearchLogTest, GoesOnWhereverItWasCut) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    auto log = must(open_with(bytes_.substr(0, size)));
    const auto whole = std::ranges::upper_bound(sizes_, size) - sizes_.begin();  // header and records
    const std::size_t records = whole == 0 ? 0 : static_cast<std::size_t>(whole) - 1;
    ASSERT_EQ(log.size(), records) << size;
    ASSERT_EQ(log.cut(), whole == 0 ? size : size - sizes_[records]);
    for (const auto& position : std::span(positions_).subspan(records)) {
      must(log.append(*record::pack(position), found(position)));
    }
    ASSERT_EQ(folder_.read("a.searches"), bytes_) << size;
  }
}

TEST_F(SearchLogTest, DamageIsTold) {
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    const std::string damaged = flipped(bytes_, at, 0x10);
    const auto log = open_with(damaged);
    if (at >= sizes_[positions_.size() - 1]) {  // the last record: as if it had not been finished
      ASSERT_TRUE(log) << at << ": " << log.error();
      ASSERT_EQ(log->size(), positions_.size() - 1);
      continue;
    }
    ASSERT_FALSE(log) << at;
    EXPECT_THAT(log.error(), AllOf(HasSubstr("a.searches"), HasSubstr("damaged"))) << at;
    ASSERT_EQ(folder_.read("a.searches"), damaged);
  }
}

TEST_F(SearchLogTest, OtherFilesAndOtherSearchesAreRefused) {
  EXPECT_THAT(SearchLog::open(file_, "200 nodes").error(),
              AllOf(HasSubstr("a.searches"), HasSubstr("other searches (100 nodes)"), HasSubstr("(200 nodes)")));
  EXPECT_THAT(open_with("#YANEURAOU-DB2016 1.00\n").error(), HasSubstr("no file of searches"));
  EXPECT_EQ(folder_.read("a.searches"), "#YANEURAOU-DB2016 1.00\n");
  EXPECT_THAT(SearchLog::open(folder_.path(), kOptions).error(), HasSubstr("directory"));
  EXPECT_THAT(SearchLog::open(folder_ / "none/a", kOptions).error(), HasSubstr("No such file"));
  EXPECT_THAT(SearchLog::open(folder_ / "b", std::string(4'097, 'x')).error(), HasSubstr("too many words"));
  EXPECT_TRUE(SearchLog::open(folder_ / "b", std::string(4'096, 'x')));
  EXPECT_TRUE(SearchLog::open(folder_ / "b", std::string(4'096, 'x')));
}

TEST_F(SearchLogTest, TheMostLinesAreKept) {
  const record::PackedSfen start = *record::pack(shogi::Position());
  SearchResult most;
  for (std::size_t i = 0; i < kMostLines; ++i) most.lines.push_back({.depth = static_cast<std::uint16_t>(i)});
  must(must(SearchLog::open(folder_ / "b", kOptions)).append(start, most));
  EXPECT_EQ(*must(SearchLog::open(folder_ / "b", kOptions)).find(start), most);
}

}  // namespace
}  // namespace fuhyo::learn
