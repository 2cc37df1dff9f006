"""All benchmarks, one after the other: `make bench`."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

SCRIPTS = ("bench_wait.py", "bench_sandbox.py", "bench_limits.py", "bench_engine.py", "bench_oracle.py")

for script in SCRIPTS:
    print(f"\n==== {script}", flush=True)
    subprocess.run([sys.executable, str(HERE / script)], check=True)
