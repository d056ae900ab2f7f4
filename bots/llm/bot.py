"""A language model as a bot: asks an endpoint like OpenAI's (POST /chat/completions) for each move.

Only Python's standard library is needed. bot.toml lists the options; prompt.txt is the prompt.

If an answer has no legal move, the bot still sends it to the arena, which counts it and asks again up to `illegal_answers`
times; the model then sees its earlier answers. If the endpoint fails (a rate limit, a server error, a hang, a broken
connection), there is no answer: the bot waits and asks again while the move has time. If the endpoint refuses for good,
the bot answers `unable`, and the arena stops the run instead of counting lost games. The key never appears in the output
of this program: see `Endpoint.clean` and `Scrubbed`.
"""

import argparse
import http.client
import json
import os
import random
import re
import string
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# The most characters of a prompt or an answer in the record, and the most bytes of a reply that are read.
LONGEST, MOST_BYTES = 6000, 8 << 20
# Statuses after which the same request may succeed later, unless the reply has words that match FINAL.
PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529}
FINAL = re.compile("insufficient_quota|billing_hard_limit")

SQUARE = r"[a-v](?:1\d|2[0-2]|[1-9])(?!\w)"
MOVE = re.compile(rf"""move["'*_`]*\s*[:=]\s*["'*_`(\[]*({SQUARE}|resign)""", re.IGNORECASE)

STONE = "A move places a stone on an empty square. "
RULES = {
    "othello": "A move places a disc so that it encloses discs of the opponent in straight lines, in any of the eight "
    "directions, between itself and another disc of yours; all enclosed discs become yours, and a move that turns none over "
    "is illegal. Whoever has more discs at the end wins.",
    "freestyle": STONE + "Five or more of your stones in a row, in any direction, win.",
    "standard": STONE + "Exactly five of your stones in a row, in any direction, win; six or more do not.",
    "renju": STONE + "Five of your stones in a row, in any direction, win. Black must not make a double three, a double four "
    "or more than five in a row; white wins also with more than five.",
    "caro": STONE + "Six or more of your stones in a row win, and five unless the opponent's stones stand at both ends.",
}


