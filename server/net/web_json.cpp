#include "server/net/web_json.h"

#include <algorithm>
#include <openssl/crypto.h>
#include <ranges>

#include <boost/json.hpp>

#include "server/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 4;

json::array strings(const std::vector<std::string>& list) {
  json::array array;
  for (const std::string& text : list) array.emplace_back(clean(text));
  return array;
}

// An object whose texts are wiped when it goes: one of them may be a password.
class Wiped {
 public:
  explicit Wiped(std::string_view text) {
    json::parse_options options;
    options.max_depth = kMaxDepth;
    boost::system::error_code error;
    value_ = json::parse(text, error, {}, options);
    if (error) value_ = nullptr;
  }
  ~Wiped() {
    if (!value_.is_object()) return;
    for (auto& [key, value] : value_.get_object()) {
      if (auto* text = value.if_string()) OPENSSL_cleanse(text->data(), text->size());
    }
  }
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;

  bool is_object() const { return value_.is_object(); }
  // False: the key is there, and is of another kind. `out` is left alone where there is no key.
  bool read(std::string_view key, std::string_view& out) const {
    const json::value* found = find(key);
    if (found == nullptr) return true;
    if (!found->is_string()) return false;
    out = {found->get_string().data(), found->get_string().size()};
    return true;
  }
  bool read(std::string_view key, std::size_t& out) const {
    const json::value* found = find(key);
    if (found == nullptr) return true;
    if (!found->is_int64() || found->get_int64() < 0) return false;
    out = static_cast<std::size_t>(found->get_int64());
    return true;
  }
  bool read(std::string_view key, bool& out) const {
    const json::value* found = find(key);
    if (found == nullptr) return true;
    if (!found->is_bool()) return false;
    out = found->get_bool();
    return true;
  }

 private:
  const json::value* find(std::string_view key) const {
    return value_.get_object().if_contains(json::string_view(key.data(), key.size()));
  }

  json::value value_;
};

bool holds(const std::vector<std::string>& row, std::string_view search) {
  constexpr auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::any_of(
      row, [&](const std::string& cell) { return !std::ranges::search(cell, search, {}, lower, lower).empty(); });
}

}  // namespace

std::optional<Shown> read_shown(std::string_view text) {
  const Wiped object(text);
  std::string_view name, password, code;
  if (!object.is_object() || !object.read("name", name) || !object.read("password", password) ||
      !object.read("code", code)) {
    return std::nullopt;
  }
  return Shown{.name = std::string(name), .password = csa::Secret(password), .code = std::string(code)};
}

std::optional<CommandBody> read_command(std::string_view text) {
  const Wiped object(text);
  std::string_view command, reason, search;
  RowsWanted rows;
  if (!object.is_object() || !object.read("command", command) || !object.read("reason", reason) || command.empty() ||
      !object.read("search", search) || !object.read("last_first", rows.last_first) ||
      !object.read("offset", rows.offset) || !object.read("limit", rows.limit) || rows.limit > kMostRowsWanted) {
    return std::nullopt;
  }
  rows.search = search;
  std::string line(command);
  if (!reason.empty()) line.append(" ").append(reason);
  return CommandBody{.line = std::move(line), .rows = std::move(rows)};
}

std::string session_json(const SessionView& view) {
  return json::serialize(json::object{{"name", clean(view.session.name)},
                                      {"role", clean(core::to_string(view.session.role))},
                                      {"csrf", view.csrf},
                                      {"confirmed", view.confirmed},
                                      {"idle_s", view.idle_s},
                                      {"ends_s", view.ends_s}});
}

std::string sessions_json(const std::vector<WebSession>& list, const WebSession& own, core::Instant now) {
  json::array sessions;
  for (const WebSession& session : list) {
    sessions.emplace_back(json::object{{"address", clean(session.address)},
                                       {"since_s", (now - session.since) / core::kSecond},
                                       {"used_s", (now - session.used) / core::kSecond},
                                       {"current", session.number == own.number}});
  }
  return json::serialize(json::object{{"sessions", std::move(sessions)}});
}

std::string admin_result_json(const core::AdminResult& result, const RowsWanted& wanted) {
  std::vector<const std::vector<std::string>*> found;
  for (const auto& row : result.rows) {
    if (wanted.search.empty() || holds(row, wanted.search)) found.push_back(&row);
  }
  if (wanted.last_first) std::ranges::reverse(found);
  const std::size_t limit = wanted.limit == 0 ? std::max<std::size_t>(found.size(), 1) : wanted.limit;
  const std::size_t offset = found.empty() ? 0 : std::min(wanted.offset, (found.size() - 1) / limit * limit);
  json::array rows;
  for (const auto* row : found | std::views::drop(offset) | std::views::take(limit)) rows.emplace_back(strings(*row));
  return json::serialize(json::object{{"ok", result.ok},
                                      {"text", clean(result.text)},
                                      {"columns", strings(result.columns)},
                                      {"rows", std::move(rows)},
                                      {"offset", offset},
                                      {"total", found.size()}});
}

std::string error_json(std::string_view why, std::string_view flag) {
  json::object error{{"error", clean(why)}};
  if (!flag.empty()) error[flag] = true;
  return json::serialize(error);
}

std::string needs_code_json() { return error_json("the code of the second factor is wanted", "needs_code"); }

std::string confirm_json() {
  return error_json("show the password once more: POST /api/v1/session/confirm", "confirm");
}

}  // namespace fuhyo::net
