"""How much memory a program has held at most: told by the program itself, of what it did alone.

The figure that `resource` gives of a process also counts what the one that started it held then, because both
are the same until the program is read: a run of tests with much in memory would hide what is measured.
"""

#: Code for ``python -c``; after it, ``peak()`` gives bytes.
PEAK = """
import re, resource, sys

def peak():
    if sys.platform == "linux":
        with open("/proc/self/status") as stream:
            return int(re.search(r"VmHWM:\\s+(\\d+) kB", stream.read())[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
"""
