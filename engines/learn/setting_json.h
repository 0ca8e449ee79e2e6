// A visitor of fields() (engines/learn/setting.h): writes all members of an object, in its order. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <boost/json.hpp>

#include "engines/learn/setting.h"

namespace fuhyo::learn {

enum class JsonKeys : std::uint8_t { camel_case, as_named };  // drawAtPly, or draw_at_ply

class JsonWriter {
 public:
  static constexpr bool kReads = false;

  explicit JsonWriter(boost::json::object& object, JsonKeys keys = JsonKeys::camel_case)
      : object_(object), keys_(keys) {}

  template <class T>
  void operator()(const T& value, const Setting& setting) {
    const bool as_named = keys_ == JsonKeys::as_named && setting.json.empty();
    boost::json::value& to = object_[as_named ? std::string(setting.name) : setting.json_key()];
    if constexpr (std::is_enum_v<T>) {
      to = name_of(value);
    } else {
      to = value;
    }
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (setting.name == "seed") to = std::to_string(value);  // 64 bits do not fit into the numbers of JSON
    }
  }

 private:
  boost::json::object& object_;
  JsonKeys keys_;
};

}  // namespace fuhyo::learn
