"""Prints what a report page shows: its markup, its list of games and its first two games, without programs and styles."""

import base64
import gzip
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
packed = re.findall(r'<script type="text/plain" id="(packed-(?:games|list))">(.*?)</script>', page, re.S)
page = re.sub(r"<(script|style)[ >].*?</\1>", "", page, flags=re.S)
# The policy has hashes of the programs and styles.
lines = [line for line in page.splitlines() if line.strip() and "Content-Security-Policy" not in line]
print("\n".join(lines).replace("><", ">\n<"))
for name, text in packed:
    rows = [row for part in text.split() for row in gzip.decompress(base64.b64decode(part)).decode().splitlines()]
    for row in rows[:2] if name == "packed-games" else rows:
        row = json.loads(row)
        for part in sorted(row.items()) if isinstance(row, dict) else [row]:
            print(name, json.dumps(part, ensure_ascii=False, sort_keys=True))
