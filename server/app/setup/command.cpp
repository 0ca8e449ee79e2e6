// `fuhyo setup`: asks six questions and writes what a first evening needs.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "server/app/commands.h"
#include "server/app/config/flags.h"
#include "server/app/serve/engine_means.h"
#include "server/app/setup/own_addresses.h"
#include "server/app/setup/page.h"
#include "server/app/setup/qr.h"
#include "server/app/setup/questions.h"
#include "server/app/setup/report.h"

namespace fuhyo::app {
namespace {

constexpr int kLastPort = 65535;

struct SetupOptions {
  std::map<std::string, std::string, std::less<>> given;
  std::string folder = ".", language;
  int csa_port = 4081, http_port = 8081;
  bool yes = false, browser = false;
};

Language language_of(const SetupOptions& options) {
  std::string said = options.language;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (const char* value = environment_variable(name); said.empty() && value != nullptr) said = value;
  }
  return said.starts_with("ja") ? Language::ja : Language::en;
}

int refuse_setup(const std::string& text, int code) {
  fmt::print(stderr, "fuhyo setup: {}\n", text);
  return code;
}

int show_end(const SetupEnd& end) {
  if (end.code != kExitOk) return refuse_setup(end.said, end.code);
  fmt::print("\n{}", end.said);
  if (end.page.empty()) return kExitOk;
  const bool coloured = ::isatty(STDOUT_FILENO) != 0;  // of its own on a terminal, where letters may be dark
  for (const std::string& line : qr_lines(end.page)) {
    fmt::print(fmt::runtime(coloured ? "\x1b[40;97m{}\x1b[0m\n" : "{}\n"), line);
  }
  return kExitOk;
}

int run_setup(const SetupOptions& options) {
  std::error_code ignored;
  const auto beside = [&](const char* name) {
    std::string program = sibling_program(name);
    return std::filesystem::exists(program, ignored) ? program : "";
  };
  const SetupPlace place{.folder = options.folder,
                         .csa_port = options.csa_port,
                         .http_port = options.http_port,
                         .nnue = beside("fuhyo-nnue"),
                         .mcts = beside("fuhyo-mcts")};
  const Language language = language_of(options);
  for (const char* name : {kSetupConfig, kSetupEvent}) {
    const std::filesystem::path path = place.folder / name;
    if (!std::filesystem::exists(path, ignored)) continue;
    constexpr Phrase kIsThere = {"{} is there already; nothing is written",
                                 "{} はすでにあります。何も書きませんでした"};
    return refuse_setup(fmt::format(fmt::runtime(kIsThere.in(language)), path.string()), kExitCannotCreate);
  }
  const Asking asking{.language = language,
                      .addresses = own_addresses(),
                      .engines = !place.nnue.empty(),
                      .yes = options.yes,
                      .given = options.given};
  if (options.browser) {
    const auto end = ask_on_page(asking, place);
    return end ? show_end(*end) : refuse_setup(end.error(), kExitUnavailable);
  }
  const auto answers = ask_for_answers(asking, std::cin, std::cout);
  return answers ? show_end(set_up(*answers, place, language)) : refuse_setup(answers.error(), kExitUsage);
}

}  // namespace

Command add_setup(CLI::App& root) {
  const auto options = std::make_shared<SetupOptions>();
  CLI::App* command =
      manual::add_command(root, "setup", "Asks what a server needs; writes its configuration and a first tournament");
  for (const Question& each : questions_of({})) {
    const auto take = [options, key = std::string(each.flag)](const std::string& said) { options->given[key] = said; };
    command->add_option_function<std::string>(fmt::format("--{}", each.flag), take, std::string(each.asked.en))
        ->type_name(std::string(each.takes));
  }
  const auto port = CLI::Range(1, kLastPort);
  command->add_option("--port", options->csa_port, "of players")->check(port)->capture_default_str();
  command->add_option("--http-port", options->http_port, "of browsers")->check(port)->capture_default_str();
  command->add_option("--dir", options->folder, "where the files go; data lies beside them")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--lang", options->language, "of questions and comments; else as LANG says")
      ->check(CLI::IsMember({"en", "ja"}));
  CLI::Option* yes = command->add_flag("--yes", options->yes, "takes the defaults of what is not given");
  command->add_flag("--browser", options->browser, "asks on a page, which browsers of this machine alone reach")
      ->excludes(yes);
  command->footer(
      "What a flag answers is not asked for; on a page it stands there already. Files that are there are never "
      "changed. Exit code 64: no answer, or a wrong one; 69: no page; 73: not written.");
  return [options] { return run_setup(*options); };
}

}  // namespace fuhyo::app
