// Conversions by iconv, which is part of the C library.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iconv.h>

#include "engines/record/encoding_system.h"

namespace fuhyo::record {
namespace {

const char* iconv_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::shift_jis:
      return "CP932";
    case Encoding::euc_jp:
      return "EUC-JP";
    case Encoding::utf8:
      break;
  }
  return "UTF-8";
}

class Converter {
 public:
  Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
  ~Converter() {
    if (ok()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  bool ok() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  // What has no counterpart is skipped with `unit(rest)` bytes and becomes `substitute`.
  Converted convert(std::string_view in, std::string_view substitute, Unit unit) {
    Converted result;
    result.text.reserve(in.size() + in.size() / 2);
    char* source = const_cast<char*>(in.data());  // iconv's signature; it does not write there
    std::size_t left = in.size();
    std::array<char, 4096> buffer;
    while (left > 0) {
      char* target = buffer.data();
      std::size_t room = buffer.size();
      const std::size_t rc = iconv(handle_, &source, &left, &target, &room);
      result.text.append(buffer.data(), buffer.size() - room);
      if (rc != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
      const std::size_t skip = std::min(left, unit(std::string_view(source, left)));
      source += skip;
      left -= skip;
      result.text += substitute;
      ++result.bad;
    }
    return result;
  }

 private:
  iconv_t handle_;
};

}  // namespace

std::expected<Converted, std::string> convert_by_system(std::string_view text, Encoding to, Encoding from,
                                                        std::string_view substitute, Unit unit) {
  Converter converter(iconv_name(to), iconv_name(from));
  if (converter.ok()) return converter.convert(text, substitute, unit);
  return std::unexpected("this system cannot convert " + std::string(to_string(from)) + " to " +
                         std::string(to_string(to)) + ": " + std::strerror(errno));
}

}  // namespace fuhyo::record
