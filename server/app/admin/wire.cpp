#include "server/app/admin/wire.h"

#include <boost/json.hpp>

#include "server/net/feed_json.h"
#include "server/net/web_json.h"

namespace fuhyo::app {
namespace {

namespace json = boost::json;

using net::clean;

std::optional<json::object> object_of(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.as_object());
}

bool read_strings(const json::value* value, std::vector<std::string>& out) {
  if (value == nullptr || !value->is_array()) return false;
  for (const json::value& item : value->get_array()) {
    if (!item.is_string()) return false;
    out.emplace_back(item.get_string());
  }
  return true;
}

}  // namespace

std::string admin_request(std::string_view line) { return json::serialize(json::object{{"line", clean(line)}}); }

std::string admin_answer(const core::AdminResult& result) { return net::admin_result_json(result); }

std::optional<std::string> read_admin_request(std::string_view text) {
  const auto object = object_of(text);
  const json::value* line = object ? object->if_contains("line") : nullptr;
  if (line == nullptr || !line->is_string()) return std::nullopt;
  return std::string(line->get_string());
}

std::optional<core::AdminResult> read_admin_answer(std::string_view text) {
  const auto object = object_of(text);
  if (!object) return std::nullopt;
  const json::value *ok = object->if_contains("ok"), *words = object->if_contains("text");
  const json::value* rows = object->if_contains("rows");
  if (ok == nullptr || !ok->is_bool() || words == nullptr || !words->is_string()) return std::nullopt;
  core::AdminResult result{.ok = ok->get_bool(), .text = std::string(words->get_string()), .columns = {}, .rows = {}};
  if (!read_strings(object->if_contains("columns"), result.columns)) return std::nullopt;
  if (rows == nullptr || !rows->is_array()) return std::nullopt;
  for (const json::value& row : rows->get_array()) {
    if (!read_strings(&row, result.rows.emplace_back())) return std::nullopt;
  }
  return result;
}

}  // namespace fuhyo::app
