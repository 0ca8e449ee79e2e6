#include "server/net/web_sessions.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::net {
namespace {

// No id is longer; what is would only cost time to hash.
constexpr std::size_t kMaxId = 64;

}  // namespace

WebSessions::WebSessions(const WebSessionLimits& limits, Secrets secrets)
    : limits_(limits), secrets_(std::move(secrets)) {}

bool WebSessions::over(const WebSession& session, core::Instant now) const {
  return now - session.used >= limits_.idle_us || now - session.since >= limits_.whole_us;
}

void WebSessions::sweep(core::Instant now) {
  std::erase_if(sessions_, [&](const auto& entry) { return over(entry.second, now); });
}

void WebSessions::make_room_for(std::string_view name) {
  auto oldest = sessions_.end();
  std::size_t count = 0;
  for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
    if (it->second.name != name) continue;
    ++count;
    if (oldest == sessions_.end() || it->second.used < oldest->second.used) oldest = it;
  }
  if (count >= limits_.per_name) sessions_.erase(oldest);
}

std::optional<std::string> WebSessions::open(std::string name, core::Role role, std::string address,
                                             core::Instant now) {
  sweep(now);
  make_room_for(name);
  if (sessions_.size() >= limits_.sessions) return std::nullopt;
  std::string id = secrets_.random_id();
  sessions_.insert_or_assign(secrets_.keyed_hash(id), WebSession{.number = ++opened_,
                                                                 .name = std::move(name),
                                                                 .role = role,
                                                                 .address = std::move(address),
                                                                 .since = now,
                                                                 .used = now,
                                                                 .confirmed = now});
  return id;
}

const WebSession* WebSessions::look(std::string_view id, core::Instant now) {
  if (id.empty() || id.size() > kMaxId) return nullptr;
  const auto found = sessions_.find(secrets_.keyed_hash(id));
  if (found == sessions_.end()) return nullptr;
  if (!over(found->second, now)) return &found->second;
  sessions_.erase(found);
  return nullptr;
}

WebSession* WebSessions::touch(std::string_view id, core::Instant now) {
  if (look(id, now) == nullptr) return nullptr;
  WebSession& session = sessions_.find(secrets_.keyed_hash(id))->second;
  session.used = now;
  return &session;
}

std::string WebSessions::csrf_of(std::string_view id) const { return secrets_.keyed_hash(fmt::format("csrf {}", id)); }

bool WebSessions::is_confirmed(const WebSession& session, core::Instant now) const {
  return now - session.confirmed < limits_.confirmed_us;
}

std::int64_t WebSessions::idle_end_us(const WebSession& session, core::Instant now) const {
  return std::min(limits_.idle_us - (now - session.used), whole_end_us(session, now));
}

std::int64_t WebSessions::whole_end_us(const WebSession& session, core::Instant now) const {
  return limits_.whole_us - (now - session.since);
}

bool WebSessions::close(std::string_view id) {
  return id.size() <= kMaxId && sessions_.erase(secrets_.keyed_hash(id)) > 0;
}

std::size_t WebSessions::close_all_of(std::string_view name) {
  return std::erase_if(sessions_, [&](const auto& entry) { return entry.second.name == name; });
}

std::vector<WebSession> WebSessions::of(std::string_view name, core::Instant now) {
  sweep(now);
  std::vector<WebSession> list;
  for (const auto& [hash, session] : sessions_) {
    if (name.empty() || session.name == name) list.push_back(session);
  }
  std::ranges::sort(list, {}, &WebSession::number);
  return list;
}

}  // namespace fuhyo::net
