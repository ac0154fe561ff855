// Patterns of model names, as Python writes them, run over sets of states: the time is the length of the name times that of the
// pattern, whatever both are, so that no pattern backtracks for ever. What needs backtracking is refused: looking around, references
// to groups, atomic groups.
import {
  type CharacterTest,
  type PatternPart,
  type PatternPlace,
  parsePattern,
  patternRefused,
  WORD_CHARACTER,
} from "./pattern-parser.ts";

/** Characters of a pattern. */
const MAX_PATTERN_CHARACTERS = 1024;
/** States of a pattern, after its repetitions are written out. */
const MAX_STATES = 512;
/** Parts that are written out: an empty group adds no state, however often it is repeated. */
const MAX_PARTS = 8192;
/** Characters of a name that are looked at. */
const MAX_MATCHED_CHARACTERS = 256;
/** Steps that one name may take, over all patterns: below 5 ms. */
export const MAX_STEPS_PER_NAME = 200_000;

/** Steps that are left for what shares them; below 0 the answer is not known. A step enters a state, or compares a character. */
export interface StepBudget {
  left: number;
}

export interface NamePattern {
  readonly source: string;
  /** Whether it is found anywhere in the beginning of the name. False when the budget is used up. */
  isFoundIn(name: string, budget?: StepBudget): boolean;
}

/** Indexes of the states that follow: none ends the pattern. */
interface State {
  readonly test: CharacterTest | null;
  readonly place: PatternPlace | null;
  readonly next: readonly number[];
  /** Steps of its test. */
  readonly weight: number;
}

interface CompiledPattern {
  readonly states: readonly State[];
  readonly first: number;
  /** Every match begins where the name does. */
  readonly isAnchored: boolean;
}

/** A name or its beginning, such as (?i)^gpt-4\.1$: right as it stands. Nearly all built-in patterns are of this form. */
const PLAIN = /^(?:\(\?i\))?\^?(?:[\w\-/:@ ]|\\[.+*?()[\]{}|^$\\])+\$?$/;

/** The beginning of a name, which patterns are compared with. */
export function matchedPart(name: string): string {
  if (name.length <= MAX_MATCHED_CHARACTERS) return name;
  // A character has two code units at most.
  return [...name.slice(0, 2 * MAX_MATCHED_CHARACTERS)].slice(0, MAX_MATCHED_CHARACTERS).join("");
}

/** Fails (`models.pattern_invalid`, invalid) for what is no such pattern, and says where. */
export function compileNamePattern(source: string): NamePattern {
  if (source.length > MAX_PATTERN_CHARACTERS && [...source].length > MAX_PATTERN_CHARACTERS)
    throw patternRefused(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  // Hundreds are known at a start, and few are ever looked for.
  const isShortAndPlain = source.length < MAX_STATES && PLAIN.test(source);
  let compiled = isShortAndPlain ? null : compile(source);
  return {
    source,
    isFoundIn(name, budget = { left: MAX_STEPS_PER_NAME }) {
      compiled ??= compile(source);
      return isFound(compiled, [...matchedPart(name)], budget);
    },
  };
}

function compile(source: string): CompiledPattern {
  const part = parsePattern(source);
  const written: Written = { states: [{ test: null, place: null, next: [], weight: 1 }], parts: 0 };
  const first = connect(written, part, 0);
  return { first, states: written.states, isAnchored: isAnchored(written.states, first) };
}

interface Written {
  readonly states: State[];
  parts: number;
}

/** Adds the states of a part in front of the state that follows it, and answers the first of them. */
function connect(written: Written, part: PatternPart, after: number): number {
  if (++written.parts > MAX_PARTS) throw tooManyRepetitions();
  switch (part.kind) {
    case "character":
      return add(written, { test: part.test, place: null, next: [after], weight: part.members });
    case "place":
      return add(written, { test: null, place: part.place, next: [after], weight: 1 });
    case "sequence":
      return part.parts.reduceRight((next, inner) => connect(written, inner, next), after);
    case "choice": {
      const next = part.parts.map((inner) => connect(written, inner, after));
      return add(written, { test: null, place: null, next, weight: 1 });
    }
    case "repeat": {
      let next = after;
      if (part.most === Number.POSITIVE_INFINITY) {
        const following: number[] = [after];
        next = add(written, { test: null, place: null, next: following, weight: 1 });
        following.push(connect(written, part.part, next));
      } else {
        for (let left = part.most - part.least; left > 0; left--) {
          const inner = connect(written, part.part, next);
          next = add(written, { test: null, place: null, next: [after, inner], weight: 1 });
        }
      }
      for (let left = part.least; left > 0; left--) next = connect(written, part.part, next);
      return next;
    }
  }
}

function add({ states }: Written, state: State): number {
  if (states.length >= MAX_STATES) throw tooManyRepetitions();
  return states.push(state) - 1;
}

function tooManyRepetitions() {
  return patternRefused(`with its repetitions written out it has more than ${MAX_STATES} states`);
}

function isAnchored(states: readonly State[], first: number): boolean {
  const seen = new Set<number>();
  const waiting = [first];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const { test, place, next } = states[index]!;
    if (index === 0 || test !== null) return false;
    if (place === "start" || seen.has(index)) continue;
    seen.add(index);
    waiting.push(...next);
  }
  return true;
}

/** A search on its way through a name. */
interface Search {
  readonly states: readonly State[];
  readonly name: readonly string[];
  readonly budget: StepBudget;
  /** By state, the position behind the one where it was entered last. */
  readonly entered: Int32Array;
}

function isFound({ states, first, isAnchored }: CompiledPattern, name: readonly string[], budget: StepBudget): boolean {
  const search: Search = { states, name, budget, entered: new Int32Array(states.length) };
  let current: number[] = [];
  for (let position = 0; position <= name.length; position++) {
    if (position === 0 || !isAnchored) {
      // A match may begin at every character.
      if (enter(search, first, { position, into: current })) return true;
    } else if (current.length === 0) return false;
    const character = name[position];
    if (character === undefined) return false;
    const following: number[] = [];
    for (const index of current) {
      const { test, next, weight } = states[index]!;
      if (test === null) continue;
      budget.left -= weight;
      if (budget.left < 0) return false;
      if (test(character) && enter(search, next[0]!, { position: position + 1, into: following })) return true;
    }
    current = following;
  }
  return false;
}

/** Adds a state and all that are reached from it without a character; true when the end of the pattern is. */
function enter(
  { states, name, budget, entered }: Search,
  first: number,
  { position, into }: { readonly position: number; readonly into: number[] },
): boolean {
  const waiting = [first];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (--budget.left < 0) return false;
    if (index === 0) return true;
    if (entered[index] === position + 1) continue;
    const { test, place, next } = states[index]!;
    if (place !== null && !isAt(place, name, position)) continue;
    entered[index] = position + 1;
    if (test !== null) into.push(index);
    else for (const following of next) waiting.push(following);
  }
  return false;
}

function isAt(place: PatternPlace, name: readonly string[], position: number): boolean {
  if (place === "start") return position === 0;
  if (place === "end") return position === name.length || (position === name.length - 1 && name[position] === "\n");
  const isWord = (at: number) => name[at] !== undefined && WORD_CHARACTER.test(name[at]);
  return (isWord(position - 1) !== isWord(position)) === (place === "boundary");
}
