"""A CSA client of a system test: lines out, lines in."""

import socket

from waiting import PATIENCE_S

# The kings' rooks go to and fro: as many legal moves as anybody wants, the same position four times after 180 plies.
WALKS = (("+2838HI", "+3848HI", "+4858HI", "+5868HI", "+6878HI", "+7828HI"),
         ("-8272HI", "-7262HI", "-6252HI", "-5242HI", "-4282HI"))


def walk(ply):
    steps = WALKS[ply % 2]
    return steps[ply // 2 % len(steps)]


class CsaClient:
    """One connection to "HOST:PORT" or (host, port), plain or (`wrap`) under TLS, that says `login` first. A context
    manager, or close() it."""

    def __init__(self, address, login, *, wrap=None):
        if isinstance(address, str):
            host, port = address.rsplit(":", 1)
            address = (host, int(port))
        self.socket = socket.create_connection(address, timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if wrap:
            self.socket = wrap(self.socket)
        self.lines = self.socket.makefile("r", newline="\n")
        self.heard = []  # without line ends
        self.say(login)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def say(self, line):
        self.socket.sendall((line + "\n").encode())

    def until(self, beginning):
        """The first line from here on that begins so."""
        return self.lines_until(beginning)[-1]

    def lines_until(self, beginning):
        """The same with those before it."""
        lines = []
        for line in self.lines:
            lines.append(line.rstrip("\n"))
            self.heard.append(lines[-1])
            if line.startswith(beginning):
                return lines
        raise AssertionError(f"the connection ended before {beginning}: {lines}")

    def rest(self):
        return self.lines.read()

    def close(self):
        self.lines.close()
        self.socket.close()


def begin(*players):
    """Everybody agrees, and the game has started. Black and White, whoever was named first."""
    for player in players:
        player.colour = player.until("Your_Turn:")[-1]
        player.until("END Game_Summary")
        player.say("AGREE")
    for player in players:
        player.until("START:")
    return sorted(players, key=lambda player: player.colour)


def game_id(player):
    return next(line for line in reversed(player.heard) if line.startswith("Game_ID:")).removeprefix("Game_ID:")


def sit_down(address, game="cup-900-10", names=("alice", "bob")):
    return begin(*(CsaClient(address, f"LOGIN {name} {game}-{side},secret{name}") for name, side in zip(names, "BW")))


def resign(player, *others):
    """Everybody has heard of the end."""
    player.say("%TORYO")
    for each in (player, *others):
        each.until("#RESIGN")


def play(players, *moves):
    """`players`: Black and White. Each move is heard by both."""
    for move in moves:
        players[0 if move[0] in "+%" else 1].say(move)
        for player in players:
            player.until(move)


def begin_games(players):
    """Everybody (name: client) is told of a game and agrees to it. (black, white) of each game, once all have begun."""
    games = {}
    for name, player in players.items():
        game = player.until("Game_ID:")
        colour = player.until("Your_Turn:")[-1]
        player.until("END Game_Summary")
        player.say("AGREE")
        games.setdefault(game, {})[colour] = name
    for player in players.values():
        player.until("START:")
    return [(game["+"], game["-"]) for game in games.values()]
