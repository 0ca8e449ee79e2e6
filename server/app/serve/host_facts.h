// What the pure core needs to know of this machine: its time, its time zone, MD5, a secret of its own.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "server/core/server.h"

namespace fuhyo::app {

// Every change of the local zone (TZ or /etc/localtime) from `from` for about forty years.
core::TimeZone local_time_zone(core::Wall from);

// 32 hex digits of MD5, as shogi-server makes a player's id of his trip. It identifies, it does not protect.
std::string md5_hex(std::string_view text);

// Lets this process open as many files and sockets as it may. Returns how many.
std::size_t raise_descriptor_limit();

// Microseconds since 1970, as the clock of the machine says.
core::Wall wall_now();

// The secret in `file`, 64 hex digits; made, for the owner of the process alone, if there is none.
std::expected<std::string, std::string> secret_of(const std::filesystem::path& file);

// 32 hex digits that nobody can make who does not know the key (HMAC-SHA-256, cut).
std::string keyed_hash(std::string_view key, std::string_view text);

// A random number from the operating system.
std::uint64_t random_seed();

}  // namespace fuhyo::app
