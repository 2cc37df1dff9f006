/* The winning positions of the English central game, as one counts them by hand in C.
 *
 * This is the yardstick for bench_oracle.py, with the usual means of a C program. 33 holes, the middle one empty
 * at first and the last peg's at the end; positions that are images of one another under the 8 symmetries of the
 * board count as one. A position is a 64-bit set of pegs, a byte a row; of its images the least stands for all.
 * Images come from a table a byte; a jump changes each image by a constant. A level, the positions after one number
 * of jumps, is an open-addressing table (power of two, multiplicative hash, linear probing, at most 2/3 full), whose
 * slots are fetched ahead.
 *
 * Levels 0 to 15 are grown forwards. A jump taken back is a jump of the complement, and the goal is the complement
 * of the start: so a position of level 15 wins when a jump leads to the complement of one, and the levels from 16 on
 * are the complements of those up to 15. What wins in an earlier level is found by taking jumps back.
 *
 * Build: cc -O3 -march=native -pthread -o winning_set winning_set.c
 * Use:   winning_set [THREADS]
 * Prints: the winning positions after 0 to 15 jumps; those of the whole game, wall seconds, CPU seconds, peak MiB.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { HALF = 15, IMAGES = 8, AHEAD = 64, BLOCK = 1 << 12, MOST_THREADS = 64 };

#define HOLES UINT64_C(0x1C1C7F7F7F1C1C)
#define START (HOLES ^ UINT64_C(1) << (8 * 3 + 3))
#define WINS (UINT64_C(1) << 63) /* marks a slot */

typedef struct {
    uint64_t *slots; /* 0 is an empty slot: no position is without pegs */
    uint64_t capacity, count, winning;
    int shift;
} Level;

typedef enum { GROW, MEET, GO_BACK } Task;

static uint64_t images_of[7][256][IMAGES];
static uint64_t change[4][64][IMAGES]; /* images of the three cells of a jump, by direction and first cell */
static const int steps[2] = {1, 8};    /* directions 0 and 1; 2 and 3 are the same backwards */
static Level levels[HALF + 1];
static int threads = 1;

static int image_cell(int way, int row, int col)
{
    if (way & 1)
        row = 6 - row;
    if (way & 2)
        col = 6 - col;
    return way & 4 ? 8 * col + row : 8 * row + col;
}

static void make_tables(void)
{
    for (int row = 0; row < 7; row++)
        for (int value = 0; value < 128; value++)
            for (int way = 0; way < IMAGES; way++)
                for (int col = 0; col < 7; col++)
                    if (value >> col & 1)
                        images_of[row][value][way] |= UINT64_C(1) << image_cell(way, row, col);
    for (int direction = 0; direction < 4; direction++)
        for (int first = 0; first < 56; first++)
            for (int i = 0, cell = first; i < 3; i++) {
                if (cell >= 0 && cell < 56 && cell % 8 != 7)
                    for (int way = 0; way < IMAGES; way++)
                        change[direction][first][way] |= UINT64_C(1) << image_cell(way, cell / 8, cell % 8);
                cell += direction < 2 ? steps[direction] : -steps[direction - 2];
            }
}

static void make_level(Level *level, uint64_t capacity)
{
    level->shift = 64 - 10;
    level->capacity = 1 << 10;
    while (level->capacity < capacity) {
        level->capacity *= 2;
        level->shift--;
    }
    size_t bytes = level->capacity * sizeof *level->slots;
    level->slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (level->slots == MAP_FAILED) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
#ifdef MADV_HUGEPAGE
    madvise(level->slots, bytes, MADV_HUGEPAGE);
#endif
}

static inline uint64_t hash(const Level *level, uint64_t position)
{
    return position * UINT64_C(0x9E3779B97F4A7C15) >> level->shift;
}

