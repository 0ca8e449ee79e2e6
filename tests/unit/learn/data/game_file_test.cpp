#include "engines/learn/data/game_file.h"

#include "engines/learn/data/game_files.h"
#include "tests/support/full_disk.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using test::same;

// What a file gives, and the error at which it stopped.
struct Read {
  Games games;
  std::string error;
  std::optional<std::string> unfinished;
};

Read read_all(const fs::path& path, record::MoveCheck check = record::MoveCheck::legal) {
  Read out;
  auto reader = GameReader::open(path, check);
  if (!reader) return {.games = {}, .error = reader.error(), .unfinished = {}};
  out.games = drain(*reader, &out.error);
  out.unfinished = reader->unfinished();
  return out;
}

Games operator+(Games a, const Games& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class GameFile : public FolderTest {
 protected:
  // Three blocks of games, flushed one by one.
  GameFile() {
    auto writer = must(GameWriter::create(path_, "by a test"));
    for (const Games& each : {first_, second_, third_}) {
      append_all(writer, each);
      ends_.push_back(must(writer.flush()));
    }
  }
  std::string bytes() const { return folder_.read("a.games"); }
  void change(std::size_t at) { folder_.write("a.games", flipped(bytes(), at)); }

  fs::path path_ = folder_ / "a.games";
  Games first_ = test::random_games(30, 1), second_ = test::random_games(20, 2), third_ = test::random_games(10, 3);
  Games all_ = first_ + second_ + third_;
  std::vector<std::uint64_t> ends_;
};

TEST_F(GameFile, GamesComeBackInTheirOrder) {
  EXPECT_EQ(fs::file_size(path_), ends_.back());
  for (const record::MoveCheck check : {record::MoveCheck::legal, record::MoveCheck::trusted}) {
    const Read all = read_all(path_, check);
    EXPECT_EQ(all.error, "");
    EXPECT_FALSE(all.unfinished);
    expect_same(all.games, all_);
  }
  EXPECT_EQ(GameReader::open(path_)->made_by(), "by a test");
}

// The layout, field by field.
TEST_F(GameFile, HasALayoutByteByByte) {
  auto writer = GameWriter::create(folder_ / "b.games", "hi");
  EXPECT_EQ(folder_.read("b.games").size(), 22U);
  append_all(*writer, {{.start = {}, .moves = {}}});
  EXPECT_EQ(*writer->flush(), 22U + 16 + 2);
  const std::string text = folder_.read("b.games");
  EXPECT_EQ(text.substr(0, 18), std::string("FuhyoSG\n\1\0\0\0\2\0\0\0hi", 18));
  EXPECT_EQ(text.substr(22, 8), std::string("\2\0\0\0\1\0\0\0", 8));
  EXPECT_EQ(text.substr(38), std::string("\0\0", 2));
  const std::string nine = "123456789";
  EXPECT_EQ(crc32c(record::Bytes(nine.begin(), nine.end())), 0xe3069283);  // RFC 3720, B.4's polynomial
}

TEST_F(GameFile, AFullBlockIsWrittenByItself) {
  const Games many = test::random_games(600, 4);
  const fs::path file = folder_ / "many.games";
  auto writer = GameWriter::create(file, "");
  append_all(*writer, many);
  EXPECT_GT(fs::file_size(file), 2 * GameWriter::kBlockTarget);
  ASSERT_TRUE(writer->flush());
  const auto size = fs::file_size(file);
  EXPECT_EQ(*writer->flush(), size) << "nothing waits";
  expect_same(read_all(file).games, many);
}

TEST_F(GameFile, IsNotOverwritten) {
  EXPECT_THAT(GameWriter::create(path_, "").error(), HasSubstr("a.games: File exists"));
  expect_same(read_all(path_).games, all_);
  EXPECT_THAT(GameWriter::create(folder_ / "no" / "b.games", "").error(), HasSubstr("No such file"));
  const fs::path other = folder_ / "b.games";
  EXPECT_THAT(GameWriter::create(other, "two\nlines").error(), HasSubstr("a line of text"));
  EXPECT_THAT(GameWriter::create(other, std::string(kMaxMadeBy + 1, 'x')).error(), HasSubstr("65536"));
  EXPECT_TRUE(GameWriter::create(other, std::string(kMaxMadeBy, 'x')));
  EXPECT_EQ(GameReader::open(other)->made_by().size(), kMaxMadeBy);
}

TEST_F(GameFile, EveryCutGivesTheBlocksBefore) {
  const std::string whole = bytes();
  const std::size_t begin = kFileHeaderStart + 9 + 4;
  for (std::size_t length = 0; length < whole.size(); length += length < 64 || length % 97 == 0 ? 1 : 29) {
    folder_.write("a.games", whole.substr(0, length));
    const Read cut = read_all(path_, record::MoveCheck::trusted);
    if (length < begin) {
      ASSERT_THAT(cut.error, HasSubstr(length == 0 ? "is empty" : "ends within its header")) << length;
      continue;
    }
    ASSERT_EQ(cut.error, "") << length;
    expect_same(cut.games, length >= ends_[1] ? first_ + second_ : length >= ends_[0] ? first_ : Games{});
    ASSERT_EQ(cut.unfinished.has_value(), length != begin && length != ends_[0] && length != ends_[1]) << length;
  }
}

TEST_F(GameFile, DamageIsFoundWhereItIs) {
  const std::string whole = bytes();
  for (const std::size_t at : {ends_[0], ends_[0] + 5, ends_[0] + 9, ends_[0] + 13, ends_[0] + 16, ends_[1] - 1}) {
    folder_.write("a.games", flipped(whole, at));
    const Read read = read_all(path_);
    EXPECT_THAT(read.error, HasSubstr(fmt::format("a.games: offset {}: ", ends_[0]))) << at;
    EXPECT_THAT(read.error, HasSubstr("damaged"));
    expect_same(read.games, first_);
  }
  folder_.write("a.games", flipped(whole, 17));
  EXPECT_THAT(read_all(path_).error, HasSubstr("damaged header"));
}

TEST_F(GameFile, WhatIsNoFileOfGames) {
  const auto error = [&](const std::string& text) { return read_all(folder_.write("x.games", text)).error; };
  EXPECT_THAT(error("{\"fuhyoMatch\":1}   "), HasSubstr("x.games: is no file of games"));
  EXPECT_THAT(error(std::string("FuhyoSG\n\2\0\0\0\0\0\0\0\0\0\0\0", 20)),
              HasSubstr("of version 2; this program knows version 1"));
  EXPECT_THAT(error(std::string("FuhyoSG\n\1\0\0\0\0\0\0\1\0\0\0\0", 20)), HasSubstr("damaged header"));
  EXPECT_THAT(read_all(folder_.path()).error, HasSubstr("is a folder"));
  const fs::path none = folder_ / "y.games";
  EXPECT_THAT(read_all(none).error, HasSubstr("y.games: there is no such file"));
  EXPECT_FALSE(fs::exists(none));
}

TEST_F(GameFile, IllegalMovesAreRefusedUnlessTrusted) {
  write_games(folder_ / "b.games", {{.start = {}, .moves = {{move_of("5e5d"), {}}}}});
  EXPECT_THAT(read_all(folder_ / "b.games").error, HasSubstr("move 1, '5e5d', is illegal"));
  EXPECT_EQ(read_all(folder_ / "b.games", record::MoveCheck::trusted).games.size(), 1U);
}

// No half block stays, nothing before it is lost, and the games are written once there is room.
TEST_F(GameFile, AFullDiskLosesNothing) {
  const fs::path file = folder_ / "b.games";
  auto writer = GameWriter::create(file, "");
  append_all(*writer, first_);
  const auto before = must(writer->flush());
  append_all(*writer, second_);
  const auto full = [&] {
    const test::FullDisk disk(before + 100);
    return writer->flush();
  }();
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error(), HasSubstr("b.games: cannot be written: File too large"));
  EXPECT_EQ(fs::file_size(file), before);
  expect_same(read_all(file).games, first_);
  ASSERT_TRUE(writer->flush());
  expect_same(read_all(file).games, first_ + second_);
}

