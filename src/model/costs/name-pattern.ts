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
const MAX_STATES = 4096;
/** Characters of a name that are looked at. */
const MAX_MATCHED_CHARACTERS = 1024;

export interface NamePattern {
  readonly source: string;
  /** Whether it is found anywhere in the name. */
  isFoundIn(name: string): boolean;
}

/** Indexes of the states that follow: none ends the pattern. */
interface State {
  readonly test: CharacterTest | null;
  readonly place: PatternPlace | null;
  readonly next: readonly number[];
}

/** A name or its beginning, such as (?i)^gpt-4\.1$: right as it stands. Nearly all built-in patterns are of this form. */
const PLAIN = /^(?:\(\?i\))?\^?(?:[\w\-/:@ ]|\\[.+*?()[\]{}|^$\\])+\$?$/;

/** Fails (`models.pattern_invalid`, invalid) for what is no such pattern, and says where. */
export function compileNamePattern(source: string): NamePattern {
  if (source.length > MAX_PATTERN_CHARACTERS && [...source].length > MAX_PATTERN_CHARACTERS)
    throw patternRefused(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  // Hundreds are known at a start, and few are ever looked for.
  let compiled = PLAIN.test(source) ? null : compile(source);
  return {
    source,
    isFoundIn(name) {
      compiled ??= compile(source);
      return isFound(compiled.states, compiled.first, [...name].slice(0, MAX_MATCHED_CHARACTERS));
    },
  };
}

function compile(source: string): { readonly states: readonly State[]; readonly first: number } {
  const part = parsePattern(source);
  const states: State[] = [{ test: null, place: null, next: [] }];
  return { first: connect(states, part, 0), states };
}

/** Adds the states of a part in front of the state that follows it, and answers the first of them. */
function connect(states: State[], part: PatternPart, after: number): number {
  switch (part.kind) {
    case "character":
      return add(states, { test: part.test, place: null, next: [after] });
    case "place":
      return add(states, { test: null, place: part.place, next: [after] });
    case "sequence":
      return part.parts.reduceRight((next, inner) => connect(states, inner, next), after);
    case "choice":
      return add(states, { test: null, place: null, next: part.parts.map((inner) => connect(states, inner, after)) });
    case "repeat": {
      let next = after;
      if (part.most === Number.POSITIVE_INFINITY) {
        const following: number[] = [after];
        next = add(states, { test: null, place: null, next: following });
        following.push(connect(states, part.part, next));
      } else {
        for (let left = part.most - part.least; left > 0; left--) {
          next = add(states, { test: null, place: null, next: [after, connect(states, part.part, next)] });
        }
      }
      for (let left = part.least; left > 0; left--) next = connect(states, part.part, next);
      return next;
    }
  }
}

function add(states: State[], state: State): number {
  if (states.length >= MAX_STATES) throw patternRefused("its repetitions are too many");
  return states.push(state) - 1;
}

function isFound(states: readonly State[], first: number, name: readonly string[]): boolean {
  let current = new Set<number>();
  for (let position = 0; position <= name.length; position++) {
    // A match may begin at every character.
    if (enter(states, first, { name, position, into: current })) return true;
    const following = new Set<number>();
    const character = name[position];
    if (character === undefined) return false;
    for (const index of current) {
      const { test, next } = states[index]!;
      if (test?.(character) && enter(states, next[0]!, { name, position: position + 1, into: following })) return true;
    }
    current = following;
  }
  return false;
}

interface Entered {
  readonly name: readonly string[];
  readonly position: number;
  readonly into: Set<number>;
}

/** Adds a state and all that are reached from it without a character; true when the end of the pattern is. */
function enter(states: readonly State[], first: number, { name, position, into }: Entered): boolean {
  const waiting = [first];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index === 0) return true;
    if (into.has(index)) continue;
    const { test, place, next } = states[index]!;
    if (place !== null && !isAt(place, name, position)) continue;
    into.add(index);
    if (test === null) waiting.push(...next);
  }
  return false;
}

function isAt(place: PatternPlace, name: readonly string[], position: number): boolean {
  if (place === "start") return position === 0;
  if (place === "end") return position === name.length || (position === name.length - 1 && name[position] === "\n");
  const isWord = (at: number) => name[at] !== undefined && WORD_CHARACTER.test(name[at]);
  return (isWord(position - 1) !== isWord(position)) === (place === "boundary");
}
