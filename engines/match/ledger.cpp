#include "engines/match/ledger.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "engines/match/output/json.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;

struct Found {
  std::string terms;         // empty: the file holds nothing
  std::uintmax_t whole = 0;  // bytes up to the end of the last whole line
};

std::expected<Found, std::string> read(const std::string& path, const std::string& terms, const Ledger::Each& each) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Failure(fmt::format("{}: {}", path, std::strerror(errno)));
  Found found;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (in.eof()) break;  // without a line end: the program was killed while it wrote
    if (number == 1) {
      if (!terms.empty() && line != terms) {
        return Failure(fmt::format("{}: holds another match\n  there: {}\n  here:  {}", path, line, terms));
      }
      found.terms = line;
    } else {
      auto game = game_from_json(line);
      if (!game) return Failure(fmt::format("{}:{}: {}", path, number, game.error()));
      each(std::move(*game));
    }
    found.whole += line.size() + 1;
  }
  return found;
}

}  // namespace

std::expected<Ledger, std::string> Ledger::open(const std::string& path, const std::string& terms, const Each& each) {
  Ledger ledger;
  ledger.path_ = path;
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (!exists && terms.empty()) return Failure(fmt::format("{}: there is no such file", path));
  if (exists) {
    const auto found = read(path, terms, each);
    if (!found) return Failure(found.error());
    ledger.terms_ = found->terms;
    if (terms.empty()) return ledger;
    if (found->whole != std::filesystem::file_size(path, error)) {
      std::filesystem::resize_file(path, found->whole, error);
      if (error) return Failure(fmt::format("{}: {}", path, error.message()));
    }
  }
  ledger.file_.reset(std::fopen(path.c_str(), "ab"));
  if (!ledger.file_) return Failure(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!ledger.terms_.empty()) return ledger;
  ledger.terms_ = terms;
  const std::string line = terms + "\n";
  if (std::fwrite(line.data(), 1, line.size(), ledger.file_.get()) != line.size() ||
      std::fflush(ledger.file_.get()) != 0) {
    return Failure(fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return ledger;
}

std::expected<void, std::string> Ledger::append(const PlayedGame& game) {
  const std::string line = to_json(game) + "\n";
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() && std::fflush(file_.get()) == 0) return {};
  return Failure(fmt::format("{}: {}", path_, std::strerror(errno)));
}

}  // namespace fuhyo::match
