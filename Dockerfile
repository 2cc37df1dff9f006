# An image to grade a class in; docs/install.md says how to run it.
#
# What the sandbox needs: Linux 5.13 or later under the container, and libseccomp2. No privilege, no capability and no
# option of `docker run`: Landlock and the filter of system calls (tier 2) are meant for ordinary users, and Docker's own
# filter lets them through. Tier 3 and control groups need more than a container has by default; `grade doctor` says what.
FROM python:3.13-slim-bookworm

RUN apt-get update \
    && apt-get install --yes --no-install-recommends libseccomp2 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home grader

# The libraries, at the versions of uv.lock; a change of the course does not install them again.
WORKDIR /opt/peg-solitaire
RUN pip install --no-cache-dir uv==0.13.9
ENV UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1
COPY pyproject.toml uv.lock ./
RUN uv sync --locked --no-dev --extra class --extra play --no-install-project
ENV PATH=/opt/peg-solitaire/.venv/bin:$PATH

# The course. Grading the reference stops the build where the grader does not work, and writes the bytecode for `python -O`,
# which the user below cannot write.
COPY . .
RUN uv sync --locked --no-dev --extra class --extra play \
    && XDG_CACHE_HOME=/tmp/built grade peg1 --reference \
    && rm -rf /tmp/built

# Any other user will do as well: with --user "$(id -u):$(id -g)" the results belong to whoever typed it.
ENV XDG_CACHE_HOME=/tmp/cache
USER grader
WORKDIR /work
ENTRYPOINT ["grade"]
CMD ["doctor"]
