// The tree of commands in roff, a page a command.
#include <algorithm>
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engines/manual/commands.h"

namespace fuhyo::manual {
namespace {

constexpr std::string_view kDate = "2026-11-23";  // since when the pages are as they are

// Text that roff takes for text. A hyphen that somebody may copy stays one.
std::string roff(std::string_view text) {
  std::string out;
  bool first = true;  // of a line
  for (const char c : text) {
    if (first && (c == '.' || c == '\'')) out += "\\&";
    first = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff(text)); }

std::string with_dashes(std::string path) {
  std::ranges::replace(path, ' ', '-');
  return path;
}

std::string flag_entry(const CLI::Option& flag) {
  std::string names;
  for (const std::string& name : names_of(flag)) names += (names.empty() ? "" : ", ") + bold(name);
  if (takes_value(flag)) names += " " + italic(flag.get_type_name());
  std::string help = roff(flag.get_description());
  if (!flag.get_default_str().empty()) help += fmt::format(" [{}]", roff(flag.get_default_str()));
  return fmt::format(".TP\n{}\n{}\n", names, help.empty() ? "\\&" : help);
}

std::string synopsis(const CommandPath& command_path) {
  std::string line = bold(command_path.path);
  if (!flags_of(*command_path.app).empty()) line += " [" + italic("option") + "]...";
  for (const CLI::Option* word : positionals_of(*command_path.app)) {
    const std::string name = italic(word->get_name(true));
    line += word->get_required() ? " " + name : " [" + name + "]";
    if (word->get_items_expected_max() > 1) line += "...";
  }
  if (!commands_of(*command_path.app).empty()) line += " " + italic("command");
  if (command_path.app->get_prefix_command()) line += " " + italic("word") + "...";
  return line + "\n";
}

// What stands below a command's head: its words, flags, and the lines that close its help.
std::string body(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* word : positionals_of(app)) {
    if (names_of(*word).empty()) {
      out += fmt::format(".TP\n{}\n{}\n", italic(word->get_name(true)), roff(word->get_description()));
    }
  }
  for (const CLI::Option* flag : flags_of(app)) out += flag_entry(*flag);
  std::string closing = app.get_footer();
  while (closing.ends_with('\n')) closing.pop_back();
  if (!closing.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(closing));
  return out;
}

std::string head(std::string_view name, std::string_view what, std::string_view version) {
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return fmt::format(".TH {} 1 {} \"{}\" \"Fuhyo\"\n.SH NAME\n{} \\- {}\n", upper, kDate, version, roff(name),
                     roff(what));
}

std::string see_also(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += fmt::format("{}.BR {} (1)", out.empty() ? "" : " ,\n", roff(name));
  return out.empty() ? "" : ".SH SEE ALSO\n" + out + "\n";
}

std::string page_of_command(const CommandPath& command_path, const std::string& program, std::string_view version) {
  std::string out =
      head(with_dashes(command_path.path), command_path.app->get_description(), version) + ".SH SYNOPSIS\n";
  std::vector<CommandPath> below;
  for (CommandPath inner : command_paths(*command_path.app)) {
    inner.path.replace(0, command_path.app->get_name().size(), command_path.path);
    if (inner.app->get_require_subcommand_min() == 0)
      out += (out.ends_with(".SH SYNOPSIS\n") ? "" : ".br\n") + synopsis(inner);
    below.push_back(std::move(inner));
  }
  out += fmt::format(".SH DESCRIPTION\n{}.\n.SH OPTIONS\n", roff(command_path.app->get_description())) +
         body(*command_path.app);
  for (std::size_t i = 1; i < below.size(); ++i) {
    out +=
        fmt::format(".SS {}\n{}.\n", roff(below[i].path), roff(below[i].app->get_description())) + body(*below[i].app);
  }
  return out + see_also({program});
}

}  // namespace

std::vector<Page> man_pages(const CLI::App& root, std::string_view version) {
  const std::string& program = root.get_name();
  std::string text = head(program, root.get_description(), version) + ".SH SYNOPSIS\n" + synopsis({program, &root}) +
                     fmt::format(".SH DESCRIPTION\n{}\n", roff(root.get_description())) + ".SH COMMANDS\n";
  std::vector<Page> pages;
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(root)) {
    const CommandPath command_path{program + " " + command->get_name(), command};
    names.push_back(with_dashes(command_path.path));
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(names.back()), roff(command->get_description()));
    pages.push_back({names.back() + ".1", page_of_command(command_path, program, version)});
  }
  pages.insert(pages.begin(), {program + ".1", text + ".SH OPTIONS\n" + body(root) + see_also(names)});
  return pages;
}

}  // namespace fuhyo::manual
