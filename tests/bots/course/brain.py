import pisqpipe as pp, time
pp.infotext = 'name="pbrain-first", version="1.0"'
taken = set()
def brain_init():
    taken.clear()
    pp.pipeOut('OK')
def brain_restart():
    brain_init()
def brain_my(x, y):
    taken.add((x, y))
def brain_opponents(x, y):
    taken.add((x, y))
def brain_turn():
    time.clock()
    pp.do_mymove(*next((x, y) for x in range(pp.width) for y in range(pp.height) if (x, y) not in taken))
def brain_end():
    pass
for name in ['brain_init', 'brain_restart', 'brain_my', 'brain_opponents', 'brain_turn', 'brain_end']:
    setattr(pp, name, globals()[name])
pp.main()
