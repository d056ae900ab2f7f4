# Makes a repository in which my_bot plays at random at the tag v1, and a release of version $2 with the program $1.
set -e
mkdir -p repository/my_bot repository/broken
cd repository
git init -q
git config user.name Ada
git config user.email ada@example.org
bot() { mkdir -p "$1" && echo "command = [\"$2\", \"bot\", \"$3\"]" >"$1/bot.toml"; }
bot my_bot "$1" random
echo 'command = ["sh", "-c", "echo \"<x> & no bot\" >&2"]' >broken/bot.toml
git add . && git commit -qm 1 && git tag v1
bot my_bot "$1" minimax-ab
bot new_bot "$1" random
cat >small.toml <<'SUITE'
name = "small"
game = "othello"
games = 4
sandbox = "off"
grade = { threshold = 0.5 }
bot = [{ use = "minimax-ab", options = { depth = 2 } }]
SUITE
# The last commit has a tag, as after the push of a tag.
git add . && git commit -qm 2 && git tag v2
mkdir -p "../owner/arena/releases/download/v$2" && cd "../owner/arena/releases/download/v$2"
name=arena-$2-x86_64-unknown-linux-musl
mkdir "$name" && printf '#!/bin/sh\nexec %s "$@"\n' "$1" >"$name/arena" && chmod +x "$name/arena"
tar czf "$name.tar.gz" "$name" && sha256sum ./*.gz | sed 's,\./,,' >SHA256SUMS
