"""All benchmarks, one after the other: `make bench`."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

for script in ("bench_wait.py", "bench_sandbox.py", "bench_limits.py", "bench_engine.py"):
    print(f"\n==== {script}", flush=True)
    subprocess.run([sys.executable, str(HERE / script)], check=True)
