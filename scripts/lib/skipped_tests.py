"""Says which tests ctest skipped and why. Input: the file that ctest --output-junit wrote."""
import re
import sys
import xml.etree.ElementTree


def reason_of(case):
    """The first line of the test's output that gives a reason."""
    lines = (case.findtext("system-out") or "").splitlines()
    for position, line in enumerate(lines):
        found = re.search(r"\bskipped:? (.*)", line, re.IGNORECASE)
        if found and "[  SKIPPED ]" not in line:
            return found[1].strip()
        if re.search(r": Skipped$", line) and position + 1 < len(lines):
            return lines[position + 1].strip()  # GoogleTest writes the reason below
    return lines[0].strip() if lines else "no reason given"


def main(path):
    try:
        cases = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"test: no list of skipped tests: {error}")
        return
    for case in cases:
        if case.find("skipped") is not None or case.get("status") == "notrun":
            print(f"test: skipped {case.get('name')}: {reason_of(case)}")


if __name__ == "__main__":
    main(sys.argv[1])
