// What a sandbox keeps from a child process, tried by an engine that tries everything (tests/system/evil), and that our
// own ways of running engines go on in it.
#include "engines/usi/process_sandbox.h"

#include <arpa/inet.h>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "engines/usi/process.h"
#include "engines/usi/process_share.h"
#include "tests/support/case_names.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/child_talk.h"

namespace fuhyo::usi {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

// What a server has: a folder with secrets, a port, a socket; all of this process.
class House {
 public:
  House() {
    for (const char* file : {"fuhyo.db", "secret.key"}) folder_.write(file, "secret");
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&at), size), 0);
    EXPECT_EQ(::listen(listener_, 1000), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size), 0);
    port_ = ntohs(at.sin_port);
    door_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un named{};
    named.sun_family = AF_UNIX;
    socket().copy(named.sun_path, sizeof named.sun_path - 1);
    EXPECT_EQ(::bind(door_, reinterpret_cast<sockaddr*>(&named), sizeof named), 0);
    EXPECT_EQ(::listen(door_, 1000), 0);
    ::setenv("FUHYO_TEST_SECRET", "secret", 1);
  }
  ~House() {
    ::close(listener_);
    ::close(door_);
    ::unsetenv("FUHYO_TEST_SECRET");
  }
  std::vector<std::string> evil(const std::string& attempt) const {
    return {EVIL_ENGINE, attempt, std::to_string(::getpid()), std::to_string(port_), folder(), socket()};
  }
  std::string folder() const { return folder_.path().string(); }

 private:
  std::string socket() const { return folder_.file("admin"); }
  test::TemporaryFolder folder_;
  int listener_ = -1, door_ = -1, port_ = 0;
};

std::string outcome(const std::vector<std::string>& command, ChildProcess::Options options) {
  test::Talk talk(command, std::move(options));
  talk.say("usi");
  talk.say("isready");
  return talk.first("info string evil ");
}

std::vector<std::string> all_attempts() {
  std::vector<std::string> names;
  std::FILE* const list = ::popen(EVIL_ENGINE " --list", "r");
  for (char line[100]; std::fgets(line, sizeof line, list) != nullptr;) {
    names.emplace_back(line, std::string_view(line).find('\n'));
  }
  ::pclose(list);
  std::erase(names, "spin");  // these are allowed as such
  std::erase(names, "daemon");
  return names;
}

class EvilEngine : public ::testing::TestWithParam<std::string> {};

// What only a mount namespace keeps from an engine.
bool is_about_sight(const std::string& attempt) { return attempt.starts_with("size"); }

TEST_P(EvilEngine, E4_IsRefused) {
  const SandboxSupport& support = sandbox_support();
  if (support.landlock < 3 || !support.seccomp) GTEST_SKIP() << "this machine has no whole sandbox";
  const House house;
  const Sandbox sandbox{.memory_bytes = std::size_t{256} << 20, .hidden = {house.folder()}};
  const std::vector<int> cores = GetParam() == "cores" ? std::vector{own_cores().front()} : std::vector<int>{};
  const std::string told = outcome(house.evil(GetParam()), {.cores = cores, .sandbox = sandbox});
  if (!support.mounts && is_about_sight(GetParam())) {
    EXPECT_THAT(told, HasSubstr(": DONE"));
    EXPECT_THAT(support.missing(), ::testing::Contains(StartsWith("no mount namespaces")));
    return;
  }
  EXPECT_THAT(told, ::testing::AnyOf(HasSubstr(": refused ("), StartsWith("closed: more than ")));
  // Not for want of any: a machine that has some would give them.
  if (GetParam() == "huge-pages") EXPECT_THAT(told, HasSubstr("not permitted"));
}

INSTANTIATE_TEST_SUITE_P(Tries, EvilEngine, ::testing::ValuesIn(all_attempts()),
                         [](const auto& info) { return test::case_name(info.param); });

// Or the test above would show nothing.
TEST(EvilEngineOutside, CanDoMostOfIt) {
  const House house;
  // Needless harm to the machine that tests, or there for the processes of the sandbox alone; threads are held for
  // long.
  const std::set<std::string> harmful = {
      "signal-all",  "processes",   "threads",    "mount",           "hostname",        "memory",      "shared-memory",
      "memory-file", "zero-device", "huge-pages", "headless-memory", "orphaned-memory", "page-tables", "sockets"};
  std::size_t done = 0, tried = 0;
  for (const std::string& name : all_attempts()) {
    if (harmful.contains(name)) continue;
    const std::string told = outcome(house.evil(name), {});
    ++tried;
    done += told.ends_with(": DONE") ? 1u : 0u;
    if (!told.ends_with(": DONE")) std::cout << told << "\n";
  }
  EXPECT_GT(tried, 40u);
  if (::geteuid() == 0) EXPECT_GE(done, tried - 8);
  EXPECT_GE(done, 20u);
}

