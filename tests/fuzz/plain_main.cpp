// Runs a fuzz target without libFuzzer: every file of the corpus, then so many mutations of them, always the same ones.
// An input that makes it fail is left in the working folder as NAME-failure.in.

#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 16 * 1024;

std::string current, failure;  // for the signal handler: an input, and the file that it is to be left in

void keep_current(int signal) {
  const int file = ::open(failure.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) ::close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(std::string input) {
  current = std::move(input);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

std::vector<std::string> read_corpus(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> inputs;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string next() {
    std::string input = corpus_[below(corpus_.size())];
    for (std::size_t times = 1 + below(4); times > 0; --times) change(input);
    input.resize(std::min(input.size(), kLongest));
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % std::max<std::size_t>(bound, 1); }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t count = below(std::min<std::size_t>(input.size() - at, 32) + 1);
    switch (below(6)) {
      case 0:
        input.erase(at, count);
        break;
      case 1:
        input.insert(at, input.substr(at, count));
        break;
      case 2:
        input.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 3:
        input.insert(at, std::to_string(random_() >> below(64)));
        break;
      case 4:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      default:
        splice(input, at);
        break;
    }
  }

  void splice(std::string& input, std::size_t at) {
    const std::string& other = corpus_[below(corpus_.size())];
    input.insert(at, other.substr(below(other.size() + 1), below(64)));
  }

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_{20261121};
};

}  // namespace

int main(int count, char** arguments) {
  int mutations = 0;
  if (count == 3) std::from_chars(arguments[2], arguments[2] + std::string_view(arguments[2]).size(), mutations);
  if (mutations <= 0) {
    fmt::print(stderr, "usage: {} CORPUS_FOLDER MUTATIONS\n", arguments[0]);
    return 64;
  }
  failure = fs::path(arguments[0]).filename().string() + "-failure.in";
  for (const int signal : {SIGABRT, SIGSEGV, SIGILL, SIGFPE, SIGBUS}) std::signal(signal, keep_current);
  const std::vector<std::string> corpus = read_corpus(arguments[1]);
  for (const std::string& input : corpus) run(input);
  Mutator mutator(corpus);
  for (int i = 0; i < mutations && !corpus.empty(); ++i) run(mutator.next());
  fmt::print("{} inputs and {} mutations\n", corpus.size(), mutations);
  return corpus.empty() ? 1 : 0;
}
