// How long HTTP caches may keep an answer (docs/operations/caches.md). What says nothing of it is kept by nobody.
#pragma once

#include <string_view>

namespace fuhyo::net {

// What changes: browsers ask again each time; a shared cache asks once a second, however many ask it.
inline constexpr std::string_view kCachedForAMoment = "public, max-age=0, s-maxage=1";
// A game that is over, in the words of this version.
inline constexpr std::string_view kCachedForADay = "public, max-age=0, s-maxage=86400";
// Its record and its pictures, and files whose names change with their content.
inline constexpr std::string_view kCachedForEver = "public, max-age=31536000, immutable";

}  // namespace fuhyo::net
