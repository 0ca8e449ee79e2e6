// The facts of who may log in, and of what operators did. Values; see facts.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core {

// Nobody may log in under the name until it is allowed again.
struct NameForbidden {
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const NameForbidden&) const = default;
};

struct NameAllowed {
  std::string name;
  std::string by;
  Wall at;
  bool operator==(const NameAllowed&) const = default;
};

// An act of an operator: the audit log.
struct AdminActed {
  std::string who;  // name of the operator, or the user of this machine
  std::string via;  // the address it came from, or "socket"
  std::string act;  // the command as given
  std::string why;  // empty where no reason was given
  std::string outcome;
  Wall at;
  std::string local_time;
  bool operator==(const AdminActed&) const = default;
};

enum class CredentialKind : std::uint8_t {
  token,     // random words that the server made: for programs
  password,  // of a person: for the web, and for the CSA port over TLS
  trip,      // the secret by which a name was claimed on the CSA port
  legacy     // what shogi-server's players.yaml has: MD5 of the trip; becomes a trip when it is used
};

std::string_view to_string(CredentialKind kind);

// A credential of an account: a hash, never the secret itself.
struct Credential {
  std::string id;  // "t4": names it when it is revoked
  CredentialKind kind{};
  std::string hash;   // keyed hash; of a password, Argon2id in its encoded form; legacy: 32 hexadecimal digits
  std::string label;  // of its owner's choice: "engine at home"
  Wall made;
  bool operator==(const Credential&) const = default;
};

// An account as it is from now on.
struct AccountSet {
  std::string name;
  std::string id;               // its games are archived under it: "name+0123456789"; stays when secrets change
  std::string role = "player";  // "host", "admin"
  std::vector<Credential> credentials;
  std::int64_t issued = 0;         // credentials that it has ever had
  std::int64_t second_factor = 0;  // number of its secret of one-time codes; 0: none
  std::string by, why;             // who changed it last
  Wall made, at;
  bool operator==(const AccountSet&) const = default;
};

struct AccountDeleted {
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const AccountDeleted&) const = default;
};

// The fingerprint of the key by which the secrets in this store are hashed.
struct KeyKept {
  std::string fingerprint;  // a keyed hash of a fixed text, never the key
  Wall at;
  bool operator==(const KeyKept&) const = default;
};

}  // namespace fuhyo::core
