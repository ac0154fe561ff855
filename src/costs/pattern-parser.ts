// Reads a pattern of a model name, as Python writes it, into parts. What needs backtracking is refused: looking around, references to
// groups, repetitions that give nothing back.
import { fail } from "../kernel/failure.ts";
import type { MatchedCharacter } from "./matched-name.ts";

/** Groups inside each other. */
const MAX_DEPTH = 50;
const MAX_REPETITIONS = 1000;

export type CharacterTest = (character: MatchedCharacter) => boolean;
export type PatternPlace = "start" | "end" | "boundary" | "inside";

export type PatternPart =
  // `members`: comparisons that one test may take.
  | { readonly kind: "character"; readonly test: CharacterTest; readonly members: number }
  | { readonly kind: "place"; readonly place: PatternPlace }
  | { readonly kind: "sequence"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "repeat"; readonly part: PatternPart; readonly least: number; readonly most: number };

/** Where reading is, and how characters are compared. */
interface Reading {
  readonly characters: readonly string[];
  at: number;
  readonly ignoreCase: boolean;
  /** Whether a dot stands for the end of a line too. */
  readonly dotAll: boolean;
}

const FLAGS = /^(?:\(\?[aimsux]+\))+/;
const classes: Readonly<Record<string, CharacterTest>> = {
  d: ({ isDigit }) => isDigit,
  w: ({ isWord }) => isWord,
  s: ({ isSpace }) => isSpace,
};
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07" };
const places: Readonly<Record<string, PatternPlace>> = { b: "boundary", B: "inside", A: "start", Z: "end" };

export function parsePattern(source: string): PatternPart {
  const flags = FLAGS.exec(source)?.[0] ?? "";
  if (/[mx]/.test(flags)) throw patternRefused(`the flags ${flags} are not known; use (?i) or (?s)`);
  const reading: Reading = {
    characters: [...source],
    at: flags.length,
    ignoreCase: flags.includes("i"),
    dotAll: flags.includes("s"),
  };
  const part = readChoice(reading, 0);
  if (reading.at < reading.characters.length) throw refusedAt(reading, "a parenthesis too many");
  return part;
}

function readChoice(reading: Reading, depth: number): PatternPart {
  if (depth > MAX_DEPTH) throw refusedAt(reading, `more than ${MAX_DEPTH} groups inside each other`);
  const parts = [readSequence(reading, depth)];
  while (reading.characters[reading.at] === "|") {
    reading.at++;
    parts.push(readSequence(reading, depth));
  }
  return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
}

function readSequence(reading: Reading, depth: number): PatternPart {
  const parts: PatternPart[] = [];
  for (let next = reading.characters[reading.at]; next !== undefined; next = reading.characters[reading.at]) {
    if (next === "|" || next === ")") break;
    let part = readAtom(reading, depth);
    for (let range = readRepetition(reading); range !== null; range = readRepetition(reading)) {
      if (part.kind === "repeat") throw refusedAt(reading, "a repetition of a repetition");
      part = { kind: "repeat", part, ...range };
    }
    parts.push(part);
  }
  return { kind: "sequence", parts };
}

function readRepetition(reading: Reading): { readonly least: number; readonly most: number } | null {
  const found = /^(?:[*+?]|\{(\d+)?(,)?(\d+)?\})/.exec(reading.characters.slice(reading.at, reading.at + 16).join(""));
  // Without a number it is what it looks like, as in Python.
  if (found === null || found[0] === "{}" || found[0] === "{,}") return null;
  reading.at += found[0].length;
  // The shortest match is as good as the longest: only whether there is one counts.
  if (reading.characters[reading.at] === "?") reading.at++;
  else if (reading.characters[reading.at] === "+") {
    throw refusedAt(reading, "a repetition that gives nothing back is not supported");
  }
  if (found[0] === "*") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (found[0] === "+") return { least: 1, most: Number.POSITIVE_INFINITY };
  if (found[0] === "?") return { least: 0, most: 1 };
  const least = Number(found[1] ?? 0);
  const most = found[2] === undefined ? least : Number(found[3] ?? Number.POSITIVE_INFINITY);
  if (most < least) throw refusedAt(reading, "a repetition whose bounds are exchanged");
  if (least > MAX_REPETITIONS || (Number.isFinite(most) && most > MAX_REPETITIONS)) {
    throw refusedAt(reading, `a repetition above ${MAX_REPETITIONS}`);
  }
  return { least, most };
}

