// `fuhyo admin`: gives one command to a running server, or prepares what its configuration needs.
#include "server/csa/command.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/admin/client.h"
#include "server/app/admin/completion.h"
#include "server/app/admin/wire.h"
#include "server/app/commands.h"
#include "server/app/config/config.h"
#include "server/core/admin/verbs.h"
#include "server/secrets/random.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMaxName = 32;

struct Arguments {
  std::string data, config, role = "host";
  bool json = false, help = false;
  std::vector<std::string> words;
};

constexpr std::string_view kUsage =
    "fuhyo admin [--data DIR | --config FILE] [--json] COMMAND ...   fuhyo admin help lists the commands\n"
    "fuhyo admin operator add NAME [--role host|admin] [--config FILE]   makes an operator and a secret\n"
    "fuhyo admin worker add NAME [PLAYERS] [--config FILE]   makes a worker and a token";

int usage(const std::string& text) {
  fmt::print(stderr, "fuhyo admin: {}\n", text);
  return kExitUsage;
}

// "--name", "--name=value": not what a reason may begin with ("-->").
bool is_option(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const auto fits = [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); };
  return word == "-h" || (name.starts_with("--") && std::ranges::all_of(name, fits) && !name.starts_with("---"));
}

// Options are taken wherever they stand, as "--data DIR" or "--data=DIR"; "--" ends them.
std::expected<Arguments, std::string> read_arguments(const std::vector<std::string>& given) {
  Arguments out;
  bool options = true;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (!options || !is_option(word)) {
      out.words.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::string* value = name == "--data"     ? &out.data
                         : name == "--config" ? &out.config
                         : name == "--role"   ? &out.role
                                              : nullptr;
    if (value != nullptr) {
      if (equals == word.npos && ++i == given.size()) return std::unexpected(word + " needs a value");
      *value = equals == word.npos ? given[i] : word.substr(equals + 1);
    } else if (word == "--") {
      options = false;
    } else if (word == "--json") {
      out.json = true;
    } else if (word == "--help" || word == "-h") {
      out.help = true;
    } else {
      return std::unexpected(fmt::format("there is no option {}; a word that begins so stands behind --", name));
    }
  }
  return out;
}

// The data folder that `fuhyo serve` would use with the same configuration.
std::expected<std::filesystem::path, std::string> data_folder(const Arguments& arguments) {
  Words flags;
  if (!arguments.data.empty()) flags.emplace("data", std::vector{arguments.data});
  std::string file = arguments.config;
  if (const char* variable = std::getenv("FUHYO_CONFIG"); file.empty() && variable != nullptr) file = variable;
  const auto resolved = resolve_config(flags, [](const char* name) { return std::getenv(name); }, file);
  if (!resolved) return std::unexpected(resolved.error());
  return resolved->config.data;
}

// To the end of the configuration file, if one is named; else for the reader to paste.
int keep(const Arguments& arguments, const std::string& toml) {
  if (arguments.config.empty()) {
    fmt::print("# at the end of the configuration file; then: fuhyo admin reload --config FILE\n{}", toml);
    return kExitOk;
  }
  std::error_code ignored;
  const std::string_view is_new = std::filesystem::exists(arguments.config, ignored) ? "" : ", a new file,";
  std::ofstream file(arguments.config, std::ios::app);
  if (!(file << "\n" << toml) || !file.flush()) {
    fmt::print(stderr, "fuhyo admin: cannot write {}\n", arguments.config);
    return kExitCannotCreate;
  }
  fmt::print("{}{} has it; if the server runs: fuhyo admin reload --config {}\n", arguments.config, is_new,
             arguments.config);
  return kExitOk;
}

int add_operator(const Arguments& arguments) {
  if (arguments.words.size() != 3 || arguments.words[1] != "add") {
    return usage("operator add NAME [--role host|admin] [--config FILE]");
  }
  const std::string& name = arguments.words[2];
  if (!csa::is_identifier(name, kMaxName)) return usage(fmt::format("'{}' is no name for a login", name));
  if (arguments.role != "host" && arguments.role != "admin") return usage("the role is host or admin");
  const auto [post, secret] = make_operator(name, arguments.role == "admin" ? core::Role::admin : core::Role::host);
  fmt::print("secret of {}, shown this once: {}\n", name, secret);
  fmt::print("it logs in with: LOGIN {} {} x1\n\n", name, secret);
  return keep(arguments, operator_toml(post));
}

int add_worker(const Arguments& arguments) {
  if (arguments.words.size() < 3 || arguments.words.size() > 4 || arguments.words[1] != "add") {
    return usage("worker add NAME [PLAYER,PATTERN*...] [--config FILE]");
  }
  const std::string secret = secrets::random_token();
  const std::string players = arguments.words.size() == 4 ? " players=" + arguments.words[3] : "";
  const auto post =
      parse_worker(fmt::format("name={}{} secret_hash={}", arguments.words[2], players, hash_secret(secret)));
  if (!post) return usage(post.error());
  fmt::print("token of {}, shown this once: {}\n", post->name, secret);
  fmt::print("in a file on its machine: {} {}\n\n", post->name, secret);
  return keep(arguments, worker_toml(*post));
}

std::expected<core::AdminResult, std::string> ask(const Arguments& arguments, const std::string& line,
                                                  std::string* json) {
  const auto data = data_folder(arguments);
  if (!data) return std::unexpected(data.error());
  auto answer = ask_server(*data, line);
  if (!answer) return std::unexpected(answer.error());
  auto result = read_admin_answer(*answer);
  if (!result) return std::unexpected(std::string("the server answered something else"));
  if (json != nullptr) *json = std::move(*answer);
  return *result;
}

int complete(const Arguments& arguments) {
  const std::vector<std::string> before(arguments.words.begin() + 1, arguments.words.end());
  const Completions found = completions(before);
  std::vector<std::string> words = found.words;
  if (!found.ask.empty()) {
    if (const auto result = ask(arguments, found.ask, nullptr)) {
      for (const auto& row : result->rows) words.push_back(row.front());
    }
  }
  fmt::print("{}\n", fmt::join(words, "\n"));
  return kExitOk;
}

int admin(const std::vector<std::string>& given) {
  const auto arguments = read_arguments(given);
  if (!arguments) return usage(arguments.error());
  if (arguments->help) {
    fmt::print("{}\n", kUsage);
    return kExitOk;
  }
  const std::string verb = arguments->words.empty() ? "help" : arguments->words.front();
  if (verb == "operator") return add_operator(*arguments);
  if (verb == "worker") return add_worker(*arguments);
  if (verb == "complete") return complete(*arguments);
  std::string json;
  const auto result = ask(*arguments, fmt::format("{}", fmt::join(arguments->words, " ")), &json);
  if (!result) {
    fmt::print(stderr, "fuhyo admin: {}\n", result.error());
    return kExitUnavailable;
  }
  if (arguments->json) {
    fmt::print("{}\n", json);
  } else if (result->ok) {
    for (const std::string& line : core::render(*result)) fmt::print("{}\n", line);
  } else {
    fmt::print(stderr, "fuhyo admin: {}\n", result->text);
  }
  return result->ok ? kExitOk : kExitFailed;
}

}  // namespace

Command add_admin(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "admin", "Gives a command to the running server of this machine");
  command->prefix_command();
  command->footer(std::string(kUsage));
  return [command] { return admin(command->remaining()); };
}

}  // namespace fuhyo::app
