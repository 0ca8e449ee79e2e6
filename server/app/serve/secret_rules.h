// What the core wants done with secrets, done with the key of this server (DATA/secret.key). Whoever has the key and
// the store can try words against both; whoever has one of them cannot. Any thread.
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
