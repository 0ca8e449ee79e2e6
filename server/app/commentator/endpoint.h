// One request to the endpoint of a persona, by HTTP/1.1, under TLS where its address says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "server/app/commentator/persona.h"

namespace fuhyo::app {

struct EndpointAnswer {
  unsigned status = 0;
  std::int64_t retry_after_s = 0;  // 0: it does not say
  std::string body;
};
constexpr std::size_t kMostAnswer = 256 * 1024;  // bytes of a body

// Returns when the answer is there, at the latest after the persona's patience, or soon after `gone` is true. An error
// says why there is none.
std::expected<EndpointAnswer, std::string> ask_endpoint(const Persona& persona, std::string_view body,
                                                        const std::atomic<bool>& gone);

}  // namespace fuhyo::app
