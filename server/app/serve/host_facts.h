// What the pure core needs to know of this machine: its time, its time zone, MD5.
#pragma once

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

// A random number from the operating system.
std::uint64_t random_seed();

}  // namespace fuhyo::app
