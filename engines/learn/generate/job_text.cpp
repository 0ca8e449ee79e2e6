#include "engines/learn/generate/job_text.h"

#include <fmt/format.h>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {

namespace {

using Failure = std::unexpected<std::string>;

}  // namespace

std::expected<std::string, std::string> file_print(const std::string& file) {
  if (file.empty()) return std::string();
  const auto bytes = read_file(file);
  if (!bytes) return bytes;
  if (bytes->empty()) return Failure(fmt::format("{}: there is nothing in it", file));
  jobs::Fingerprint print;
  print.add(*bytes);
  return print.text();
}

std::expected<boost::json::object, std::string> parse_job_object(std::string_view text, std::string_view mark) {
  boost::system::error_code error;
  boost::json::value parsed = boost::json::parse(text, error);
  if (error || !parsed.is_object()) return Failure("this is no JSON object");
  const boost::json::value* version = parsed.get_object().if_contains(mark);
  if (version == nullptr || *version != 1) return Failure("this is nothing that this program can work on");
  return std::move(parsed.get_object());
}

}  // namespace fuhyo::learn
