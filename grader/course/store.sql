-- The data of a class run. Results belong to a task's files and a setting, not to a student: the same files are
-- graded only once, even if several students hand them in or one student hands them in again.

CREATE TABLE IF NOT EXISTS students (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, section TEXT NOT NULL,
    on_roster INTEGER NOT NULL, platform_id TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS attempts (
    student TEXT NOT NULL REFERENCES students, number INTEGER NOT NULL,
    handed_in TEXT,  -- ISO 8601 in UTC
    place TEXT NOT NULL, problem TEXT NOT NULL, help TEXT NOT NULL, late_by_platform INTEGER NOT NULL,
    slips TEXT NOT NULL,  -- JSON: a text for each
    new TEXT NOT NULL,  -- JSON: the names of the files that are no older attempt's; null: all
    PRIMARY KEY (student, number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS sources (  -- the files of a task as handed in, or why they cannot be read
    digest TEXT PRIMARY KEY,
    files TEXT NOT NULL,  -- JSON: the digest of each file's text, by its name
    problem TEXT NOT NULL, help TEXT NOT NULL,
    raw TEXT NOT NULL DEFAULT '',  -- with a problem: a digest of the bytes, if there are any; or "unread"
    missing INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS texts (  -- each text once: UTF-8, packed by zlib
    digest TEXT PRIMARY KEY, packed BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS answers (  -- the files of an attempt for a task
    student TEXT NOT NULL, number INTEGER NOT NULL, task TEXT NOT NULL, sources TEXT NOT NULL REFERENCES sources,
    PRIMARY KEY (student, number, task), FOREIGN KEY (student, number) REFERENCES attempts ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS settings (  -- everything else that a task's grading depends on: a digest for each part that can change
    digest TEXT PRIMARY KEY, task TEXT NOT NULL, parts TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tasks (  -- the tasks of the last run, in order, and their setting
    name TEXT PRIMARY KEY, position INTEGER NOT NULL, setting TEXT NOT NULL REFERENCES settings
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS graded (
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, sources TEXT NOT NULL REFERENCES sources,
    setting TEXT NOT NULL REFERENCES settings, tier INTEGER NOT NULL, time_factor REAL NOT NULL,
    points INTEGER NOT NULL, max_points INTEGER NOT NULL,
    again INTEGER NOT NULL,  -- 1: to be graded again, because the grader failed or the instructor wants it
    made TEXT NOT NULL DEFAULT '',  -- JSON: when and by what it was graded; empty if that is unknown
    UNIQUE (task, sources, setting)
);

CREATE TABLE IF NOT EXISTS begun (  -- the results of visible checks, until those of the hidden ones are there as well
    task TEXT NOT NULL, sources TEXT NOT NULL REFERENCES sources, setting TEXT NOT NULL REFERENCES settings,
    tier INTEGER NOT NULL, results TEXT NOT NULL,  -- JSON: a text for each, not settled yet
    PRIMARY KEY (task, sources, setting)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS checks (
    graded INTEGER NOT NULL REFERENCES graded ON DELETE CASCADE, position INTEGER NOT NULL,
    board TEXT NOT NULL, verdict TEXT NOT NULL, points INTEGER NOT NULL, max_points INTEGER NOT NULL,
    unsolvable INTEGER, cpu_s REAL NOT NULL, message TEXT NOT NULL,
    result TEXT NOT NULL,  -- the whole record, as JSON
    PRIMARY KEY (graded, position)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- each attempt's result in each task, under the setting of the last run; graded is NULL if not graded yet
CREATE VIEW IF NOT EXISTS standing AS
    SELECT answers.student, answers.number, answers.task, tasks.position, answers.sources, graded.id AS graded,
           graded.points, graded.max_points, coalesce(graded.again, 1) AS again
    FROM answers JOIN tasks ON tasks.name = answers.task
    LEFT JOIN graded ON graded.task = answers.task AND graded.sources = answers.sources
        AND graded.setting = tasks.setting;
CREATE INDEX IF NOT EXISTS answers_by_sources ON answers (task, sources);
