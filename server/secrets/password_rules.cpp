#include "server/secrets/password_rules.h"

#include <algorithm>
#include <common_passwords.h>
#include <fmt/format.h>
#include <vector>
#include <zxcvbn.h>

#include "server/secrets/password.h"

namespace fuhyo::secrets {
namespace {

// A million guesses: what zxcvbn's authors give as the least against somebody who has to ask the server.
constexpr double kLeastBits = 20;
// Shorter names are in half of all words.
constexpr std::size_t kTellingName = 3;  // characters
// What is behind them makes no password weaker, and the estimate takes time.
constexpr std::size_t kEstimated = 128;  // bytes

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

// In the order of their bytes, as they were written.
const std::vector<std::string_view>& common_passwords() {
  static const std::vector<std::string_view> list = [] {
    std::vector<std::string_view> words;
    for (std::string_view rest = kCommonPasswords; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      words.push_back(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    return words;
  }();
  return list;
}

// Of the part before a NUL, as the library reads it. Names are worth next to nothing, however short they are.
double estimated_bits(std::string_view text, std::string_view name, std::span<const std::string> servers) {
  const std::string start(text.substr(0, kEstimated)), own(name);
  std::vector<const char*> words{own.c_str(), "shogi", "floodgate"};
  for (const std::string& server : servers) words.push_back(server.c_str());
  words.push_back(nullptr);
  return ZxcvbnMatch(start.c_str(), words.data(), nullptr);
}

}  // namespace

std::optional<std::string> why_no_password(std::string_view text, std::string_view name,
                                           std::span<const std::string> servers) {
  if (characters(text) < kLeastPassword || text.size() > kMaxPassword) {
    return fmt::format("a password has {} characters at least, and {} bytes at most", kLeastPassword, kMaxPassword);
  }
  const std::string lowered = lower(text);
  const auto holds = [&](std::string_view word) {
    return word.size() >= kTellingName && lowered.find(lower(word)) != std::string::npos;
  };
  if (holds(name)) return "a password does not hold the name that it is for";
  if (std::ranges::any_of(servers, holds)) return "a password does not hold the name of the server";
  if (std::ranges::binary_search(common_passwords(), std::string_view(lowered))) {
    return "it is one of the most common passwords";
  }
  if (estimated_bits(text, name, servers) < kLeastBits) {
    return "that password is easy to guess; take more words, or rarer ones";
  }
  return std::nullopt;
}

}  // namespace fuhyo::secrets
