/* Find weights for the six features of grader/oracle/rule.py by simulated annealing; see docs/rule.md.
 *
 *     cc -O3 -march=native -o find_rule tests/bench/find_rule.c -lm && ./find_rule 1 150 1000 100 25 75 -250
 *
 * The first number is a seed, the others are weights to begin with, in the order of WEIGHTS. Prints the weights that
 * lose fewer games than before, of 20: ten vacancies that stand for all 49 by symmetry, each with the first and with
 * the last of equal jumps. It ends when none is lost: with seeds 1 to 5 after 334 to 46,770 steps, 4 CPU s.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef uint64_t Set; /* of holes: bit 8 * row + col; column 7 is never a hole, so no shift wraps around */
#define COUNT __builtin_popcountll
#define FEATURES 6
#define ROUND 6000 /* steps until it begins again */

static Set english, french, row_of[7], col_of[7], kind[4];
static int weight[FEATURES];
/* The vacancies of an eighth of each board, without those French ones whose class excludes a single peg. */
static const struct { Set *holes; int row, col; } games[] = {
    {&french, 1, 3}, {&french, 2, 3}, {&french, 0, 2}, {&english, 2, 2}, {&english, 1, 3},
    {&english, 0, 2}, {&english, 1, 2}, {&english, 0, 3}, {&english, 2, 3}, {&english, 3, 3},
};
#define GAMES (int)(sizeof games / sizeof *games)
static double chance(void) { return (rand() + 0.5) / (RAND_MAX + 1.0); }
static Set shifted(Set set, int by) { return by > 0 ? set << by : set >> -by; }
static const int side[4] = {1, -1, 8, -8};
static Set starts(Set pegs, Set holes, int way) { /* the pegs that can jump this way */
    return pegs & shifted(pegs, -side[way]) & shifted(holes & ~pegs, -2 * side[way]);
}

static int groups(Set left) {
    int found = 0;
    for (; left; found++) {
        Set group = left & -left, before = 0;
        while (group != before) {
            before = group;
            Set wide = (group | group << 1 | group >> 1) & 0x7f7f7f7f7f7f7f7fULL; /* without column 7 */
            group = (wide | wide << 8 | wide >> 8) & left;
        }
        left &= ~group;
    }
    return found;
}

static int64_t value(Set pegs, Set holes) { /* times the number of pegs, which is the same after each jump */
    int64_t count = COUNT(pegs), rows = 0, cols = 0, squares = 0, largest = 0;
    for (int i = 0; i < 7; i++) {
        int in_row = COUNT(pegs & row_of[i]), in_col = COUNT(pegs & col_of[i]);
        rows += i * in_row, cols += i * in_col, squares += i * i * (in_row + in_col);
    }
    for (int i = 0; i < 4; i++) largest = fmax(largest, COUNT(pegs & kind[i]));
    Set taken = 0, busy = 0;
    for (int way = 0; way < 4; way++) {
        Set from = starts(pegs, holes, way);
        taken |= shifted(from, side[way]), busy |= from;
    }
    int threes = COUNT(pegs & pegs >> 1 & pegs >> 2) + COUNT(pegs & pegs >> 8 & pegs >> 16);
    return weight[0] * (count * squares - rows * rows - cols * cols)
        + count * (weight[1] * largest + weight[2] * groups(pegs) + weight[3] * threes
                   + weight[4] * COUNT(pegs & ~busy & ~taken) + weight[5] * COUNT(taken));
}

static int left_over(Set pegs, Set holes, int last) { /* how many pegs the rule leaves */
    for (;;) {
        Set best = 0;
        int64_t lowest = INT64_MAX;
        for (int way = 0; way < 4; way++)
            for (Set from = starts(pegs, holes, way); from; from &= from - 1) {
                Set peg = from & -from, after = pegs ^ peg ^ shifted(peg, side[way]) ^ shifted(peg, 2 * side[way]);
                int64_t found = value(after, holes);
                if (found < lowest || (last && found == lowest)) lowest = found, best = after;
            }
        if (!best) return COUNT(pegs);
        pegs = best;
    }
}

static double cost(double most, int *lost) { /* of all games; more than `most` if it is more */
    double sum = *lost = 0;
    for (int i = 0; i < 2 * GAMES && sum <= most; i++) {
        Set holes = *games[i / 2].holes;
        int pegs = left_over(holes ^ 1ULL << (8 * games[i / 2].row + games[i / 2].col), holes, i % 2);
        if (pegs > 1) ++*lost, sum += 1 + 0.12 * (pegs - 2);
    }
    return sum;
}

int main(int count, char **given) {
    if (count != 2 + FEATURES) return fprintf(stderr, "find_rule SEED WEIGHTS\n"), 2;
    srand(atoi(given[1]));
    for (int row = 0; row < 7; row++)
        for (int col = 0; col < 7; col++) {
            Set hole = 1ULL << (8 * row + col);
            row_of[row] |= hole, col_of[col] |= hole, kind[row % 2 * 2 + col % 2] |= hole;
            if (abs(row - 3) < 2 || abs(col - 3) < 2) english |= hole;
            if (abs(row - 3) + abs(col - 3) < 5) french |= hole;
        }
    int fewest = 2 * GAMES + 1, lost;
    double now = 0;
    for (long step = 0; fewest > 0; step++) {
        int before[FEATURES], first = step % ROUND == 0;
        for (int i = 0; first && i < FEATURES; i++) weight[i] = atoi(given[2 + i]);
        memcpy(before, weight, sizeof weight);
        for (int n = first ? 0 : 1 + rand() % 2; n; n--) {
            int *one = &weight[rand() % FEATURES];
            *one = floor(*one * exp((chance() - 0.5) * (rand() % 2 ? 1 : 0.1)) + chance());
        }
        double heat = 0.04 + 0.3 * exp(-(step % ROUND) / (ROUND / 5.0));
        double most = first ? HUGE_VAL : now - heat * log(chance()), found = cost(most, &lost);
        if (found > most) { memcpy(weight, before, sizeof weight); continue; }
        now = found;
        if (lost >= fewest) continue;
        printf("%2d lost:", fewest = lost);
        for (int i = 0; i < FEATURES; i++) printf(" %d", weight[i]);
        printf("   step %ld\n", step), fflush(stdout);
    }
}
