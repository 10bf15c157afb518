"""Looks the locked dependencies up for known vulnerabilities, as far as the service can be reached; code 1 if any."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120


def main() -> int:
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    command += ["--format", "json", "-r", str(ROOT / "requirements.txt")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        dependencies = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        print("The vulnerability service cannot be reached; nothing was audited.")
        return 0
    audited = [each for each in dependencies if "vulns" in each]
    for each in audited:
        for found in each["vulns"]:
            mended = ", ".join(found["fix_versions"]) or "nothing yet"
            print(f"{each['name']} {each['version']}: {found['id']}, mended in {mended}")
    if len(audited) < len(dependencies):
        print(f"{len(dependencies) - len(audited)} of {len(dependencies)} could not be looked up.")
    return 1 if any(each["vulns"] for each in audited) else 0


if __name__ == "__main__":
    sys.exit(main())
