// Every record of ../shared/data/records against what an independent reader made of it (tests/golden/records).
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/record/record_format.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/record/random_game.h"

namespace fuhyo::record {
namespace {

namespace fs = std::filesystem;

const fs::path kRecords = fs::path(FUHYO_SOURCE_DIR) / ".." / "shared" / "data" / "records";

std::vector<fs::path> records(const std::set<std::string>& extensions = {".csa"}) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRecords)) {
    if (entry.is_regular_file() && extensions.contains(entry.path().extension())) files.push_back(entry.path());
  }
  return files;
}

// Those that the other readers read, too: not what was collected later.
std::vector<fs::path> compared_records(const std::set<std::string>& extensions = {".csa"}) {
  std::vector<fs::path> files = records(extensions);
  std::erase_if(files, [](const fs::path& path) { return *fs::relative(path, kRecords).begin() == "more"; });
  return files;
}

const std::set<std::string> kKif = {".kif", ".kifu", ".ki2", ".ki2u", ".jkf"};

// file -> the rest of its line
std::map<std::string, std::string> golden(const std::string& name) {
  std::ifstream in(fs::path(FUHYO_SOURCE_DIR) / "tests/golden/records" / name);
  EXPECT_TRUE(in) << name;
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(in, line);) {
    const auto tab = line.find('\t');
    if (!line.starts_with('#')) rows[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return rows;
}

// Plies and FNV-1a of the SFENs of every position of the main line.
std::string main_line(const Game& game) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](const Setup& setup) {
    const std::string sfen = setup.sfen();
    for (const char c : sfen.substr(0, sfen.rfind(' ')) + '\n') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  };
  Setup setup = game.start;
  mix(setup);
  for (const RecordedMove& recorded : game.moves) {
    setup.apply(recorded.move);
    mix(setup);
  }
  char text[40];
  std::snprintf(text, sizeof text, "%d\t%016llx", game.plies(), static_cast<unsigned long long>(hash));
  return text;
}

std::vector<std::string> lines_of(const Game& game) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < game.branches.size(); ++i) lines.push_back(main_line(line_of(game, i)));
  return lines;
}

class RealRecords : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(kRecords)) GTEST_SKIP() << "no ../shared/data/records beside the project";
  }
};

TEST_F(RealRecords, AgreeWithAnIndependentReader) {
  const auto lines = golden("csa_main_lines.tsv");
  const auto refused = golden("csa_refused.tsv");
  std::size_t agreed = 0;
  for (const fs::path& path : compared_records()) {
    const std::string name = fs::relative(path, kRecords).generic_string();
    const auto file = read_csa(fuhyo::test::read_file(path));
    if (!file) {
      ASSERT_TRUE(refused.contains(name)) << name << ": " << to_string(file.error());
      EXPECT_EQ(to_string(file.error()), refused.at(name)) << name;
    } else {
      ASSERT_TRUE(lines.contains(name)) << name << " was refused by the other reader";
      EXPECT_EQ(main_line(file->games.front().game), lines.at(name)) << name;
      ++agreed;
    }
  }
  EXPECT_EQ(agreed, lines.size());
  EXPECT_EQ(lines.size() + refused.size(), compared_records().size());
}

TEST_F(RealRecords, ParseWriteParseIsTheIdentity) {
  for (const fs::path& path : records()) {
    const auto file = read_csa(fuhyo::test::read_file(path));
    if (!file) continue;
    for (const CsaGame& game : file->games) {
      const auto again = read_csa(write_csa(game.game, CsaVersion::v3_0));
      ASSERT_TRUE(again) << path << ": " << to_string(again.error());
      ASSERT_EQ(again->games.size(), 1U) << path;
      EXPECT_EQ(again->games.front().game, game.game) << path;
      EXPECT_EQ(again->games.front().version, CsaVersion::v3_0) << path;
    }
  }
}

