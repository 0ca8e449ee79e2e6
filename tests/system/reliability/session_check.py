"""Sessions of one name never overlap: nobody is answered under a name after somebody else has logged in with it."""

from evidence import Violation
from observed import TOLD_MOVE


def _answered_after_login(events):
    """When the login was answered, and when a line was sent last to which an answer came."""
    logged_in, last_answered, waiting = None, None, {}
    for event in events:
        if event.kind == "sent":
            waiting[event.text.split(",")[0]] = event.at
        elif event.kind == "seen":
            if event.text.startswith("LOGIN:") and event.text.endswith(" OK"):
                logged_in = event.at
            key = event.text.split(",")[0] if TOLD_MOVE.match(event.text) else event.text
            if key in waiting:  # its own move, or the empty line of a keep-alive
                last_answered = waiting.pop(key)
    return logged_in, last_answered


def check_sessions(evidence):
    """By what each session was answered: the server may notice an end later than its client."""
    by_name = {}
    for number, events in enumerate(evidence.history.by_session()):
        session = evidence.history.sessions[number]
        if session.role == "stream":
            continue
        logged_in, answered = _answered_after_login(events)
        if logged_in is not None:
            by_name.setdefault(session.name, []).append((logged_in, answered, number))
    for name, sessions in by_name.items():
        sessions.sort(key=lambda one: one[0])
        for (_, answered, first), (began, _, second) in zip(sessions, sessions[1:]):
            if answered is not None and answered > began:
                yield Violation("sessions", f"{name}: session {first} was answered after session {second} had begun")
