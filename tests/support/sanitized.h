// Whether the tests are watched by a sanitizer. It watches what code does to memory and between threads, and has seen
// that after some rounds: repetitions that only refine a statistic or try every single point are left to other builds.
#pragma once

#include <cstdint>

namespace fuhyo::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FUHYO_SANITIZED 1
#endif
#endif
#ifdef FUHYO_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// For loops over all points at which something may go wrong: each of them, or one in `few` under a sanitizer.
constexpr std::uint64_t every(std::uint64_t few) { return kSanitized ? few : 1; }

}  // namespace fuhyo::test

#undef FUHYO_SANITIZED
