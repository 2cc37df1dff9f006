import sys

frame = sys._getframe()
while frame is not None:
    channel = frame.f_locals.get("channel")
    if channel is not None:
        values = [["n", "\U0001f600" * 40]]
        told = {"failure": "contract", "type": "AssertionError", "text": "x", "file": "peg1.py", "line": 1}
        channel.send({**told, "condition": "assert x", "values": values})
        while True:
            channel.read()
    frame = frame.f_back
