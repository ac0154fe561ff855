// Patterns of model names, as Python writes them, run over sets of states: the time is the length of the name times that of the
// pattern, whatever both are, so that no pattern backtracks for ever. What needs backtracking is refused: looking around, references
// to groups, atomic groups.
import { type MatchedCharacter, matchedCharacters } from "./matched-name.ts";
import {
  type CharacterTest,
  type PatternPart,
  type PatternPlace,
  parsePattern,
  patternRefused,
} from "./pattern-parser.ts";

/** Characters of a pattern. */
const MAX_PATTERN_CHARACTERS = 1024;
/** States of a pattern, after its repetitions are written out. */
const MAX_STATES = 512;
/** Parts that are written out: an empty group adds no state, however often it is repeated. */
const MAX_PARTS = 8192;
/** Steps that one name may take, over all patterns: below 5 ms. */
export const MAX_STEPS_PER_NAME = 200_000;

/** Steps that are left for what shares them; below 0 the answer is not known. A step enters a state, or compares a character. */
export interface StepBudget {
  left: number;
}

export interface NamePattern {
  readonly source: string;
  /** Whether it is found anywhere in the beginning of the name. */
  isFoundIn(name: string): boolean;
  /** The same of its characters, which many patterns share. False when the budget is used up. */
  isFoundAmong(characters: readonly MatchedCharacter[], budget: StepBudget): boolean;
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

/** Fails (`models.pattern_invalid`, invalid) for what is no such pattern, and says where. */
export function compileNamePattern(source: string): NamePattern {
  if (source.length > MAX_PATTERN_CHARACTERS && [...source].length > MAX_PATTERN_CHARACTERS)
    throw patternRefused(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  // Hundreds are known at a start, and few are ever looked for.
  const isShortAndPlain = source.length < MAX_STATES && PLAIN.test(source);
  let compiled = isShortAndPlain ? null : compile(source);
  function isFoundAmong(characters: readonly MatchedCharacter[], budget: StepBudget): boolean {
    compiled ??= compile(source);
    return isFound(compiled, characters, budget);
  }
  return {
    source,
    isFoundIn: (name) => isFoundAmong(matchedCharacters(name), { left: MAX_STEPS_PER_NAME }),
    isFoundAmong,
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
  readonly name: readonly MatchedCharacter[];
  readonly budget: StepBudget;
  /** Of its position 0, in `enteredAt`. */
  readonly firstVisit: number;
}

// Shared by all searches, of which none is interrupted by another.
/** By state, when it was entered last: positions are numbered on from one search to the next. */
const enteredAt = new Float64Array(MAX_STATES);
let nextVisit = 1;
const waiting: number[] = [];

function isFound(
  { states, first, isAnchored }: CompiledPattern,
  name: readonly MatchedCharacter[],
  budget: StepBudget,
): boolean {
  const search: Search = { states, name, budget, firstVisit: nextVisit };
  nextVisit += name.length + 1;
  let current: number[] = [];
  let following: number[] = [];
  for (let position = 0; position <= name.length; position++) {
    if (position === 0 || !isAnchored) {
      // A match may begin at every character.
      if (enter(search, first, position, current)) return true;
    } else if (current.length === 0) return false;
    const character = name[position];
    if (character === undefined) return false;
    following.length = 0;
    for (const index of current) {
      const { test, next, weight } = states[index]!;
      if (test === null) continue;
      budget.left -= weight;
      if (budget.left < 0) return false;
      if (test(character) && enter(search, next[0]!, position + 1, following)) return true;
    }
    [current, following] = [following, current];
  }
  return false;
}

/** Adds a state, and all that are reached from it without a character, to `into`; true when the end of the pattern is. */
function enter(search: Search, first: number, position: number, into: number[]): boolean {
  const { states, name, budget } = search;
  const visit = search.firstVisit + position;
  waiting.length = 0;
  waiting.push(first);
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (--budget.left < 0) return false;
    if (index === 0) return true;
    if (enteredAt[index] === visit) continue;
    const { test, place, next } = states[index]!;
    if (place !== null && !isAt(place, name, position)) continue;
    enteredAt[index] = visit;
    if (test !== null) into.push(index);
    else for (let at = 0; at < next.length; at++) waiting.push(next[at]!);
  }
  return false;
}

function isAt(place: PatternPlace, name: readonly MatchedCharacter[], position: number): boolean {
  if (place === "start") return position === 0;
  if (place === "end")
    return position === name.length || (position === name.length - 1 && name[position]!.text === "\n");
  const isWord = (at: number) => name[at]?.isWord === true;
  return (isWord(position - 1) !== isWord(position)) === (place === "boundary");
}
