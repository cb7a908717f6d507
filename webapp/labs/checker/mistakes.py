"""The mistakes that have names, and what to do about each. Knows nothing else."""

from typing import NamedTuple


class Mistake(NamedTuple):
    name: str
    advice: str


MISTAKES = {
    "does-not-parse": Mistake(
        "The file is not valid Python",
        "Python cannot read the line named above. Look there, and at the end of the line before it: a"
        " missing colon, bracket or quote is the usual cause.",
    ),
    "not-utf-8": Mistake(
        "The file is not saved as UTF-8",
        'Its letters are stored in another way (an encoding such as UTF-16). Open it in your editor, choose "Save '
        'as" or "Save with encoding", and take UTF-8. In PowerShell, > can write such files.',
    ),
    "plays-at-once": Mistake(
        "The game starts as soon as the file is loaded",
        'Put the call that starts the game under  if __name__ == "__main__":  so that the functions '
        "can be used without playing.",
    ),
    "missing-module": Mistake(
        "A module is not there",
        "A module that your file imports is neither in Python's library nor beside your file. Put modules of your own "
        "into the same folder, and leave out what only draws or decorates.",
    ),
    "not-written": Mistake(
        "Not written yet",
        "The body of this function is still empty: write it and check again.",
    ),
    "follows": Mistake(
        "This may only follow from a mistake above",
        "Mend the function that is named there first, and check again.",
    ),
    "nothing-returned": Mistake(
        "Nothing is returned",
        "The function came to its end without a return, so Python returned None. Look at each way through "
        "the function: an if without its else, a loop that runs out, a return that is missing.",
    ),
    "prints-along": Mistake(
        "It prints while it works",
        "Take the print calls out of these functions before you hand the file in.",
    ),
    "prints-not-returns": Mistake(
        "Printed instead of returned",
        "print() shows a value to a person; return hands it to the function that asked. Use return "
        "here.",
    ),
    "returns-not-prints": Mistake(
        "Returned instead of printed",
        "This function is asked to show the board: use print() in it.",
    ),
    "changed-in-place": Mistake(
        "The board is changed in place",
        "The board you were given must stay as it is. Note that board.copy(), board[:] and "
        "list(board) copy the outer list only: the rows inside are still the same rows. Use "
        "copy.deepcopy(board), or [row[:] for row in board].",
    ),
    "not-undone": Mistake(
        "A trial move is not taken back",
        "Each mark that the search sets must be taken away again after the recursive call, also on "
        "the way out through an early return.",
    ),
    "swapped": Mistake(
        "Min and max are swapped",
        "Your search picks the worst move where it should pick the best one. Compare which side uses "
        "max and which uses min with which side the value +1 belongs to.",
    ),
    "turn-ignored": Mistake(
        "Whose turn it is, is ignored",
        "The same is done for X and for O. Ask who is to move, from the number of marks or from the "
        "argument, and let the other side move after that.",
    ),
    "first-win": Mistake(
        "Stops at the first win",
        "Your search stops as soon as it sees some way to win, as if the opponent helped. The "
        "opponent will not: at the opponent's turn take the value that is worst for you.",
    ),
    "plays-on": Mistake(
        "Plays on after a win",
        "Your search goes on until the board is full. A line of three ends the game: test for it "
        "first, before any further move is tried.",
    ),
    "looks-one-ahead": Mistake(
        "Looks one move ahead only",
        "Your search takes a win that is there, but does not see what the opponent will answer. Call "
        "it again for the other side until the game is over.",
    ),
    "looks-few-ahead": Mistake(
        "Looks only a few moves ahead",
        "Your search stops before the game is over and counts the unknown rest as a draw. A board of "
        "nine cells is small enough to search to the very end.",
    ),
    "rules-of-thumb": Mistake(
        "Plays by simple rules",
        "Your program wins where it can, blocks where it must, and otherwise prefers the centre and the "
        "corners. That looks strong, but it does not see two threats at once coming. Search to the "
        "end of the game instead.",
    ),
    "no-search": Mistake(
        "Takes the first free cell",
        "The move does not depend on what it leads to. Compare the values of the moves before you "
        "choose.",
    ),
    "draw-as-loss": Mistake(
        "A draw counts as a loss",
        "Give a draw the value 0, between a win and a loss: it is better than losing.",
    ),
    "draw-as-win": Mistake(
        "A draw counts as a win",
        "Give a draw the value 0, between a win and a loss: it is worse than winning.",
    ),
    "bound-as-value": Mistake(
        "A bound is taken for a value",
        "After a cut-off the value that comes back is only a bound: the true one may be worse. So at "
        "the root take another move only when it is strictly better (>, not >=).",
    ),
    "signs-reversed": Mistake(
        "The signs are reversed",
        "All values come back with the wrong sign: plus and minus belong to the other side.",
    ),
    "depth-in-score": Mistake(
        "The depth is mixed into the value",
        "The sign is right, but this lab asks for +1, 0 or -1. Keep preferring quick wins if you "
        "like, but not in the value that is returned.",
    ),
    "infinity": Mistake(
        "Infinity came back",
        "The starting value of the comparison was returned: on this board no move was tried. Test for"
        " a finished game, draws included, before the loop.",
    ),
    "depth-ignored": Mistake(
        "The depth is ignored",
        "This is no mistake, the value is the same. But where a win is there at once, your program "
        "may take a longer way. Count the moves (that is what a depth is for) and among wins prefer "
        "the quickest.",
    ),
    "negative-index": Mistake(
        "A negative index is accepted",
        "In Python board[-1] is the last row, so Python itself raises no error. Test that row and column "
        "lie between 0 and 2, or that the action is one of actions(board).",
    ),
    "only-first-two": Mistake(
        "More than two numbers are taken for a move",
        "Only the first two were used. Test that the line holds exactly two numbers.",
    ),
    "taken-cell": Mistake(
        "A taken cell is overwritten",
        "A move to a cell that holds a mark must be refused: test that the cell is empty first.",
    ),
    "no-lines": Mistake(
        "No bars or lines in the board",
        "Print a bar between the cells of a row, and a line such as ----- between the rows.",
    ),
    "more-than-the-move": Mistake(
        "More than the move is returned",
        "Only the move (row, column) is asked for. Where the search needs the value as well, let a second function "
        "return both, and take the move out of its answer.",
    ),
    "list-for-set": Mistake(
        "A list instead of a set",
        "The assignment asks for a set: write {...} or set(...) around the moves.",
    ),
    "lists-for-tuples": Mistake(
        "Lists instead of tuples",
        "A move is a tuple: (1, 2), not [1, 2].",
    ),
    "other-order": Mistake(
        "Another order",
        "Go through the rows from the top, and in each row from the left.",
    ),
    "line-forgotten": Mistake(
        "A kind of line is forgotten",
        "There are eight lines: three rows, three columns and both diagonals. Check the indices of "
        "those named above.",
    ),
    "empty-line": Mistake(
        "Three empty cells count as a line",
        "Three equal cells are a line only if they are not empty: test that, too.",
    ),
    "draw-too-early": Mistake(
        "A full board counts as a draw before the lines are checked",
        "The last move can win. Look for lines first, and only then for empty cells.",
    ),
    "draw-forgotten": Mistake(
        "A full board without a line is not the end",
        "When nobody has a line and no cell is empty, the game is over, too: test for empty cells after the lines.",
    ),
    "not-a-boolean": Mistake(
        "Not a boolean",
        "Return True or False itself: a comparison or bool(...) gives one.",
    ),
    "shared-board": Mistake(
        "Every game shares one board",
        "Each call must make new lists. [[EMPTY] * 3] * 3 is three times the same row, and a list "
        "made outside the function is the same list each time.",
    ),
    "never-ends": Mistake(
        "It does not come to an end",
        "Look for a while loop whose condition never changes, for a recursion that is not told "
        "when the game is over, or a sleep or input().",
    ),
    "slow": Mistake(
        "Right so far, but too slow",
        "Do less for each board: copy only what changes, do not count all marks again, and stop looking once a "
        "move cannot be better (alpha-beta pruning).",
    ),
    "calls-itself-for-ever": Mistake(
        "It calls itself for ever",
        "The recursion never reaches a finished board. Test for the end of the game first, and make "
        "sure that each call has one empty cell less.",
    ),
    "prints-flood": Mistake(
        "It prints without end",
        "Look for a loop in the game that never ends: it prints again and again and never waits for a move.",
    ),
    "ends-the-program": Mistake(
        "It ends the program",
        "exit(), quit() and sys.exit() end everything, also the program that uses your function. Use "
        "return.",
    ),
    "eats-memory": Mistake(
        "It uses too much memory",
        "A search of tic-tac-toe needs very little. Look for a list that only grows.",
    ),
    "nothing-pruned": Mistake(
        "Nothing is pruned",
        "As many boards are visited as by plain minimax. Hand alpha and beta on to the recursive "
        "calls, raise alpha (lower beta) as values come in, and leave the loop once alpha >= beta.",
    ),
    "prunes-late": Mistake(
        "Prunes later than it could",
        "The answers are right. But leave the loop on equality, too (alpha >= beta, not alpha > "
        "beta), and hand the new bounds on to the next call.",
    ),
}
