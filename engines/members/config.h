// A member as a process: its command, and what it is told. Pure but for a look whether a program stands beside this
// one; one thread at a time.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "engines/members/member.h"
#include "engines/usi/options.h"

namespace fuhyo::members {

struct MemberConfig {
  std::vector<std::string> command{};
  std::string folder{};  // working folder; empty: ours
  Member::Setup setup{};
};

// A program that is named without a folder is taken from this one if it is there.
void look_beside(std::vector<std::string>& words, const std::string& beside);
// The words of a command. `beside`: the folder in which a program that is named without a folder is looked for first.
std::expected<std::vector<std::string>, std::string> parse_command(const std::string& text, const std::string& beside);
// "EvalFile=nn.bin Threads=2", quoted as in a shell.
std::expected<EngineOptions, std::string> parse_options(const std::string& text);

// Options for a member that declares them: its threads and megabytes, and the values of the common options that apply
// to all members.
EngineOptions common_setup(const usi::OptionTable& table, std::int64_t threads, std::int64_t megabytes);

}  // namespace fuhyo::members
