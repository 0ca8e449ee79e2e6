// A row of the journal as a store might give it back: kind, version, payload. It is decoded or refused, and what was
// decoded survives being encoded again.

#include "server/core/facts.h"
#include "tests/fuzz/fuzz.h"

namespace core = fuhyo::core;
using fuhyo::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto kind = static_cast<std::uint16_t>(data[0] - '0');  // the corpus is text
  const auto version = static_cast<std::uint16_t>(data[1] - '0');
  const auto fact = core::decode(kind, version, fuhyo::fuzz::text(data + 2, size - 2));
  if (!fact) {
    require(!fact.error().empty(), "a refusal says why");
    return 0;
  }
  const core::EncodedFact encoded = core::encode(*fact);
  const auto again = core::decode(encoded.kind, encoded.version, encoded.payload);
  require(again.has_value() && *again == *fact, "a fact survives being stored");
  return 0;
}
