#include "engines/match/ledger.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <span>

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
  const auto failure = [&](std::string_view why) { return Failure(fmt::format("{}: {}", path, why)); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const bool exists = std::filesystem::exists(status);
  if (exists && !std::filesystem::is_regular_file(status)) return failure("this is no regular file");
  if (!exists && terms.empty()) return failure("there is no such file");
  if (!terms.empty()) {
    auto lock = jobs::FileLock::take(path);
    if (!lock) return failure(lock.error());
    ledger.lock_ = std::move(*lock);
  }
  const auto found = read(path, terms, each);
  if (!found) return Failure(found.error());
  ledger.terms_ = found->terms;
  if (terms.empty()) return ledger;
  if (found->whole != std::filesystem::file_size(path, error)) {
    std::filesystem::resize_file(path, found->whole, error);
    if (error) return failure(error.message());
  }
  auto opened = jobs::AppendFile::open(path);
  if (!opened) return failure(opened.error());
  ledger.file_ = *std::move(opened);
  if (!ledger.terms_.empty()) return ledger;
  ledger.terms_ = terms;
  if (auto begun = ledger.add_line(terms + "\n"); !begun) return Failure(begun.error());
  return ledger;
}

std::expected<void, std::string> Ledger::append(const PlayedGame& game) { return add_line(to_json(game) + "\n"); }

std::expected<void, std::string> Ledger::add_line(const std::string& line) {
  if (!failed_.empty()) return Failure(failed_);
  const auto added = file_.append(std::as_bytes(std::span(line)));
  if (!added) failed_ = fmt::format("{}: {}", path_, added.error());
  return added ? added : Failure(failed_);
}

}  // namespace fuhyo::match
