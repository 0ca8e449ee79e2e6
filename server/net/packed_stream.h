// The stream of events as one gzip member that never ends (RFC 1952): what is large is compressed by itself, what is
// small stands as it is. So nothing has to be kept for each of thousands of readers, and all of them share the bytes of
// an event, while a snapshot of many games has a fifth of its size. Pure; any thread. Private to this room.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::net {

std::string_view packed_begin();
// Can be read at once, whatever follows.
std::string packed(std::string_view text);

}  // namespace fuhyo::net
