#include "server/app/commentator/persona.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/machine/toml_table.h"
#include "server/app/join/options.h"
#include "server/app/serve/small_file.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024, kLongestText = 4'000, kLongestName = 60;

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

// "https://HOST:PORT/v1", to which the path of the one call is added.
std::string take_url(std::string_view url, Persona& persona) {
  constexpr std::string_view kWanted = "http://HOST:PORT/v1 or https://HOST/v1";
  persona.tls = url.starts_with("https://");
  if (!is_plain(url) || !(persona.tls || url.starts_with("http://"))) return std::string(kWanted);
  url.remove_prefix(persona.tls ? 8 : 7);
  const std::size_t slash = std::min(url.find('/'), url.size());
  std::string_view host = url.substr(0, slash), path = url.substr(slash);
  if (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t bracket = host.find(']');  // of "[::1]:8080"
  const std::size_t colon = host.find(':', bracket == host.npos ? 0 : bracket);
  persona.port = colon == host.npos ? (persona.tls ? "443" : "80") : std::string(host.substr(colon + 1));
  persona.host = host.substr(0, colon);
  if (persona.host.starts_with('[')) persona.host = persona.host.substr(1, persona.host.size() - 2);
  persona.path = fmt::format("{}/chat/completions", path);
  const bool digits = std::ranges::all_of(persona.port, [](char c) { return c >= '0' && c <= '9'; });
  return persona.host.empty() || persona.port.empty() || !digits ? std::string(kWanted) : std::string();
}

void take_text(machine::TomlTable& table, std::string_view key, std::string& to, std::size_t most) {
  table.word(key, [&](const std::string& text) {
    to = text;
    return text.size() > most ? fmt::format("at most {} bytes", most) : std::string();
  });
}

std::string take_language(const std::string& word, Persona& persona) {
  persona.english = word == "en";
  return word == "ja" || word == "en" ? "" : "ja or en";
}

std::string take_key(const std::filesystem::path& file, const std::string& name, Persona& persona) {
  if (name.empty()) return {};
  auto key = password_in(name);
  if (key && !is_plain(*key)) key = std::unexpected("its first line is no key");
  if (!key) return fmt::format("{}: key-file {}: {}", file.string(), name, key.error());
  persona.key = std::move(*key);
  return {};
}

}  // namespace

std::expected<Persona, std::string> read_persona(const std::filesystem::path& file) {
  const auto text = read_host_file(file, kMostBytes);
  if (!text) return std::unexpected(fmt::format("{}: {}", file.string(), text.error()));
  const auto parsed = machine::parse_toml(*text, file);
  if (!parsed) return std::unexpected(parsed.error());
  Persona persona;
  std::string wrong, key_file;
  machine::TomlTable table(*parsed, "", file, wrong);
  take_text(table, "name", persona.name, kLongestName);
  if (std::ranges::any_of(persona.name, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    table.complain("name: a line of text");
  }
  take_text(table, "character", persona.character, kLongestText);
  take_text(table, "speech", persona.speech, kLongestText);
  take_text(table, "never", persona.never, kLongestText);
  table.word("language", [&](const std::string& word) { return take_language(word, persona); });
  table.word("url", [&](const std::string& url) { return take_url(url, persona); });
  take_text(table, "model", persona.model, kLongestText);
  table.path("key-file", key_file);
  table.path("ca-file", persona.ca_file);
  table.flag("stream", persona.stream);
  int patience_s = static_cast<int>(persona.patience.count());
  table.integer("timeout", patience_s, 1, 300);
  persona.patience = std::chrono::seconds(patience_s);
  table.integer("max-tokens", persona.max_tokens, 16, 4'096);
  table.integer("calls-per-minute", persona.limits.calls_a_minute, 1, 600);
  table.integer("calls-per-day", persona.limits.calls_a_day, 1, 1'000'000);
  table.integer("tokens-per-day", persona.limits.tokens_a_day, 1, 1'000'000'000'000);
  table.integer("questions-per-day", persona.questions_a_day, 0, 1'000'000);
  table.finish();
  if (wrong.empty() && (persona.name.empty() || persona.host.empty())) table.complain("name and url are required");
  if (wrong.empty()) wrong = take_key(file, key_file, persona);
  if (!wrong.empty()) return std::unexpected(wrong);
  return persona;
}

}  // namespace fuhyo::app