/* Put a position into a level; return whether it is new. */
static inline int add(Level *level, uint64_t position)
{
    for (uint64_t i = hash(level, position);; i = (i + 1) & (level->capacity - 1)) {
        uint64_t there = __atomic_load_n(&level->slots[i], __ATOMIC_RELAXED);
        if (there == 0) {
            if (threads == 1) {
                level->slots[i] = position;
                return 1;
            }
            if (__atomic_compare_exchange_n(&level->slots[i], &there, position, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
                return 1;
        }
        if (there == position)
            return 0;
    }
}

/* Mark a position of a level; return whether it is there and was not marked. */
static inline int mark(Level *level, uint64_t position)
{
    for (uint64_t i = hash(level, position);; i = (i + 1) & (level->capacity - 1)) {
        uint64_t there = __atomic_load_n(&level->slots[i], __ATOMIC_RELAXED);
        if (there == position) {
            if (threads > 1)
                return !(__atomic_fetch_or(&level->slots[i], WINS, __ATOMIC_RELAXED) & WINS);
            level->slots[i] |= WINS;
            return 1;
        }
        if (there == 0 || there == (position | WINS))
            return 0;
    }
}

static uint64_t put(Level *level, Task task, const uint64_t *positions, int count)
{
    uint64_t fresh = 0;
    for (int i = 0; i < count; i++)
        fresh += task == GROW ? add(level, positions[i]) : mark(level, positions[i]);
    return fresh;
}

typedef struct {
    Task task;
    Level *from, *to;
    uint64_t next; /* the first slot of `from` that no thread has taken */
    uint64_t fresh;
} Job;

/* Take blocks of positions and put what one jump makes of each into another level. */
static inline __attribute__((always_inline)) void do_task(Job *job, Task task)
{
    uint64_t found[AHEAD], fresh = 0, capacity = job->from->capacity;
    int waiting = 0;
    for (uint64_t start; (start = __atomic_fetch_add(&job->next, BLOCK, __ATOMIC_RELAXED)) < capacity;)
        for (uint64_t slot = start; slot < start + BLOCK && slot < capacity; slot++) {
            uint64_t position = job->from->slots[slot];
            if (position == 0 || (task == GO_BACK && !(position & WINS)))
                continue;
            position &= ~WINS;
            uint64_t images[IMAGES];
            for (int way = 0; way < IMAGES; way++)
                images[way] = task == MEET ? HOLES : 0;
            for (int row = 0; row < 7; row++)
                for (int way = 0; way < IMAGES; way++)
                    images[way] ^= images_of[row][position >> 8 * row & 255][way];
            uint64_t pegs = task == GO_BACK ? HOLES ^ position : position, empty = HOLES ^ pegs;
            uint64_t jumps[4] = {
                pegs & pegs >> 1 & empty >> 2,
                pegs & pegs >> 8 & empty >> 16,
                pegs & pegs << 1 & empty << 2,
                pegs & pegs << 8 & empty << 16,
            };
            for (int direction = 0; direction < 4; direction++)
                for (uint64_t left = jumps[direction]; left != 0; left &= left - 1) {
                    const uint64_t *changed = change[direction][__builtin_ctzll(left)];
                    uint64_t least = UINT64_MAX;
                    for (int way = 0; way < IMAGES; way++) {
                        uint64_t image = images[way] ^ changed[way];
                        least = image < least ? image : least;
                    }
                    __builtin_prefetch(&job->to->slots[hash(job->to, least)]);
                    found[waiting++] = least;
                    if (waiting == AHEAD) {
                        fresh += put(job->to, task, found, waiting);
                        waiting = 0;
                    }
                }
        }
    fresh += put(job->to, task, found, waiting);
    __atomic_fetch_add(&job->fresh, fresh, __ATOMIC_RELAXED);
}

static void *run_thread(void *argument)
{
    Job *job = argument;
    if (job->task == GROW)
        do_task(job, GROW);
    else if (job->task == MEET)
        do_task(job, MEET);
    else
        do_task(job, GO_BACK);
    return NULL;
}

/* Do a task in all threads; return how many positions were put into a level or marked there. */
static uint64_t run(Task task, Level *from, Level *to)
{
    Job job = {task, from, to, 0, 0};
    pthread_t started[MOST_THREADS];
    int others = from->capacity > 4 * BLOCK ? threads - 1 : 0;
    for (int i = 0; i < others; i++)
        if (pthread_create(&started[i], NULL, run_thread, &job) != 0) {
            fprintf(stderr, "no thread\n");
            exit(1);
        }
    run_thread(&job);
    for (int i = 0; i < others; i++)
        pthread_join(started[i], NULL);
    return job.fresh;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* The peak of this program; that of getrusage would be its parent's, if that has more. */
static double peak_mib(void)
{
    double kib = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    if (file != NULL) {
        while (fgets(line, sizeof line, file) != NULL)
            if (strncmp(line, "VmHWM:", 6) == 0)
                kib = strtod(line + 6, NULL);
        fclose(file);
    }
    return kib / 1024;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        threads = atoi(argv[1]);
    if (argc > 2 || threads < 1 || threads > MOST_THREADS) {
        fprintf(stderr, "usage: %s [THREADS]\n", argv[0]);
        return 2;
    }
    double before = seconds(CLOCK_MONOTONIC);
    make_tables();
    make_level(&levels[0], 1);
    levels[0].count = 1;
    add(&levels[0], START); /* it is its own image */
    for (int n = 0; n < HALF; n++) {
        make_level(&levels[n + 1], 4 * levels[n].count); /* no level has 2.7 times as many as one of > 1,000 */
        levels[n + 1].count = run(GROW, &levels[n], &levels[n + 1]);
    }
    levels[HALF].winning = run(MEET, &levels[HALF], &levels[HALF]);
    for (int n = HALF; n > 0; n--)
        levels[n - 1].winning = run(GO_BACK, &levels[n], &levels[n - 1]);
    double wall = seconds(CLOCK_MONOTONIC) - before;

    uint64_t total = 0;
    for (int n = 0; n <= HALF; n++) {
        printf("%llu%c", (unsigned long long)levels[n].winning, n == HALF ? '\n' : ' ');
        total += 2 * levels[n].winning;
    }
    printf("%llu %.4f %.4f %.1f\n", (unsigned long long)total, wall, seconds(CLOCK_PROCESS_CPUTIME_ID),
           peak_mib());
    return 0;
}
