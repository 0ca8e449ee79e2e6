"""What came of the tests of a build folder: CTest's report, and GoogleTest's of the cases in it."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass
class Outcome:
    """Of one process that CTest started."""

    name: str
    status: str
    seconds: float
    log: str = ""
    cases: dict = field(default_factory=dict)  # of a GoogleTest program: name -> (status, seconds)

    def failed_cases(self):
        """None is known of a script, and of a program that died."""
        return [case for case, (status, _) in self.cases.items() if status == FAILED]


def cases_of(file):
    """{} if the program wrote no report: it is no GoogleTest program, or it died."""
    try:
        report = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for suite in report.get("testsuites", []):
        for case in suite.get("testsuite", []):
            if case.get("status") != "RUN":
                continue
            status = FAILED if case.get("failures") else SKIPPED if case.get("result") == "SKIPPED" else PASSED
            found[f"{suite['name']}.{case['name']}"] = (status, float(case.get("time", "0s").rstrip("s")))
    return found


def outcomes(folder):
    """Of the last run in a build folder, as CTest's junit.xml there and the files in cases/ say."""
    found = []
    for test in ElementTree.parse(Path(folder) / "junit.xml").getroot().iter("testcase"):
        status = {"run": PASSED, "fail": FAILED}.get(test.get("status"), SKIPPED)
        if test.find("failure") is not None or test.find("error") is not None:
            status = FAILED
        log = test.findtext("system-out") or ""
        cases = cases_of(Path(folder) / "cases" / f"{test.get('name')}.json")
        found.append(Outcome(test.get("name"), status, float(test.get("time") or 0), log, cases))
    return found


def command_for(outcome, lane, case=None):
    """What repeats it."""
    if case:
        return f"./dev test {lane} --only '{case}'"
    return f"./dev test {lane} -- -R '^{re.escape(outcome.name)}$'"
