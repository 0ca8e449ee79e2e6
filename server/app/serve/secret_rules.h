// The SecretRules of the core, with the key of this server (DATA/secret.key). Only with both the key and the store can
// somebody guess secrets. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "server/core/server.h"

namespace fuhyo::app {

// `issuer`: what an authenticator shows beside the name.
core::SecretRules secret_rules(const std::string& key, const std::string& issuer);

// What is shown behind a name with a trip: ten characters.
std::string keyed_trip(std::string_view key, std::string_view trip);

}  // namespace fuhyo::app
