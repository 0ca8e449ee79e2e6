"""admin_commands.py COMMANDS.json FOLDER: the administration's commands as C++, for server/core/admin.

COMMANDS.json is server/core/admin/commands.json, which the pages read as well. FOLDER gets admin_table.inc, the rows of
the table in verbs.cpp; admin_functions.inc, a function of AdminCommands for each command that the core carries out;
host_commands.h, an enumeration of those of the shell; and admin_answers.h, one for each answer with "enum".

A command: "least", the role (host); "acts", the audit log has it; "shell", GameServer::host_request carries it out;
"dangerous", the web wants the password again; "why", whether it "may" or "must" have a reason; "synopsis", where its
fields do not tell it. A field: "says", its word in the synopsis (or else its choices); "of", the list that a shell
completes it from, where no row fills it. Everything else is the console's: web/src/console/verbs.ts.
"""

import json
import re
import sys
from pathlib import Path

MADE = "// Made by cmake/admin_commands.py of server/core/admin/commands.json.\n"


def text(value):
    return json.dumps(value, ensure_ascii=False)


def name(word):
    """As C++ takes it: awaits_a_verdict, account_add, export_."""
    return re.sub(r"\W", "_", word) + ("_" if word == "export" else "")


class Commands:
    def __init__(self, table):
        self.table = table["commands"]
        self.answers = table["answers"]
        self.fields = table["fields"]

    def fields_of(self, command):
        """Each with what is said of it everywhere, and here."""
        used = [use if isinstance(use, dict) else {"field": use} for use in self.table[command].get("fields", [])]
        return [{**self.fields[use["field"]], **use} for use in used]

    def synopsis(self, command):
        """"GAME black|white|draw|void WHY", "[ROOM]"."""
        told = self.table[command]
        said = []
        for field in self.fields_of(command):
            words = field.get("says", "|".join(field.get("choices", [])))
            if words:
                said.append(f"[{words}]" if field.get("optional") else words)
        said += {"may": ["[WHY]"], "must": ["WHY"]}.get(told.get("why"), [])
        return told.get("synopsis", " ".join(said))

    def list_of(self, command, field):
        """The command whose table names in its first column what the field may be; "": there is none."""
        for place in self.table[command].get("rows", []):
            filled, column = next(iter(place["fill"].items()))  # the first one tells which row it is
            fields = self.fields_of(place["table"])
            if filled == field["field"] and column.startswith("asked."):
                return self.list_of(place["table"], next(one for one in fields if column == f"asked.{one['field']}"))
            if filled == field["field"] and all(one.get("optional") for one in fields):
                return place["table"]
        return field.get("of", "")

    def completions(self, command):
        """What a shell offers for each word: those that are fixed, and the list that has the other ones."""
        offers = []
        for field in self.fields_of(command):
            words = [word.strip() for word in field.get("choices") or field.get("says", "").split("|")]
            fixed = "|".join(word for word in words if re.fullmatch(r"[a-z:]+", word))
            if field.get("kind") != "setting":
                offers.append(f"{{{text(fixed)}, {text(self.list_of(command, field))}}}")
        return ", ".join(offers)

    def row(self, command):
        told = self.table[command]
        texts = [command, self.synopsis(command), told["en"]["help"], told["ja"]["help"], told["example"]]
        flags = ["true" if told.get(key) else "false" for key in ("acts", "shell", "dangerous")]
        run = "nullptr" if told.get("shell") else f"&AdminCommands::{name(command)}"
        return (f"{{{', '.join(map(text, texts))}, Role::{told.get('least', 'host')}, {', '.join(flags)}, {run},\n"
                f" {{{self.completions(command)}}}}},\n")


def enumeration(kind, words):
    return (f"enum class {kind} : std::uint8_t {{ {', '.join(map(name, words))} }};\n"
            f"inline constexpr std::string_view k{kind}Words[] = {{{', '.join(map(text, words))}}};\n"
            f"constexpr std::string_view to_string({kind} one) {{\n"
            f"  return k{kind}Words[static_cast<std::size_t>(one)];\n}}\n")


def header(enumerations):
    return ("#pragma once\n\n#include <cstddef>\n#include <cstdint>\n#include <string_view>\n\n"
            "namespace fuhyo::core {\n\n" + "\n".join(enumerations) + "\n}  // namespace fuhyo::core\n")


def main(table, folder):
    commands = Commands(json.loads(Path(table).read_text(encoding="utf-8")))
    by_shell = [each for each, told in commands.table.items() if told.get("shell")]
    functions = [each for each in commands.table if each not in by_shell]
    made = {
        "admin_table.inc": "".join(map(commands.row, commands.table)),
        "admin_functions.inc": "".join(f"AdminResult {name(each)}();\n" for each in functions),
        "admin_answers.h": header(enumeration(answer, told["words"]) for answer, told in commands.answers.items()
                                  if told.get("enum")),
        "host_commands.h": header([enumeration("HostCommand", by_shell)]),
    }
    for file, source in made.items():
        (Path(folder) / file).write_text(MADE + source, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
