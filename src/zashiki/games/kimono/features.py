from zashiki.core.gears import rule
FEATURES=1
@rule
def observe(view, seat, tensor):
    tensor[:] = 0
