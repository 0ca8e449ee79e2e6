"""Games with results that were agreed on, over the wire: who meets whom, and how it goes."""

from csa_client import CsaClient, begin, play

# The position after the first move comes for the fourth time: that at the start is not counted.
REPETITION = ("+2858HI", "-8252HI", "+5828HI", "-5282HI") * 3 + ("+2858HI",)


def play_one(csa, event, black, white, result):
    """`result`: "black", "white" or "draw"."""
    players = begin(CsaClient(csa, f"LOGIN {black} {event}-B,pw{black}"),
                    CsaClient(csa, f"LOGIN {white} {event}-W,pw{white}"))
    if result == "draw":
        for move in REPETITION[:-1]:
            play(players, move)
        players[0].say(REPETITION[-1])
        end = "#DRAW"
    else:
        if result == "black":
            play(players, "+7776FU")
        players[result == "black"].say("%TORYO")
        end = "#"
    for player in players:
        player.until(end)
        player.say("LOGOUT")
        player.close()


def play_all(csa, event, names, result):
    """Everybody twice against everybody, once with each colour; `result(black, white)` of each game."""
    for black in names:
        for white in names:
            if black != white:
                play_one(csa, event, black, white, result(black, white))
