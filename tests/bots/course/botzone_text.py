lines = [tuple(map(int, input().split())) for _ in range(2 * int(input()) - 1)]
while True:
    answer = next((x, y) for x in range(15) for y in range(15) if (x, y) not in lines)
    print(*answer)
    print('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<', flush=True)
    lines += [answer, tuple(map(int, input().split()))]