TEST_F(GameFile, AFileThatIsGoneIsNotFlushed) {
  const fs::path file = folder_ / "b.games";
  auto writer = GameWriter::create(file, "");
  append_all(*writer, first_);
  fs::remove(file);
  EXPECT_THAT(writer->flush().error(), HasSubstr("b.games: cannot be written: No such file"));
}

TEST_F(GameFile, SkipsGames) {
  for (std::size_t count = 0; count < all_.size(); ++count) {
    auto reader = GameReader::open(path_);
    ASSERT_EQ(*reader->skip(count / 2), count / 2);
    ASSERT_EQ(*reader->skip(count - count / 2), count - count / 2);
    ASSERT_TRUE(same(**reader->next(), all_[count])) << count;
  }
  auto reader = GameReader::open(path_);
  EXPECT_EQ(*reader->skip(1000), 60U);
  EXPECT_FALSE(*reader->next());
  fs::resize_file(path_, ends_[2] - 1);
  reader = GameReader::open(path_);
  EXPECT_EQ(*reader->skip(1000), 50U);
  EXPECT_TRUE(reader->unfinished());
}

class SeveralGameFiles : public GameFile {
 protected:
  SeveralGameFiles() {
    write_games(at("b1.games"), second_);
    write_games(at("b2.games"), {});
    write_games(at("b3.games"), third_);
    folder_.write("notes.txt", "nothing of games");
  }
  std::string at(const std::string& name) const { return folder_.file(name); }
};

