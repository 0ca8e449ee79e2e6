"""common_passwords.py LISTS HEADER: the common passwords of zxcvbn's lists that a person could choose, as a header.

LISTS is frequency_lists.py of python3-zxcvbn. They are in lower case, in the order of bytes, one a line.
"""

import importlib.util
import json
import sys

LEAST = 8  # kLeastPassword of server/secrets/password_rules.h: shorter ones are refused anyway
FEWEST = 3000  # ASVS 5.0, 6.2.4


def main(lists, header):
    spec = importlib.util.spec_from_file_location("frequency_lists", lists)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    words = {word.lower() for word in module.FREQUENCY_LISTS["passwords"] if word.isascii() and word.isprintable()}
    kept = sorted(word for word in words if len(word) >= LEAST)
    if len(kept) < FEWEST:
        sys.exit(f"{lists}: only {len(kept)} passwords of {LEAST} characters or more; {FEWEST} are wanted")
    with open(header, "w", encoding="ascii", newline="\n") as out:
        out.write("// Made by cmake/common_passwords.py of the lists of python3-zxcvbn (MIT licence).\n#pragma once\n\n"
                  "#include <string_view>\n\ninline constexpr std::string_view kCommonPasswords =\n")
        out.writelines(f"    {json.dumps(word + chr(10))}\n" for word in kept)
        out.write("    ;\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
