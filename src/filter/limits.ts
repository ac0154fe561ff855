// The bounds of a condition: each ends a hostile expression before it costs anything, far above what people write.

/** Unicode characters of a condition. */
export const MAX_CONDITION_CHARACTERS = 65_536;
/** Nested brackets, as the parser of Python has it: the next one is refused. */
export const MAX_BRACKETS = 200;
/** Nested operators, calls and subscripts; brackets that only group count nothing. SQLite takes 1,000 levels of an expression, and a
 *  remainder is some 14 of them. */
export const MAX_DEPTH = 50;
/** Operators, names and literals of a condition; the members of a list count apart. */
export const MAX_TERMS = 3_000;
/** Members of one list. */
export const MAX_LIST_MEMBERS = 5_000;
/** Comprehensions of a condition: each is a query of its own for every row. */
export const MAX_COMPREHENSIONS = 20;
/** Names of annotations that a condition reads: each is a join. */
export const MAX_ANNOTATION_NAMES = 32;
/** Keys and positions of one attribute path. */
export const MAX_PATH_STEPS = 32;
/** Digits of an integer, as the parser of the reference has it. */
export const MAX_INTEGER_DIGITS = 4300;
/** Characters of a fragment that a message repeats. */
export const SHOWN_LITERAL_CHARACTERS = 80;