// The rest of the set is legal from the first move to the last.
TEST_F(RealRecords, AreLegalButForThese) {
  std::map<std::string, std::string> found;
  for (const fs::path& path : records()) {
    const auto file = read_csa(fuhyo::test::read_file(path));
    if (!file) continue;
    const auto illegal = first_illegal(file->games.front().game);
    const std::string name = path.filename().string();
    if (!illegal) {
      found[name] = illegal.error();
    } else if (*illegal) {
      found[name] = std::to_string((*illegal)->ply) + " " + std::string(shogi::to_string((*illegal)->why));
    }
  }
  EXPECT_THAT(found,
              testing::ElementsAre(testing::Pair("9fu.csa", "White's piece on 2i can never move"),
                                   testing::Pair("9fu_komabetsu.csa", "White's piece on 2i can never move"),
                                   testing::Pair("promotion.csa", "1 the piece cannot promote there"),
                                   testing::Pair("test_various_pieces.csa", "11 the piece does not move that way")));
}

TEST_F(RealRecords, OfKifAgreeWithAnIndependentReader) {
  const auto lines = golden("kif_main_lines.tsv");
  const auto refused = golden("kif_refused.tsv");
  for (const fs::path& path : compared_records(kKif)) {
    const std::string name = fs::relative(path, kRecords).generic_string();
    const auto record = read_record(fuhyo::test::read_file(path), name);
    if (!record) {
      ASSERT_TRUE(refused.contains(name)) << name << ": " << to_string(record.error());
      EXPECT_EQ(to_string(record.error()), refused.at(name)) << name;
    } else {
      ASSERT_TRUE(lines.contains(name)) << name;
      EXPECT_EQ(main_line(record->file.game), lines.at(name)) << name;
    }
  }
  EXPECT_EQ(lines.size() + refused.size(), compared_records(kKif).size());
}

// Whatever the file came as, every format carries its moves, and KIF all that it can say.
TEST_F(RealRecords, GoThroughEveryFormat) {
  std::set<std::string> extensions = kKif;
  extensions.insert(".csa");
  std::uint64_t number = 0;
  for (const fs::path& path : records(extensions)) {
    if (++number % ::fuhyo::test::every(5) != 0) continue;
    const auto record = read_record(fuhyo::test::read_file(path), path.filename().string());
    if (!record) continue;
    const Game& game = record->file.game;
    for (const RecordFormat format : kRecordFormats) {
      const auto file = write_record(game, format);
      if (!file) {
        EXPECT_TRUE(format == RecordFormat::ki2 || format == RecordFormat::ki2u) << path << ": " << file.error();
        continue;
      }
      const auto again = read_record(file->bytes, {});
      if (!again && format == RecordFormat::usi && !game.start.position()) continue;
      ASSERT_TRUE(again) << path << ' ' << extension_of(format) << ": " << to_string(again.error());
      EXPECT_EQ(main_line(again->file.game), main_line(game)) << path << ' ' << extension_of(format);
      const auto twice = write_record(again->file.game, format);
      ASSERT_TRUE(twice) << path;
      EXPECT_EQ(twice->bytes, file->bytes) << path << ' ' << extension_of(format);
      EXPECT_EQ(lines_of(again->file.game), file->left_out > 0 ? std::vector<std::string>() : lines_of(game))
          << path << ' ' << extension_of(format);
    }
  }
}

// The same game in several formats is the same game.
TEST_F(RealRecords, AreTheSameInEveryFormat) {
  const fs::path folder = kRecords / "kifu-for-js/packages/json-kifu-format/test/files";
  const auto game = [&](const std::string& name) {
    const auto record = read_record(fuhyo::test::read_file(folder / name), name);
    EXPECT_TRUE(record) << name;
    return test::without_times(record ? record->file.game : Game{});
  };
  for (const std::string name : {"8mai", "9fu", "chudan", "fork", "illegal", "noeol"}) {
    EXPECT_EQ(game("kif/" + name + ".kif"), game("ki2/" + name + ".ki2")) << name;
  }
  EXPECT_EQ(game("ki2/8mai.ki2"), game("ki2/8mai.ki2u"));
  EXPECT_EQ(game("kif/ryuou201409020101.kif").moves, game("jkf/ryuou201409020101.jkf").moves);
  EXPECT_EQ(game("kif/ryuou201409020101.kif").end, game("jkf/ryuou201409020101.jkf").end);
}

}  // namespace
}  // namespace fuhyo::record
