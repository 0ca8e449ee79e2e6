// The address of a PostgreSQL database: what may be shown of it, and what must not. Values.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace fuhyo::store {

class PostgresAddress {
 public:
  // A URL as libpq reads it: postgres:// or postgresql://. The error never quotes it.
  static std::expected<PostgresAddress, std::string> parse(std::string_view url);

  const std::string& url() const { return url_; }
  // "postgres://user@host:5432/db": without a password and parameters.
  const std::string& shown() const { return shown_; }
  // The text with every password of the address blacked out.
  std::string without_secrets(std::string text) const;

 private:
  std::string url_, shown_, password_;
};

}  // namespace fuhyo::store
