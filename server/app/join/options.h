// What `fuhyo join` was asked for, checked. Values only.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/host/bridge.h"

namespace fuhyo::app {

struct JoinOptions {
  std::string host;
  std::string port;
  std::vector<std::string> engine;  // program and arguments
  bool show_engine_stderr = false;
  bool relogin = true;
  bool verbose = false;  // every line of both sides to stderr
  bool tls = false;
  std::string tls_ca;       // PEM file of the authorities to believe; empty: those of this machine
  bool insecure = false;    // believes anybody
  std::string fingerprint;  // SHA-256 of the one certificate to believe, 64 hex digits; empty: as the above say
  host::Bridge::Config bridge;
};

// "HOST:PORT", "[::1]:4081", or a host alone (port 4081). `flag` stands in the error.
std::expected<std::pair<std::string, std::string>, std::string> split_server(std::string_view text,
                                                                             std::string_view flag = "--server");

// "Name=Value".
std::expected<std::pair<std::string, std::string>, std::string> split_option(std::string_view text);

// The environment variable that a password may stand in instead of a flag, which other users see in the list of
// processes.
inline constexpr const char* kPasswordVariable = "FUHYO_JOIN_PASSWORD";
// The first line of the file. An error says why there is none.
std::expected<std::string, std::string> password_in(const std::string& file);

// "AB:CD:..." or "abcd...", 32 bytes: 64 small hex digits.
std::expected<std::string, std::string> parse_fingerprint(std::string_view text);

// In CSA mode the password carries the game: "floodgate-300-10F", turn '+' and password "x" make
// "floodgate-300-10F-B,x". Without a game the password is sent as it is.
std::string csa_password(std::string_view game, char turn, std::string_view password);

}  // namespace fuhyo::app
