"""An endpoint of the OpenAI shape on loopback, which fails as the real ones do: `llm_server.py PORT READY [KIND …]`.

The kinds take turns, one for each request; the file READY appears when it listens. It plays the first or the last legal
move of the prompt, or the first empty square of a board whose legal moves are hidden. Wherever a real server might repeat
the key that it was sent, this one does.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ALL = """json 429 prose illegal fence 500 line rubbish parts hang json cut prose empty fence refusal line reset json long
blanks 429-date echo html""".split()


def move_of(prompt, number):
    legal = re.search(r"Legal moves: (.*)", prompt)
    if legal:
        return legal[1].split()[-(number % 2)]
    rows = re.findall(r"^ *(\d+) ([XO. ]+)$", prompt, re.MULTILINE)
    return next("abcdefghijklmnopqrstuv"[row.split().index(".")] + number for number, row in rows if "." in row)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    number = 0

    def log_message(self, *_):
        pass

    def key(self):
        return (self.headers.get("Authorization") or "").replace("Bearer ", "")

    def reply(self, status, body, headers=(), length=None):
        text = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(length or len(text)))
        self.end_headers()
        self.wfile.write(text)

    def say(self, content, reason="stop", **message):
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content, **message}}
        self.reply(200, {"object": "chat.completion", "choices": [choice], "usage": usage})

    def do_GET(self):
        if "wrong" in self.key():
            self.reply(401, {"error": {"message": f"Incorrect API key provided: {self.key()}"}})
        else:
            self.reply(200, {"data": []})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number, kinds = Handler.number, sys.argv[3:] or ALL
        Handler.number += 1
        kind = kinds[number % len(kinds)]
        move = move_of(body["messages"][1]["content"], number)
        answer = json.dumps({"move": move})
        if kind == "json":
            self.say(answer)
        elif kind == "prose":
            self.say(f"If I played a1, my move: b2 would follow. So not.\n\n{answer}")
        elif kind == "fence":
            self.say(f"I take it.\n```json\n{{\n  \"move\": \"{move.upper()}\"\n}}\n```\n")
        elif kind == "line":
            self.say(f"The best is **Move: {move}**")
        elif kind == "parts":
            self.say([{"type": "text", "text": answer}])
        elif kind == "echo":
            self.say(f"Your key is {self.key()}. {answer}")
        elif kind == "illegal":
            self.say('{"move": "v22"}')
        elif kind == "rubbish":
            self.say("Corners are good, edges are fine.")
        elif kind == "refusal":
            self.say(None, refusal="I can't help with that.")
        elif kind == "long":
            self.say(None, reason="length", reasoning_content="Let me think. " * 9)
        elif kind == "empty":
            self.reply(200, {"choices": [], "error": {"message": f"no provider for {self.key()}"}})
        elif kind == "429":
            self.reply(429, {"error": {"message": f"slow down, {self.key()}"}}, [("Retry-After", "0")])
        elif kind == "429-date":
            self.reply(429, "", [("Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT")])
        elif kind == "500":
            self.reply(500, "<html>Internal Server Error</html>")
        elif kind == "html":
            self.reply(200, "<html>Welcome to this hotel</html>")
        elif kind == "400":
            self.reply(400, {"error": {"message": f"no model {body['model']} for {self.key()}"}})
        elif kind == "blanks":
            text = "\n\n\n" + json.dumps({"choices": [{"message": {"content": answer}}]})
            self.reply(200, text)
        elif kind == "cut":
            self.reply(200, '{"choices": [', length=1000)
            self.close_connection = True
        elif kind == "reset":
            self.close_connection = True
        elif kind == "hang":
            self.rfile.read(1)  # until the client has gone


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
server.daemon_threads = True
open(sys.argv[2], "w").close()
server.serve_forever()
