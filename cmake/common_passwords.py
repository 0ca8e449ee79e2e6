"""common_passwords.py LISTS HEADER: the common passwords of zxcvbn's lists that a person could choose, as a header.

LISTS is frequency_lists.py of python3-zxcvbn, or RankedDictionaries/Common.pm of Data::Password::zxcvbn, whose version
1.1.2 was made of newer lists. They are in lower case, in the order of bytes, one a line.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path

LEAST = 8  # kLeastPassword of server/secrets/password_rules.h: shorter ones are refused anyway
FEWEST = 3000  # ASVS 5.0, 6.2.4


def passwords_of(lists):
    if lists.endswith(".pm"):
        table = re.search(r"'passwords' => \{(.*?)\n  \}", Path(lists).read_text(encoding="utf-8"), re.DOTALL)[1]
        return [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r"'((?:[^'\\]|\\.)*)' => \d", table)]
    spec = importlib.util.spec_from_file_location("frequency_lists", lists)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FREQUENCY_LISTS["passwords"]


def main(lists, header):
    words = {word.lower() for word in passwords_of(lists) if word.isascii() and word.isprintable()}
    kept = sorted(word for word in words if len(word) >= LEAST)
    if len(kept) < FEWEST:
        sys.exit(f"{lists}: only {len(kept)} passwords of {LEAST} characters or more; {FEWEST} are wanted")
    with open(header, "w", encoding="ascii", newline="\n") as out:
        out.write("// Made by cmake/common_passwords.py of the lists of zxcvbn (MIT licence).\n#pragma once\n\n"
                  "#include <string_view>\n\ninline constexpr std::string_view kCommonPasswords =\n")
        out.writelines(f"    {json.dumps(word + chr(10))}\n" for word in kept)
        out.write("    ;\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