// A folder of an engine's own with a script in it.
class SandboxedScript : public ::testing::Test {
 protected:
  SandboxedScript() {
    fs::create_directory(folder / "own");
    fs::create_directory(folder / "other");
    folder.write("own/book", "book\n");
    folder.write("other/net", "net\n");
  }

  std::vector<std::string> command(const std::string& script) const {
    const fs::path file = folder.write("own/engine.sh", "#!/bin/sh\n" + script + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return {file.string()};
  }
  // What the script says first, having been asked nothing.
  std::string says(const std::string& script, const Sandbox& sandbox, const std::string& working_dir = {}) const {
    return test::Talk(command(script + "\nread line"), {.working_dir = working_dir, .sandbox = sandbox}).next();
  }
  const test::TemporaryFolder folder;
};

TEST_F(SandboxedScript, RunsProgramsAndReadsItsOwnFolder) {
  EXPECT_EQ(says("cat $(dirname $0)/book | tr a-z A-Z", {}), "BOOK");
  EXPECT_EQ(says("test -r /proc/self/maps && head -c 1 /dev/urandom | wc -c > /dev/null && echo fine", {}), "fine");
}

TEST_F(SandboxedScript, ReadsWhatIsNamedAndNothingElse) {
  const std::string script = "cat " + folder.file("other/net") + " 2>/dev/null || echo refused";
  EXPECT_EQ(says(script, {.readable = {folder.file("other"), "/nonexistent"}}), "net");
  if (sandbox_support().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(says(script, {}), "refused");
}

// Programs of a tarball come with their libraries, and engines have those of the server.
TEST_F(SandboxedScript, ReadsTheFolderOfALibraryThatThisProcessHasLoaded) {
  if (sandbox_support().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  Dl_info mathematics{};
  ASSERT_NE(::dladdr(::dlsym(RTLD_DEFAULT, "cos"), &mathematics), 0);
  const fs::path library = folder / "other/library.so";
  fs::copy_file(mathematics.dli_fname, library);
  const std::string script = "cat " + folder.file("other/net") + " 2>/dev/null || echo refused";
  EXPECT_EQ(says(script, {}), "refused");
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  EXPECT_EQ(says(script, {}), "net");
  EXPECT_EQ(says(script, {.hidden = {folder.file("other")}}), "refused");
  ::dlclose(loaded);
}

TEST_F(SandboxedScript, DoesNotSeeAFolderThatHoldsWhatIsHidden) {
  if (sandbox_support().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string script = "cat " + folder.file("other/net") + " 2>/dev/null || echo refused";
  const std::string other = folder.file("other");
  EXPECT_EQ(says(script, {.readable = {folder.path().string()}}), "net");
  EXPECT_EQ(says(script, {.readable = {folder.path().string()}, .hidden = {other}}), "refused");
  EXPECT_EQ(says(script, {.readable = {other}, .hidden = {folder.path().string()}}), "refused");
  const std::string own = "cat $(dirname $0)/book 2>/dev/null || echo refused";
  EXPECT_EQ(says(own, {.hidden = {folder.file("own/data")}}), "refused");
}

// ---- what is not seen at all ----

// "none", or what stat says; the fallback is what is said of the machine.
class UnseenFolder : public SandboxedScript {
 protected:
  UnseenFolder() { fs::create_directories(folder / "own/data"); }

  std::string size_seen(const std::string& path, const Sandbox& sandbox) const {
    return says("stat -c %s " + path + " 2>/dev/null || echo none", sandbox);
  }
  // Of a file of four bytes.
  static std::string unseen() { return sandbox_support().mounts ? "none" : "4"; }
};

TEST_F(UnseenFolder, TellsNoNamesAndNoSizes) {
  const std::string net = folder.file("other/net");
  EXPECT_EQ(size_seen(net, {}), "4") << "it lies nowhere in particular";
  EXPECT_EQ(size_seen(net, {.hidden = {folder.file("other")}}), unseen());
  EXPECT_EQ(size_seen(net, {.hidden = {folder.file("own"), folder.file("other"), folder.file("other/net")}}), unseen());
  const std::string file = size_seen(net, {.hidden = {net}});
  EXPECT_EQ(file, sandbox_support().mounts ? "0" : "4") << "a file is there, and is empty";
  EXPECT_EQ(folder.read("other/net"), "net\n") << "nothing has changed for others";
}

TEST_F(UnseenFolder, IsUnseenFromWithinToo) {
  const std::string there = "cd " + folder.file("other") + " && stat -c %s net 2>/dev/null || echo none";
  EXPECT_EQ(says(there, {.hidden = {folder.file("other")}}), unseen());
  const std::string here = "stat -c %s net 2>/dev/null || echo none";
  EXPECT_EQ(says(here, {.hidden = {folder.file("other")}}, folder.file("other")), unseen()) << "it begins there";
}

TEST_F(UnseenFolder, StillShowsWhatWasNamedInIt) {
  folder.write("own/data/net", "net\n");
  folder.write("own/data/key", "key\n");
  const std::string net = folder.file("own/data/net"), key = folder.file("own/data/key");
  fs::create_directory(folder / "own/data/scratch");
  // The engine itself lies in a hidden folder; so does what it is to write into.
  const std::string scratch = folder.file("own/data/scratch"), written = scratch + "/new";
  const Sandbox sandbox{.readable = {net}, .hidden = {folder.file("own")}, .scratch = scratch};
  EXPECT_EQ(says("cat " + net + " || echo refused", sandbox), "net");
  EXPECT_EQ(size_seen(key, sandbox), unseen());
  EXPECT_EQ(says("(echo x > " + written + ") 2>/dev/null; cat " + written + " || echo refused", sandbox), "x");
  EXPECT_EQ(folder.read("own/data/scratch/new"), "x\n");
  // What is named wins.
  EXPECT_EQ(says("cat " + net + " || echo refused", {.readable = {net}, .hidden = {net}}), "net");
}

TEST_F(UnseenFolder, StaysTheServersOwn) {
  test::Talk talk(command("echo begun\nread line\necho ended"),
                  {.sandbox = Sandbox{.hidden = {folder.file("other"), folder.file("own/book")}}});
  ASSERT_EQ(talk.next(), "begun");
  folder.write("other/later", "later\n");
  fs::rename(folder.file("own/book"), folder.file("own/book.old"));
  fs::remove_all(folder / "other");
  EXPECT_FALSE(fs::exists(folder / "other"));
  talk.say("go on");
  EXPECT_EQ(talk.next(), "ended");
}

TEST(SandboxSupport, IsWholeWhereNothingIsMissing) {
  const SandboxSupport all{.landlock = 3, .seccomp = true, .namespaces = true, .mounts = true};
  EXPECT_TRUE(all.whole());
  EXPECT_THAT(all.missing(), ::testing::IsEmpty());
  for (const auto without : {&SandboxSupport::seccomp, &SandboxSupport::namespaces, &SandboxSupport::mounts}) {
    SandboxSupport some = all;
    some.*without = false;
    EXPECT_FALSE(some.whole());
    EXPECT_THAT(some.missing(), ::testing::SizeIs(1));
  }
}

TEST_F(SandboxedScript, WritesIntoItsScratchFolderAlone) {
  if (sandbox_support().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string other = folder.file("other");
  const std::string script = "(echo x > " + other + "/new) 2>/dev/null && cat " + other + "/new || echo refused";
  EXPECT_EQ(says(script, {.scratch = other}), "x");
  fs::remove(other + "/new");
  EXPECT_EQ(says(script, {.readable = {other}}), "refused");
  EXPECT_FALSE(fs::exists(other + "/new"));
}

TEST_F(SandboxedScript, E3_EatsNoMoreMemoryWithAllItsProcessesThanItMay) {
  // A last command would take the place of its shell, and what the shell holds would go. Each is far below the limit.
  std::string script;
  for (int i = 0; i < 6; ++i) script += "(x=$(yes aaaaaaa | head -c 30000000); sleep 1000; :) & ";
  EXPECT_EQ(says(script + "sleep 1000", {.memory_bytes = 150u << 20}), "closed: more than 150 MiB of memory");
}

}  // namespace
}  // namespace fuhyo::usi
