"""A local server with OpenAI's interface, which fails as real servers do: `llm_server.py PORT READY [KIND …]`.

Each request gets the next kind of answer. The server creates the file READY when it listens. It plays the first or the
last legal move of the prompt, or the first empty square if the prompt has no legal moves. Its error messages repeat the
key of the request, as those of a real server may.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Answers of the model, with and without a legal move.
ANSWERS = {
    "json": {"content": '{"move": "MOVE"}'},
    "prose": {"content": 'If I played a1, my move: b2 would follow. So not.\n\n{"move": "MOVE"}'},
    "fence": {"content": 'I take it.\n```json\n{\n  "move": "MOVE"\n}\n```\n'},
    "line": {"content": "The best is **Move: MOVE**"},
    "parts": {"content": [{"type": "text", "text": '{"move": "MOVE"}'}]},
    "echo": {"content": 'Your key is KEY. {"move": "MOVE"}'},
    "illegal": {"content": '{"move": "v22"}'},
    "rubbish": {"content": "Corners are good, edges are fine."},
    "refusal": {"content": None, "refusal": "I can't help with that."},
    "long": {"content": None, "reasoning_content": "Let me think. " * 9},
}
# Whole replies: status, body, headers.
REPLIES = {
    "blanks": (200, '\n\n\n{"choices": [{"message": {"content": "{\\"move\\": \\"MOVE\\"}"}}]}', {}),
    "empty": (200, '{"choices": [], "error": {"message": "no provider for KEY"}}', {}),
    "html": (200, "<html>Welcome to this hotel</html>", {}),
    "400": (400, '{"error": {"message": "no such model for KEY"}}', {}),
    "402": (402, '{"error": {"message": "no credit for KEY"}}', {}),
    "quota": (429, '{"error": {"code": "insufficient_quota", "message": "KEY"}}', {}),
    "429": (429, '{"error": {"message": "slow down, KEY"}}', {"Retry-After": "0"}),
    "500": (500, "<html>Internal Server Error</html>", {}),
    "cut": (200, '{"choices": [', {"Content-Length": "1000", "Connection": "close"}),
}
ALL = """json 429 prose illegal fence 500 line rubbish parts hang json cut prose empty fence refusal line reset json long
blanks echo html""".split()


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

    def reply(self, status, text, headers=(), move=""):
        key = (self.headers["Authorization"] or "").replace("Bearer ", "")
        text = text.replace("MOVE", move).replace("KEY", key).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        is_wrong = "wrong" in (self.headers["Authorization"] or "")
        self.reply(401 if is_wrong else 200, '{"error": {"message": "Incorrect API key provided: KEY"}}')

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number, kinds = Handler.number, sys.argv[3:] or ALL
        Handler.number += 1
        kind, move = kinds[number % len(kinds)], move_of(body["messages"][1]["content"], number)
        if kind in ANSWERS:
            choice = {"finish_reason": "length" if kind == "long" else "stop", "message": ANSWERS[kind]}
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            self.reply(200, json.dumps({"choices": [choice], "usage": usage}), move=move)
        elif kind in REPLIES:
            self.reply(*REPLIES[kind], move=move)
        elif kind == "hang":
            self.rfile.read(1)  # returns when the client has closed the connection
        else:
            self.close_connection = True


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
server.daemon_threads = True
open(sys.argv[2], "w").close()
server.serve_forever()
