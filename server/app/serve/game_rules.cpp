#include "server/app/serve/game_rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "server/app/serve/host_facts.h"
#include "server/secrets/keyed_hash.h"
#include "server/secrets/totp.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kTrip = 10;  // characters: 60 bits

// The secret of one-time codes is made of the key and is stored nowhere: with another number it is another one.
std::string code_secret(std::string_view key, std::string_view name, std::int64_t generation) {
  return secrets::keyed_base32(key, fmt::format("code\n{}\n{}", name, generation));
}

// `issuer`: what an authenticator shows beside the name.
core::SecretRules secret_rules(const std::string& key, const std::string& issuer) {
  core::SecretRules rules;
  rules.keyed = [key](std::string_view purpose, std::string_view text) {
    return secrets::keyed_token(key, fmt::format("{}\n{}", purpose, text));
  };
  rules.legacy = md5_hex;
  rules.code_address = [key, issuer](std::string_view name, std::int64_t generation) {
    return secrets::totp_uri(code_secret(key, name, generation), issuer, name);
  };
  rules.code_step = [key](std::string_view name, std::int64_t generation, std::string_view code, core::Wall now) {
    return secrets::check_totp(code_secret(key, name, generation), code, now.us / core::kSecond, secrets::kNoTotpStep);
  };
  return rules;
}

// What is shown behind a name with a trip.
std::string keyed_trip(std::string_view key, std::string_view trip) {
  return secrets::keyed_token(key, fmt::format("trip\n{}", trip)).substr(0, kTrip);
}

}  // namespace

core::Rules game_rules(const ServeConfig& config, const Keys& keys) {
  core::Rules rules;
  rules.event = config.event;
  rules.max_moves = config.max_moves;
  rules.max_identifier = static_cast<std::size_t>(config.max_identifier);
  rules.least_time_per_move_s = config.least_time_per_move_s;
  rules.zone = local_time_zone(wall_now());
  rules.seed = random_seed();
  rules.exempt = is_listed_in(config.exempt);
  for (const Operator& post : config.operators) rules.operators.emplace(post.name, post.role);
  rules.operator_secret = [posts = config.operators](std::string_view name, std::string_view secret) {
    return std::ranges::any_of(posts,
                               [&](const Operator& post) { return post.name == name && is_secret(post, secret); });
  };
  rules.admin_address = is_listed_in(config.admin_networks);
  rules.trip_hash = [key = keys.secrets, md5 = config.md5_trips](std::string_view trip) {
    return md5 ? md5_hex(trip) : keyed_trip(key, trip);
  };
  rules.accounts = config.accounts;
  rules.entry = config.entry;
  rules.delays = config.spectator_delay;
  rules.comments = config.spectator_comments;
  for (const std::string& name : config.reserved_names) rules.reserved.insert(core::name_key(name));
  rules.takeover = config.takeover;
  rules.secrets = secret_rules(keys.secrets, config.event);
  rules.key_fingerprint = key_fingerprint(keys.secrets);
  rules.resume = config.resume;
  rules.grace_s = config.loss_grace_s;
  rules.resume_window_us = config.resume_window_s * core::kSecond;
  rules.times_as_played = config.times_as_played;
  if (!keys.reconnect.empty()) {
    rules.reconnect_token = [secret = keys.reconnect](std::string_view game_id, std::string_view name) {
      return secrets::keyed_hash(secret, fmt::format("{}\n{}", game_id, name));
    };
  }
  return rules;
}

}  // namespace fuhyo::app
