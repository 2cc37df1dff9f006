"""Runs student code in confined processes and returns the outcome. The path of one check:

judging        asks `parent/runner.py` to run a question under a CPU limit
parent/        runs in the judge's process
  sandbox.py     gives each submission its runner; shared.py: what all submissions of a run share: zygote,
                 scratch folder, control group
  zygote.py      starts the process that imports the libraries; template.py: one with a submission, which
                 forks for each check; forks.py: how both fork; strays.py: ends what checks left running
  exchange.py    sends the question, and watches CPU time, memory and wall time until the answer comes
  running.py     a child process and its pipes: measures, kills, reaps; by_threads.py: the same on Windows
  gatekeeper.py  decides the system calls that the filter refers to the judge
child/         runs in the student's process: main.py confines itself, loads the submission, answers
confine/       offers.py: what this system offers; tiers.py: the tiers; confinement.py applies them: landlock,
               syscalls, namespaces, limits
answers.py     parses the answer, in the judge, which trusts nothing that a child sends
outcome.py     what `parent/` returns; doctor.py tests what each tier prevents
"""
