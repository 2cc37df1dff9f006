/* The report's depth-first memoized search, as one writes it by hand in C.
 *
 * This is the yardstick for bench_engine.py: the same search as
 * grader/research/report_search.py, with the usual means of a C program and
 * no special tuning. A board is a 64-bit set of pegs, the jumps are a list of
 * masks in the order they are tried, the search is a recursive function, and
 * the boards given up on are kept in an open-addressing table (power of two,
 * multiplicative hash, linear probing, at most 3/4 full, doubled by
 * rehashing).
 *
 * Build: cc -O3 -o plain_search plain_search.c
 * Use:   plain_search BOARD ORDER DIRECTIONS
 *        BOARD       file with 8 rows of 8 cells: '.' blocked, '*' peg, 'o' hole
 *        ORDER       normal, out-in or in-out
 *        DIRECTIONS  the letters D, U, R and L in the order they are tried
 * Prints: solved (0 or 1), boards given up on, CPU seconds, peak memory in MiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
    uint64_t all;  /* the three cells of the jump */
    uint64_t pegs; /* the two of them which must have pegs */
} Jump;

static Jump jumps[256];
static int jump_count;

static uint64_t *table; /* 0 is an empty slot */
static uint64_t capacity, used;
static int shift;

static uint64_t *new_table(uint64_t slots)
{
    uint64_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return slot;
}

/* The slot that holds the board, or the empty one where it belongs. */
static inline uint64_t *find(uint64_t board)
{
    uint64_t i = board * UINT64_C(0x9E3779B97F4A7C15) >> shift;
    while (table[i] != 0 && table[i] != board)
        i = (i + 1) & (capacity - 1);
    return &table[i];
}

static void give_up(uint64_t board)
{
    *find(board) = board;
    if (++used * 4 < capacity * 3)
        return;
    uint64_t *old = table, old_capacity = capacity;
    capacity *= 2;
    shift--;
    table = new_table(capacity);
    for (uint64_t i = 0; i < old_capacity; i++)
        if (old[i] != 0)
            *find(old[i]) = old[i];
    free(old);
}

static int search(uint64_t board)
{
    if ((board & (board - 1)) == 0)
        return 1;
    for (int i = 0; i < jump_count; i++) {
        if ((board & jumps[i].all) != jumps[i].pegs)
            continue;
        uint64_t next = board ^ jumps[i].all;
        if (*find(next) == 0 && search(next))
            return 1;
    }
    give_up(board);
    return 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int level_of(int row, int col)
{
    return smaller(smaller(row, 7 - row), smaller(col, 7 - col));
}

static int on_board(int row, int col, uint64_t cells)
{
    return row >= 0 && row < 8 && col >= 0 && col < 8 && (cells >> (8 * row + col) & 1);
}

static void add_jumps_from(int row, int col, uint64_t cells, const char *directions)
{
    for (const char *d = directions; *d != '\0'; d++) {
        int down = (*d == 'D') - (*d == 'U'), right = (*d == 'R') - (*d == 'L');
        if (!on_board(row, col, cells) || !on_board(row + down, col + right, cells) ||
            !on_board(row + 2 * down, col + 2 * right, cells))
            continue;
        int from = 8 * row + col, step = 8 * down + right;
        uint64_t pegs = UINT64_C(1) << from | UINT64_C(1) << (from + step);
        jumps[jump_count].pegs = pegs;
        jumps[jump_count].all = pegs | UINT64_C(1) << (from + 2 * step);
        jump_count++;
    }
}

static void list_jumps(uint64_t cells, const char *order, const char *directions)
{
    int normal = strcmp(order, "normal") == 0, outwards = strcmp(order, "in-out") == 0;
    for (int turn = 0; turn < (normal ? 1 : 5); turn++) /* turn 4: row 7 and column 7 */
        for (int row = 0; row < 8; row++)
            for (int col = 0; col < 8; col++) {
                int level = level_of(row, col);
                int its_turn = row == 7 || col == 7 ? 4 : outwards ? 3 - level : level;
                if (normal || its_turn == turn)
                    add_jumps_from(row, col, cells, directions);
            }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s BOARD ORDER DIRECTIONS\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    uint64_t cells = 0, pegs = 0;
    int cell = 0;
    for (int c; (c = getc(file)) != EOF && cell < 64;) {
        if (c != '.' && c != '*' && c != 'o')
            continue;
        if (c != '.')
            cells |= UINT64_C(1) << cell;
        if (c == '*')
            pegs |= UINT64_C(1) << cell;
        cell++;
    }
    fclose(file);
    if (cell != 64 || pegs == 0 || strlen(argv[3]) != 4) {
        fprintf(stderr, "want 64 cells with at least one peg, and four directions\n");
        return 2;
    }
    list_jumps(cells, argv[2], argv[3]);
    capacity = 1 << 16;
    shift = 64 - 16;
    table = new_table(capacity);
    int solved = search(pegs);

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
                 (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    printf("%d %llu %.3f %.1f\n", solved, (unsigned long long)used, cpu, usage.ru_maxrss / 1024.0);
    return 0;
}
