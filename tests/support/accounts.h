// A virtual server with accounts: keys that are none, and what logging in under it takes.
#pragma once

#include <algorithm>
#include <fmt/format.h>

#include "tests/support/virtual_server.h"

namespace fuhyo::test {

// 32 characters that depend on all of both. Any pure function will do where nobody attacks it.
inline std::string fake_keyed_hash(std::string_view purpose, std::string_view text) {
  std::uint64_t a = 14695981039346656037u, b = 1099511628211u;
  for (const char c : fmt::format("{}\n{}", purpose, text)) {
    a = (a ^ static_cast<unsigned char>(c)) * 1099511628211u;
    b = (b + static_cast<unsigned char>(c)) * 6364136223846793005u + a;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

inline std::string legacy_hash(std::string_view text) { return fake_keyed_hash("legacy", text); }

// The one-time code of a half minute: its number, in six digits.
inline std::string code_of(std::int64_t step) { return fmt::format("{:06}", step % 1'000'000); }

inline core::Rules account_rules(core::AccountPolicy policy = core::AccountPolicy::open) {
  core::Rules rules = test_rules();
  rules.accounts = policy;
  rules.takeover = true;
  rules.secrets.keyed = fake_keyed_hash;
  rules.secrets.legacy = legacy_hash;
  rules.secrets.code_address = [](std::string_view name, std::int64_t generation) {
    return fmt::format("otpauth://totp/{}?secret={}", name, generation);
  };
  rules.secrets.code_step = [](std::string_view, std::int64_t, std::string_view code,
                               core::Wall now) -> std::optional<std::int64_t> {
    const std::int64_t step = now.us / core::kSecond / 30;
    for (const std::int64_t near : {step - 1, step, step + 1}) {
      if (code == code_of(near)) return near;
    }
    return std::nullopt;
  };
  return rules;
}

// What a LOGIN is answered by within the time that a refusal takes.
inline std::vector<std::string> log_in_with(VirtualServer& server, const std::string& client, const std::string& line,
                                            std::string_view address = "192.0.2.1") {
  server.open(client, "main", address);
  if (!server.is_open(client)) return server.heard(client);
  server.say(client, line);
  std::vector<std::string> heard = server.heard(client);
  if (!heard.empty()) return heard;
  server.advance(1000);
  return server.heard(client);
}
inline std::vector<std::string> log_in(VirtualServer& server, const std::string& client, const std::string& name,
                                       const std::string& secret, std::string_view address = "192.0.2.1") {
  return log_in_with(server, client, fmt::format("LOGIN {} {} x1", name, secret), address);
}
inline std::vector<std::string> log_in_csa(VirtualServer& server, const std::string& client, const std::string& name,
                                           const std::string& password, std::string_view address = "192.0.2.1") {
  return log_in_with(server, client, fmt::format("LOGIN {} {}", name, password), address);
}

// The secret in the table of an answer.
inline std::string issued(const core::AdminResult& result) {
  return result.rows.size() == 1 && result.rows[0].size() == 3 ? result.rows[0][2] : result.text;
}

// As the journal has it last.
inline const core::AccountSet* account(const VirtualServer& server, std::string_view name) {
  const core::AccountSet* found = nullptr;
  for (const auto& row : server.journal()) {
    if (const auto* set = std::get_if<core::AccountSet>(&row.fact); set != nullptr && set->name == name) found = set;
  }
  return found;
}

}  // namespace fuhyo::test