function readAtom(reading: Reading, depth: number): PatternPart {
  const character = reading.characters[reading.at++]!;
  if (character === "(") return readGroup(reading, depth);
  if (character === "[") return readSet(reading);
  if (character === "\\") return readEscape(reading);
  if (character === "^") return { kind: "place", place: "start" };
  if (character === "$") return { kind: "place", place: "end" };
  if (character === ".") return one(({ text }) => reading.dotAll || text !== "\n");
  if (/[*+?]/.test(character)) throw refusedAt(reading, "nothing to repeat");
  return one(equals(character, reading.ignoreCase));
}

function readGroup(reading: Reading, depth: number): PatternPart {
  if (reading.characters[reading.at] === "?") {
    const opened = /^\?(?::|P<[A-Za-z_]\w*>)/.exec(reading.characters.slice(reading.at, reading.at + 80).join(""));
    if (opened === null) {
      throw refusedAt(reading, "looking around, references and flags inside of a pattern are not supported");
    }
    reading.at += opened[0].length;
  }
  const inner = readChoice(reading, depth + 1);
  if (reading.characters[reading.at] !== ")") throw refusedAt(reading, "a group that is not closed");
  reading.at++;
  return inner;
}

function readEscape(reading: Reading): PatternPart {
  const character = readEscaped(reading);
  const place = places[character];
  if (place !== undefined) return { kind: "place", place };
  return one(classOf(character) ?? equals(literalOf(reading, character), reading.ignoreCase));
}

function one(test: CharacterTest): PatternPart {
  return { kind: "character", test, members: 1 };
}

function readEscaped(reading: Reading): string {
  const character = reading.characters[reading.at++];
  if (character === undefined) throw refusedAt(reading, "a backslash at the end");
  return character;
}

function literalOf(reading: Reading, character: string): string {
  if (/[0-9]/.test(character)) throw refusedAt(reading, "references to groups are not supported");
  const control = controls[character];
  if (control !== undefined) return control;
  if (/[A-Za-z]/.test(character)) throw refusedAt(reading, `\\${character} is not known`);
  return character;
}

function readSet(reading: Reading): PatternPart {
  const { characters, ignoreCase } = reading;
  const isNegated = characters[reading.at] === "^";
  if (isNegated) reading.at++;
  const tests: CharacterTest[] = [];
  for (let isFirst = true; characters[reading.at] !== "]" || isFirst; isFirst = false) {
    const low = readMember(reading);
    if (characters[reading.at] !== "-" || characters[reading.at + 1] === "]" || typeof low !== "string") {
      tests.push(typeof low === "string" ? equals(low, ignoreCase) : low);
      continue;
    }
    reading.at++;
    const high = readMember(reading);
    if (typeof high !== "string" || high.codePointAt(0)! < low.codePointAt(0)!) {
      throw refusedAt(reading, "a range whose end comes before its beginning");
    }
    tests.push(between(low, high, ignoreCase));
  }
  reading.at++;
  const test: CharacterTest = (character) => tests.some((member) => member(character)) !== isNegated;
  return { kind: "character", test, members: tests.length };
}

function readMember(reading: Reading): string | CharacterTest {
  const character = reading.characters[reading.at++];
  if (character === undefined) throw refusedAt(reading, "a set of characters that is not closed");
  if (character !== "\\") return character;
  const following = readEscaped(reading);
  return classOf(following) ?? literalOf(reading, following);
}

function classOf(letter: string): CharacterTest | null {
  const test = classes[letter.toLowerCase()];
  if (test === undefined) return null;
  return letter === letter.toLowerCase() ? test : (character) => !test(character);
}

function equals(expected: string, ignoreCase: boolean): CharacterTest {
  if (!ignoreCase) return ({ text }) => text === expected;
  const folded = expected.toLowerCase();
  return ({ lower }) => lower === folded;
}

function between(low: string, high: string, ignoreCase: boolean): CharacterTest {
  const [least, most] = [low.codePointAt(0)!, high.codePointAt(0)!];
  if (!ignoreCase) return ({ code }) => code >= least && code <= most;
  return ({ lowerCode, upperCode }) =>
    (lowerCode >= least && lowerCode <= most) || (upperCode >= least && upperCode <= most);
}

function refusedAt(reading: Reading, problem: string) {
  return patternRefused(`${problem} at character ${reading.at}`);
}

export function patternRefused(problem: string) {
  return fail("models.pattern_invalid", "invalid", `The name pattern is not usable: ${problem}`);
}
