import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'hello':
        print(json.dumps({'type': 'ready'}), flush=True)
    elif m['type'] == 'turn':
        print(json.dumps({'type': 'move', 'move': None}), flush=True)
    elif m['type'] == 'quit':
        break
