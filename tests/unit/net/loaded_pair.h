// A key and a certificate of today, as the listeners take them.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "server/net/tls_pair.h"
#include "tests/support/certificates.h"

namespace fuhyo::net {

inline std::int64_t wall_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

inline std::shared_ptr<const TlsPair> loaded_pair(const std::filesystem::path& folder, const std::string& name) {
  const auto files = test::write_pair(folder, name);
  return TlsPair::load(files.certificate, files.key, wall_us()).value();
}

}  // namespace fuhyo::net