class Scrubbed:
    """A stream that writes *** instead of the key."""

    def __init__(self, stream, key):
        self.stream, self.key = stream, key

    def write(self, text):
        return self.stream.write(text.replace(self.key, "***") if self.key else text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Failed(Exception):
    """The endpoint did not answer, but may answer a later request. `wait`: the seconds to wait, if the endpoint named them."""

    def __init__(self, why, wait=None):
        super().__init__(why)
        self.wait = wait


class Refused(Exception):
    """The endpoint refuses for good: the quota is used up, the key is withdrawn, the model is unknown."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, because a redirect would send the key to another address."""

    def redirect_request(self, *_):
        return None


def end(text):
    """Ends the bot with this error, which the arena shows."""
    raise SystemExit(f"Error: llm: {text}")


def cut(text):
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n[{len(text) - LONGEST} characters left out]\n{text[-half:]}"


def short(text, most=80):
    flat = " ".join(str(text).split())
    return flat if len(flat) <= most else "…" + flat[-most:]


def move_of(answer):
    """Returns the last move in the answer, written as JSON or as `Move: d3`; or the whole answer if it is a square."""
    found = MOVE.findall(answer)
    alone = answer.strip("`*\"'. \n").lower()
    return found[-1].lower() if found else alone if re.fullmatch(SQUARE, alone) else None


class Endpoint:
    def __init__(self, options):
        self.options, self.key, self.url = options, read_key(options), options.endpoint.rstrip("/")
        address = urllib.parse.urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            end(f"endpoint = {self.url!r} is no address: write one such as https://api.openai.com/v1")
        if self.key and address.scheme == "http" and address.hostname not in ("localhost", "127.0.0.1", "::1"):
            end(f"the key would go to {address.hostname} unencrypted: use https, or key = \"\"")
        self.opener = urllib.request.build_opener(NoRedirect)

    def open(self, path, body, limit):
        """Returns the bytes of the reply, which must be complete within `limit` seconds."""
        until = time.monotonic() + limit
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json", "User-Agent": "arena-llm"})
        if self.key:
            request.add_header("Authorization", "Bearer " + self.key)
        with self.opener.open(request, timeout=limit) as reply:
            length = reply.headers.get("Content-Length") or ""
            most, read = min(int(length) if length.isdigit() else MOST_BYTES, MOST_BYTES), b""
            # Some servers send blanks while the model thinks, so a timeout of each single read does not suffice.
            while len(read) < most:
                piece = reply.read1(min(most - len(read), 1 << 16))
                if not piece:
                    break
                read += piece
                if time.monotonic() > until:
                    raise TimeoutError("the reply took too long")
            return self.clean(read)

    def clean(self, read):
        """Returns the bytes without the key. Call this before the text is cut: a part of the key would not be found."""
        for key in {self.key, self.key.replace("/", "\\/")} - {""}:
            read = read.replace(key.encode(), b"***")
        return read

    def try_key(self):
        """Fails before a game if the key is refused or there is no server."""
        try:
            self.open("/models", None, 5)
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                raise Refused(f"{self.url} refuses the key in {self.options.key or '(none)'}: HTTP {error.code}")
        except urllib.error.URLError as error:
            if isinstance(error.reason, OSError) and not isinstance(error.reason, TimeoutError):
                raise Refused(f"{self.url} cannot be reached: {error.reason}")
        except (OSError, http.client.HTTPException):
            pass  # The request for a move may still succeed.

    def ask(self, messages, limit):
        """Makes one request. Returns the answer's text and its cost. Raises `Failed` or `Refused`."""
        request = {"model": self.options.model, "messages": messages, **self.options.body}
        try:
            reply = json.loads(self.open("/chat/completions", request, limit))
        except urllib.error.HTTPError as error:
            self.refused(error)
        except (OSError, http.client.HTTPException) as error:
            raise Failed(f"{type(error).__name__}: {error}")
        except (ValueError, RecursionError):
            raise Failed("its reply is cut off, or is not JSON")
        if not isinstance(reply, dict) or not reply.get("choices"):
            raise Failed("its reply has no choices: " + short(json.dumps(reply), 300))
        # Half of a surrogate pair cannot be encoded, so it is replaced.
        answer = text_of(reply["choices"]).encode(errors="replace").decode()
        return answer, self.spent(reply.get("usage"), messages, answer)

    def refused(self, error):
        try:
            words = self.clean(error.read(9000)).decode(errors="replace")
        except (OSError, http.client.HTTPException):
            words = ""
        what = f"HTTP {error.code} {short(words, 300)}".strip()
        if error.code not in PASSING or FINAL.search(words):
            raise Refused(f"{self.url}, model {self.options.model}: {what}")
        after = error.headers.get("Retry-After") or ""
        raise Failed(what, float(after) if re.fullmatch(r"\d+(\.\d+)?", after) else None)

    def spent(self, usage, messages, answer):
        def used(name, usual):
            reported = usage.get(name) if isinstance(usage, dict) else None
            return reported if isinstance(reported, (int, float)) and 0 <= reported < 1e15 else usual

        # If an endpoint reports no `usage`, assumes four characters per token.
        read = used("prompt_tokens", sum(len(message["content"]) for message in messages) // 4)
        written = used("completion_tokens", len(answer) // 4)
        price = (read * self.options.price_in + written * self.options.price_out) / 1e6
        return {"tokens_in": read, "tokens_out": written, "price": used("cost", price)}


def text_of(choices):
    """Returns the text of a reply; if there is none, the reason, such as a refusal, a length limit or a filter."""
    choice = choices[0] if isinstance(choices, list) and isinstance(choices[0], dict) else {}
    message = choice.get("message") if isinstance(choice.get("message"), dict) else {}
    text = message.get("content") or message.get("refusal")
    if isinstance(text, list):  # parts, as some endpoints write them
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    return text if isinstance(text, str) and text.strip() else f"(no text, finish_reason {choice.get('finish_reason')})"


class Player:
    def __init__(self, options):
        self.options, self.endpoint = options, Endpoint(options)
        with open(options.prompt, encoding="utf-8") as file:
            self.system, _, self.question = file.read().partition("\n---\n")
        self.game, self.asked, self.messages, self.played = {}, None, [], ""

    def hello(self, game):
        if not self.game:
            self.endpoint.try_key()
        self.game, self.asked = game, None
        random.seed(game["seed"])

    def fill(self, text, turn):
        rules = RULES.get(self.game["rules"] if self.game["game"] == "gomoku" else self.game["game"], "")
        size = self.game["size"]
        letters = " ".join("abcdefghijklmnopqrstuv"[:size])
        rows = [f"{number:2} {' '.join(row)}" for number, row in enumerate(turn["board"], 1)]
        legal = "\n\nLegal moves: " + " ".join(turn["legal"]) if self.options.legal == "shown" else ""
        return string.Template(text.strip()).safe_substitute(
            game=f"{self.game['game'].capitalize()} on {size}x{size}", rules=rules, colour=turn["you"],
            stone="X" if turn["you"] == "black" else "O", moves=" ".join(turn["moves"]) or "none",
            board="\n".join(["   " + letters, *rows]), legal=legal,
        )

    def turn(self, turn):
        """Answers one question. If the arena asks again for the same position, continues the conversation."""
        if turn["moves"] == self.asked:
            again = f'"{self.played}" is not a legal move. Choose another move, in the same form.'
            self.messages.append({"role": "user", "content": again})
        else:
            texts = {"system": self.fill(self.system, turn), "user": self.fill(self.question, turn)}
            self.messages = [{"role": role, "content": text} for role, text in texts.items()]
        self.asked = turn["moves"]
        until = time.monotonic() + turn["left_ms"] / 1000 if turn["left_ms"] else float("inf")
        answer, spent, failures = self.patiently(until)
        self.played = move_of(answer) or short(answer)
        parts = ["PROMPT\n" + cut(self.messages[-1]["content"]), *failures, "ANSWER\n" + cut(answer)]
        self.messages.append({"role": "assistant", "content": answer})
        say(type="info", text="\n\n".join(parts), spent=spent)
        say(type="move", id=turn["id"], move=self.played)

    def patiently(self, until):
        """Asks until there is an answer; waits longer after each failure. The arena ends the move when its time is up."""
        failures = []
        while True:
            limit = max(0.01, min(self.options.patience, until - time.monotonic()))
            try:
                return (*self.endpoint.ask(self.messages, limit), failures[-8:])
            except Failed as failed:
                backoff = min(30, 2 ** len(failures[-5:])) * self.options.first_wait * (0.5 + random.random() / 2)
                wait = backoff if failed.wait is None else failed.wait
                failures.append(f"({short(failed, 300)}; asked again after {wait:.1f} s)")
                print("llm:", failures[-1], file=sys.stderr, flush=True)
                time.sleep(wait)


def say(**message):
    print(json.dumps(message, ensure_ascii=False), flush=True)


def read_key(options):
    key = os.environ.get(options.key, "").strip()
    if options.key and not key:
        end(
            f"the environment variable {options.key} is not set: export {options.key}=… before the arena starts, and name it "
            "under `environment` in bot.toml (in a sandbox a bot has it only with `network = true`)"
        )
    if key and not re.fullmatch(r"[!#-\[\]-~]{8,}", key):
        end(f"the environment variable {options.key} has no key: it is short, or has blanks, quotes or line ends")
    return key


def read_options():
    parser = argparse.ArgumentParser()
    for name in "endpoint", "model", "key", "legal", "prompt":
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--body", type=json.loads, default={})
    for name in "price-in", "price-out", "patience", "first-wait":
        parser.add_argument("--" + name, type=float, required=True)
    options = parser.parse_args()
    if options.legal not in ("shown", "hidden"):
        end(f"legal = {options.legal!r}: write shown or hidden")
    return options


def main():
    options = read_options()
    for stream in sys.stdin, sys.stdout, sys.stderr:
        stream.reconfigure(encoding="utf-8")
    key = os.environ.get(options.key, "").strip()
    sys.stdout, sys.stderr = Scrubbed(sys.stdout, key), Scrubbed(sys.stderr, key)
    player = Player(options)
    for line in sys.stdin:
        message = json.loads(line)
        try:
            if message["type"] == "hello":
                player.hello(message)
                say(type="ready", name="llm", version=options.model)
            elif message["type"] == "turn":
                player.turn(message)
            elif message["type"] == "quit":
                break
        except Refused as refused:
            print("llm:", refused, file=sys.stderr, flush=True)
            say(type="unable", text=str(refused))


if __name__ == "__main__":
    main()