TEST_F(SeveralGameFiles, AreOneStream) {
  const std::pair<std::vector<std::string>, Games> kCases[] = {
      {{at("b3.games"), at("a.games")}, third_ + all_},
      {{folder_.path().string()}, all_ + second_ + third_},
      {{at("b?.games")}, second_ + third_},
      {{at("*3*"), at("b*"), at("b1.games")}, third_ + second_},
      {{at("*.games"), folder_.path().string()}, all_ + second_ + third_},
  };
  for (const auto& [names, games] : kCases) {
    auto files = must(GameFiles::open(names));
    expect_same(drain(files), games);
    files.rewind();
    EXPECT_EQ(files.skip(25).value(), 25U);
    files.rewind();
    expect_same(drain(files), games);
  }
}

TEST_F(SeveralGameFiles, SkipsFromFileToFile) {
  const Games all = first_ + second_ + third_ + second_ + third_;
  for (std::size_t count = 0; count <= all.size() + 1; ++count) {
    auto files = GameFiles::open(std::vector{folder_.path().string()});
    ASSERT_EQ(*files->skip(count), std::min(count, all.size()));
    const Games rest(all.end() - static_cast<std::ptrdiff_t>(all.size() - std::min(count, all.size())), all.end());
    expect_same(drain(*files), rest);
  }
}

TEST_F(SeveralGameFiles, WhatIsNotThereOrNotWholeIsSaid) {
  const auto error = [&](const std::string& name) { return GameFiles::open(std::vector{at(name)}).error(); };
  EXPECT_THAT(error("c.games"), HasSubstr("c.games: there is no such file"));
  EXPECT_THAT(error("c*.games"), HasSubstr("c*.games: there is no such file"));
  EXPECT_THAT(error("*/c.games"), HasSubstr("last part of a name"));
  EXPECT_THAT(error("*.txt"), HasSubstr("notes.txt: is no file of games"));
  fs::create_directory(folder_ / "empty");
  EXPECT_THAT(error("empty"), HasSubstr("empty/*.games: there is no such file"));
  fs::resize_file(folder_ / "a.games", ends_[2] - 1);
  auto files = GameFiles::open(std::vector{folder_.path().string()});
  expect_same(drain(*files), first_ + second_ + second_ + third_);
  EXPECT_THAT(files->unfinished(), ElementsAre(HasSubstr(fmt::format("a.games: offset {}", ends_[1]))));
  change(ends_[0]);
  files = GameFiles::open(std::vector{folder_.path().string()});
  expect_same(drain(*files), first_);
}

}  // namespace
}  // namespace fuhyo::learn
