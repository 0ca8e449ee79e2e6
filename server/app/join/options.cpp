#include "server/app/join/options.h"

#include "engines/shogi/number.h"
#include "server/app/serve/small_file.h"

namespace fuhyo::app {
namespace {

constexpr std::string_view kDefaultPort = "4081";

bool is_port(std::string_view text) {
  const auto port = shogi::number_of<unsigned>(text);
  return port && *port >= 1 && *port <= 65'535;
}

}  // namespace

std::expected<std::pair<std::string, std::string>, std::string> split_server(std::string_view text,
                                                                             std::string_view flag) {
  std::string_view name = text, port = kDefaultPort;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos)
      return std::unexpected(std::string(flag) + " " + std::string(text) + ": ']' is missing");
    name = text.substr(1, close - 1);
    if (const std::string_view rest = text.substr(close + 1); rest.starts_with(':')) port = rest.substr(1);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    // More than one colon without brackets is an IPv6 address without a port.
    if (text.find(':', colon + 1) == std::string_view::npos) {
      name = text.substr(0, colon);
      port = text.substr(colon + 1);
    }
  }
  if (name.empty()) return std::unexpected(std::string(flag) + " " + std::string(text) + ": the host is missing");
  if (!is_port(port))
    return std::unexpected(std::string(flag) + " " + std::string(text) + ": '" + std::string(port) + "' is no port");
  return std::pair(std::string(name), std::string(port));
}

std::expected<std::pair<std::string, std::string>, std::string> split_option(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    return std::unexpected("--option " + std::string(text) + ": Name=Value expected");
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

std::expected<std::string, std::string> parse_fingerprint(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  std::string digits;
  for (const char c : text) {
    if (c == ':') continue;
    digits += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const bool hex = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hex && digits.size() == kDigits) return digits;
  return std::unexpected("--fingerprint: the SHA-256 of a certificate expected, 64 hexadecimal digits");
}

std::expected<std::string, std::string> password_in(const std::string& file) {
  constexpr std::size_t kMost = 64 * 1024;
  const auto text = read_host_file(file, kMost);
  if (!text) return std::unexpected(text.error());
  std::string line = text->substr(0, text->find('\n'));
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) return std::unexpected("its first line is empty");
  return line;
}

std::string csa_password(std::string_view game, char turn, std::string_view password) {
  if (game.empty()) return std::string(password);
  std::string out(game);
  if (turn == '+') out += "-B";
  if (turn == '-') out += "-W";
  return out + "," + std::string(password);
}

}  // namespace fuhyo::app
