"""Which bug of the task `examples` stands for which mutant of tests/mutants, and why some mutants have none.

A bug of `grader/judging/examples/bugs.py` is a switch of a simulated program; a mutant is the reference with one
edit. test_examples.py holds the table to both lists, and runs the mutants of SAME beside their bugs.
"""

# The mutant answers as the simulated program does: the same number, and caught or not.
SAME = {
    "client:moves-packed-end-first": "packs the end before the start",
    "client:col-end-by-base-ten": "unpacks by base ten",
    "client:row-start-shifted-too-little": "unpacks with a wrong shift",
    "client:key-adds-up-cells": "the key is a sum of cells",
    "client:key-of-32-bits": "the key is the lower half",
    "client:key-takes-holes-for-pegs": "the key is the same for all",
    "peg1:never-up": "never up",
    "peg1:up-is-slantwise": "up is slantwise",
    "peg1:lands-above-the-board": "lands above the board",
    "peg1:lands-left-of-the-board": "lands left of the board",
    "peg1:lands-below-the-board": "lands below the board",
    "peg1:never-lands-in-row-7": "never lands in the last row",
    "peg1:never-lands-in-column-0": "never lands in the first column",
    "peg1:jumps-over-blocked-cells": "jumps over blocked cells",
    "peg1:jumps-over-holes": "jumps over holes",
    "peg1:lands-on-blocked-cells": "lands on blocked cells",
    "peg1:jumping-peg-vanishes": "the jumping peg vanishes",
    "peg1:jumped-peg-does-not-return": "the jumped peg does not return",
    "peg1:landing-is-not-cleared": "the landing is not cleared",
    "peg1:pushes-the-jumped-cell": "pushes the cell jumped over",
    "peg1:jump-takes-no-peg": "a jump takes no peg",
    "peg1:two-pegs-are-enough": "two pegs are solved",
    "peg1:forgets-a-play-that-is-stuck": "forgets where it got stuck",
    "peg2:no-take-back": "takes nothing back",
    "peg2:takes-back-one-direction-on": "takes another direction back",
    "peg2:pushes-on-the-way-down": "the first move lies at the bottom",
    "peg2:goes-on-after-a-solution": "pushes every solution",
    "peg2:one-jump-a-peg": "one jump a peg",
    "peg2:last-column-not-looked-at": "does not look at the last column",
    "peg2:counts-its-own-jump": "counts its own jump only",
    "peg2:a-huge-number-stays": "a huge number stays",
    "peg2:two-pegs-are-good-enough": "two pegs are good enough",
    "peg3:tells-of-its-last-child": "tells the table of the last child",
    "peg3:known-boards-are-won": "known boards are won",
    "peg3:fewest-is-forgotten": "the fewest pegs are forgotten",
    "peg3:returns-before-taking-back": "known boards are not taken back",
    "peg3:known-boards-end-the-loop": "known boards end the loop",
    "peg3:blocked-cells-are-holes": "lands on blocked cells",
    "peg3:small-keys": "the key is a larger remainder",
    "peg3:transposed": "the key is the same after transposing",
    "peg5:class-of-one-diagonal-twice": "one diagonal twice",
    "peg5:ends-only-on-holes": "ends only on holes",
    "peg5:ends-only-on-pegs": "ends only on pegs",
    "peg5:winning-boards-are-solved": "winning boards are solved",
}

_COMPILED = "as plain Python it crashes; the bug is what compiled code does, which reads the next row"
_OWN_ORDER = "its answers depend on the order in which the reference's peg4 tries the jumps"

# The same thing is wrong, but the answers on a single board may differ: the bug and why.
ALIKE = {
    "peg1:lands-right-of-the-board": ("lands right of the board", _COMPILED),
    "peg3:lands-in-the-next-row": ("lands right of the board", _COMPILED),
    "peg3:asks-with-another-key": (
        "finds nothing in the table",
        "now and then a key plus some pegs is another board's key",
    ),
    "peg3:random-hash": ("finds nothing in the table", "now and then the right chain is drawn"),
    "peg4:records-nothing": ("finds nothing in the table", _OWN_ORDER),
    "peg4:best-jump-only": ("tries the best jump only", _OWN_ORDER),
    "peg4:last-jump-is-lost": ("loses the last jump", _OWN_ORDER),
    "peg4:small-keys": ("the key is a remainder", _OWN_ORDER),
    "peg4:gives-up-after-a-while": (
        "gives up after a while",
        "it gives up at 2,000 keys, the bug at 500, which a small board can reach",
    ),
    "peg5:meets-one-layer-early": (
        "meets one layer early",
        "it shows only where the table of winning boards is cut off, which no small board needs",
    ),
    "peg5:goes-back-one-jump-less": (
        "meets one layer early",
        "it, too, asks a table for boards of one peg more than it has, and only where the table is cut off",
    ),
    "peg5:back-without-the-first-column": (
        "does not look at the first column",
        "it does not look there on the way back only, so it loses the boards that win from there",
    ),
    "peg5:images-in-the-table": (
        "the key is the same in a mirror",
        "its mirror is the middle of seven columns, the bug's that of eight",
    ),
}

_SLOWER = "it answers every board rightly, and is only slower; a board cannot show it in few positions"
_TABLE = "peg_solve answers every board rightly; only the size of the table of winning boards shows it"
_MEETS = "it goes wrong where the two searches meet, or in a function that is asked by itself"

# No bug of the list: why.
NONE = {
    "peg4:looks-at-the-board-before": _SLOWER,
    "peg4:ugliest-first": _SLOWER,
    "peg5:no-class": _SLOWER,
    "peg5:goes-back-one-jump-more": _TABLE,
    "peg5:table-of-the-class-only": _TABLE,
    "peg5:back-onto-blocked-cells": _TABLE,
    "peg5:meets-one-peg-later": _MEETS,
    "peg5:meets-by-the-number-of-pegs": _MEETS,
    "peg5:last-jumps-on-top": _MEETS,
    "peg5:colours-of-the-board-alone": _MEETS,
    "peg5:back-and-not-forth": "which boards are missing in its table depends on one program's search back",
}
