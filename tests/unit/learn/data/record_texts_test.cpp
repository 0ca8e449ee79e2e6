// Text files and games in files of records: where they begin and end, compressed or not, and what becomes of damage.
#include "engines/learn/data/record_texts.h"

#include <archive.h>
#include <archive_entry.h>
#include <cstdlib>

#include "engines/learn/data/source.h"
#include "engines/learn/data/text_file.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class RecordFiles : public FolderTest {
 protected:
  std::vector<std::string> texts(const std::string& name, DataFormat format) {
    std::vector<std::string> out;
    error_.clear();
    auto opened = RecordTexts::open(folder_ / name, format);
    if (!opened) return error_ = opened.error(), out;
    for (;;) {
      const auto text = opened->next();
      if (!text) error_ = text.error();
      if (!text || !*text) return out;
      out.emplace_back(**text);
      where_ = opened->where();
    }
  }
  // Files by name, in an archive as libarchive's own writer makes it.
  void pack(const std::string& name, int format, int filter,
            const std::vector<std::pair<std::string, std::string>>& files) {
    archive* out = archive_write_new();
    ASSERT_EQ(archive_write_set_format(out, format), ARCHIVE_OK);
    ASSERT_EQ(archive_write_add_filter(out, filter), ARCHIVE_OK);
    ASSERT_EQ(archive_write_open_filename(out, (folder_ / name).c_str()), ARCHIVE_OK);
    for (const auto& [path, text] : files) {
      archive_entry* entry = archive_entry_new();
      archive_entry_set_pathname(entry, path.c_str());
      archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_perm(entry, 0644);
      ASSERT_EQ(archive_write_header(out, entry), ARCHIVE_OK);
      ASSERT_EQ(archive_write_data(out, text.data(), text.size()), static_cast<la_ssize_t>(text.size()));
      archive_entry_free(entry);
    }
    archive_write_free(out);
  }

  std::string error_, where_;
};

TEST_F(RecordFiles, AreSplitAtSlashesOrLines) {
  folder_.write("a.csa", "V2\nPI\n+\n+7776FU\n/\n'a / b\nPI\n+\n/\r\n\n/\nN+x/y\nPI\n+\n%TORYO\n/");
  EXPECT_THAT(texts("a.csa", DataFormat::csa),
              ElementsAre("V2\nPI\n+\n+7776FU\n", "'a / b\nPI\n+\n", "N+x/y\nPI\n+\n%TORYO\n"));
  EXPECT_EQ(where_, (folder_ / "a.csa").string() + ": game 3");
  folder_.write("a.usi", "startpos moves 7g7f\n# remark\n\nstartpos\r\nstartpos moves 2g2f");
  EXPECT_THAT(texts("a.usi", DataFormat::usi), ElementsAre("startpos moves 7g7f", "startpos\r", "startpos moves 2g2f"));
  folder_.write("a.kif", "1\n/\n2\n");
  EXPECT_THAT(texts("a.kif", DataFormat::kif), ElementsAre("1\n/\n2\n"));
  folder_.write("empty", "");
  EXPECT_TRUE(texts("empty", DataFormat::csa).empty());
  EXPECT_EQ(error_, "");
}

