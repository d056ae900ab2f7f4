import json
said = json.loads(input())
cells = {(3, 3): 0, (4, 4): 0, (4, 3): 1, (3, 4): 1}
def play(x, y, own):
    found = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line, at = [], (x + dx, y + dy)
            while cells.get(at) == 1 - own:
                line.append(at)
                at = (at[0] + dx, at[1] + dy)
            if line and cells.get(at) == own:
                found += line
    return found
def put(x, y, own):
    if x >= 0:
        for square in play(x, y, own) + [(x, y)]:
            cells[square] = own
own = 1 if said['requests'][0]['x'] < 0 else 0
for turn, request in enumerate(said['requests']):
    put(request['x'], request['y'], 1 - own)
    if turn < len(said['responses']):
        put(said['responses'][turn]['x'], said['responses'][turn]['y'], own)
x, y = next((x, y) for x in range(8) for y in range(8) if (x, y) not in cells and play(x, y, own))
print(json.dumps({'response': {'x': x, 'y': y}}))
