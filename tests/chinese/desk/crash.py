import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'hello':
        print(json.dumps({'type': 'ready'}), flush=True)
    elif m['type'] == 'turn':
        raise KeyError('bord')
    elif m['type'] == 'quit':
        break