// Games that are longer than what is read at once, and marks at the very places where reading stops.
TEST_F(RecordFiles, AreSplitWhereverReadingStops) {
  for (std::size_t length = 262'130; length < 262'150; ++length) {
    const std::string first = std::string(length, 'x') + "\n", second(600'000, 'y');
    folder_.write("a", first + "/\n" + second + "\n/\n" + "z\n");
    EXPECT_THAT(texts("a", DataFormat::csa), ElementsAre(first, second + "\n", "z\n")) << length;
  }
}

TEST_F(RecordFiles, AreReadOutOfArchives) {
  const std::vector<std::pair<std::string, std::string>> files = {{"2020/a.csa", "1\n/\n2\n"}, {"2020/b.csa", "3\n"}};
  for (const auto& [name, format] :
       {std::pair{"a.7z", ARCHIVE_FORMAT_7ZIP}, {"a.zip", ARCHIVE_FORMAT_ZIP}, {"a.tar", ARCHIVE_FORMAT_TAR_USTAR}}) {
    pack(name, format, ARCHIVE_FILTER_NONE, files);
    EXPECT_THAT(texts(name, DataFormat::csa), ElementsAre("1\n", "2\n", "3\n")) << name << error_;
    EXPECT_EQ(where_, (folder_ / name).string() + ":2020/b.csa: game 1");
  }
  pack("a.csa.xz", ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_XZ, {{"a", "1\n/\n2\n"}});
  EXPECT_THAT(texts("a.csa.xz", DataFormat::csa), ElementsAre("1\n", "2\n"));
}

TEST_F(RecordFiles, DamageIsAnErrorBehindWhatCouldBeRead) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += fmt::format("{}\n/\n", i * 7919 % 100'003);
  pack("whole.xz", ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_XZ, {{"a", text}});
  const std::string whole = folder_.read("whole.xz");
  folder_.write("a.xz", whole.substr(0, whole.size() / 2));
  const auto read = texts("a.xz", DataFormat::csa);
  EXPECT_LT(read.size(), 60'000U);
  EXPECT_THAT(error_, HasSubstr("a.xz: "));
  EXPECT_THAT(error_, HasSubstr(fmt::format("(after game {})", read.size())));
  folder_.write("long", std::string(RecordTexts::kLongest + 300'000, 'x'));
  EXPECT_TRUE(texts("long", DataFormat::csa).empty());
  EXPECT_THAT(error_, HasSubstr("game 1 is longer than 16 MiB"));
  EXPECT_THAT((texts("none", DataFormat::csa), error_), HasSubstr("there is no such file"));
  EXPECT_THAT((texts(".", DataFormat::csa), error_), HasSubstr("is a folder"));
}

TEST_F(RecordFiles, FoldersAreLookedThroughToTheBottom) {
  fs::create_directories(folder_ / "2020/01");
  for (const char* name : {"2020/01/b.csa", "2020/a.csa.xz", "2020/c.kif"}) folder_.write(name, "");
  const std::string top = folder_.file("2020");
  const std::vector<std::string> names = {top, top + "/01/*.csa"};
  EXPECT_THAT(record_files_named(names, DataFormat::csa).value(),
              ElementsAre(folder_ / "2020/01/b.csa", folder_ / "2020/a.csa.xz"));
  EXPECT_THAT(record_files_named(std::span(&top, 1), DataFormat::jkf).error(), HasSubstr("no file of jkf in it"));
}

TEST_F(RecordFiles, BadGamesAreLeftOutOrErrors) {
  folder_.write("a.csa", "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7775FU\n/\nPI\n+\n+2726FU\n/\n'bye\n");
  ConversionLosses losses;
  LeftOut left_out;
  auto source = open_source(folder_ / "a.csa", DataFormat::csa, losses, &left_out);
  int games = 0;
  while ((*source)->next().value()) ++games;
  EXPECT_EQ(games, 2);
  EXPECT_EQ(left_out.count(), 1U);
  EXPECT_THAT(left_out.told(), ElementsAre(HasSubstr("a.csa: game 2: move 1, 7g7e, is illegal: ")));
  source = open_source(folder_ / "a.csa", DataFormat::csa, losses);
  EXPECT_TRUE((*source)->next());
  EXPECT_THAT((*source)->next().error(), HasSubstr("a.csa: game 2: "));
}

TEST_F(RecordFiles, NoteWhatIsWrongWhereSomebodyListens) {
  folder_.write("a.csa", "one\n/\n" + std::string(RecordTexts::kLongest + 300'000, 'x'));
  LeftOut left_out;
  auto texts = RecordTexts::open(folder_ / "a.csa", DataFormat::csa, &left_out);
  ASSERT_EQ(texts->next().value(), "one\n");
  EXPECT_TRUE(texts->leave_out("no game"));
  EXPECT_EQ(texts->next().value(), std::nullopt) << "damage is the end of the file";
  EXPECT_EQ(texts->next().value(), std::nullopt);
  EXPECT_EQ(left_out.count(), 2U);
  EXPECT_THAT(left_out.told(), ElementsAre(HasSubstr("a.csa: game 1: no game"), HasSubstr("game 2 is longer than ")));
  texts = RecordTexts::open(folder_ / "a.csa", DataFormat::csa);
  ASSERT_EQ(texts->next().value(), "one\n");
  EXPECT_THAT(texts->leave_out("no game").error(), HasSubstr("a.csa: game 1: no game"));
  EXPECT_FALSE(texts->next());
}

// ---- texts as a whole -----------------------------------------------------------------------------------------------

TEST_F(RecordFiles, TextIsReadPlainAndCompressed) {
  const std::string line = "startpos moves 7g7f\n";
  pack("a.xz", ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_XZ, {{"a", line}});
  pack("named_otherwise", ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP, {{"a", line}});
  folder_.write("plain", line);
  for (const char* name : {"plain", "a.xz", "named_otherwise"}) EXPECT_EQ(must(read_text_file(folder_ / name)), line);
  EXPECT_EQ(must(read_text_file(folder_.write("empty", ""))), "");
  // Damage is an error that names the file.
  const std::string whole = folder_.read("a.xz");
  EXPECT_THAT(read_text_file(folder_.write("short.xz", whole.substr(0, whole.size() - 20))).error(),
              HasSubstr("short.xz"));
  EXPECT_THAT(read_text_file(folder_.write("damaged.xz", flipped(whole, 40, 0x55))).error(), HasSubstr("damaged.xz"));
  EXPECT_THAT(read_text_file(folder_ / "missing").error(), HasSubstr("missing"));
  EXPECT_THAT(read_text_file(folder_.path()).error(), HasSubstr(folder_.path().string()));
}

TEST_F(RecordFiles, TextIsNotUnpackedWithoutEnd) {
  const auto file = folder_.write("x", std::string(100'000, 'x'));
  EXPECT_TRUE(read_text_file(file, 100'000));
  EXPECT_FALSE(read_text_file(file, 50'000));
}

TEST(RecordNames, TellTheFormat) {
  EXPECT_EQ(format_of("a.csa.xz"), DataFormat::csa);
  EXPECT_EQ(format_of("2020.7z"), DataFormat::csa);
  EXPECT_EQ(format_of("lines.sfen.xz"), DataFormat::usi);
  EXPECT_EQ(format_of("x.kif.zip"), DataFormat::kif);
  EXPECT_EQ(format_of("a.hcpe2"), DataFormat::hcpe2);
  EXPECT_FALSE(format_of("a.hcpe.xz"));
  EXPECT_FALSE(format_of("a.xz"));
}

}  // namespace
}  // namespace fuhyo::learn
