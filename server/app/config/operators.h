// Operators as the configuration names them, and their secrets: random words that are kept only as salted SHA-256.
// (A slow hash would protect words that people choose; these have 192 random bits.) Any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/core/admin/verbs.h"

namespace fuhyo::app {

struct Operator {
  std::string name;
  core::Role role = core::Role::host;
  std::string secret_hash;  // "<salt>:<SHA-256 of salt and secret>", hexadecimal
};

// "name=aki role=admin secret_hash=<32 digits>:<64 digits>", in any order.
std::expected<Operator, std::string> parse_operator(std::string_view line);

// An operator with a secret of his own, which is kept nowhere.
struct NewOperator {
  Operator post;
  std::string secret;
};
NewOperator make_operator(std::string name, core::Role role);
std::string hash_secret(std::string_view secret);  // with a salt of its own
bool is_secret_hash(std::string_view text);        // it looks like one
// In a time that does not depend on the secret.
bool is_secret(std::string_view secret_hash, std::string_view secret);
inline bool is_secret(const Operator& post, std::string_view secret) { return is_secret(post.secret_hash, secret); }

// The lines to paste into the configuration file.
std::string operator_toml(const Operator& post);

}  // namespace fuhyo::app
