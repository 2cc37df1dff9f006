"""Runs student code in confined processes and returns the outcome. The path of one check:

judging        asks `parent/runner.py` to run a question under a CPU limit
parent/        runs in the judge's process
  sandbox.py     what all submissions of a run share: the zygote and a folder for temporary files
  zygote.py      starts the process that has imported the libraries, and has it fork one for each check
  exchange.py    sends a question, and watches CPU time, memory and wall time until the answer comes
  running.py     a child process and its pipes: measures, kills, reaps
portable.py    the same on macOS and Windows, and what is needed below tier 2
child/         runs in the student's process: main.py forks, confines itself, loads the submission, answers
confine/       offers.py: what this system offers; tiers.py: the tiers; reach.py applies them: landlock,
               syscalls, namespaces, limits
answers.py     parses the answer, in the judge, which trusts nothing that a child sends
asking.py      what the judge asks with, and the outcome; doctor.py tests what each tier prevents
"""
