// Regular expressions of users, in Python's syntax. An engine whose time is linear in the text runs all but those that look ahead or
// refer to groups: these need one that goes back, which only a thread with a time limit may run.
import { RE2JS } from "re2js";
import { fail } from "../../../../kernel/failure.ts";
import { createLastUsed } from "../../../../kernel/last-used.ts";
import { linearSource, nativeSource, needsGoingBack } from "./pattern-syntax.rules.ts";

/** Characters of a pattern. */
const MAX_PATTERN_CHARACTERS = 10_000;
/** Compiling a longer one may take long by itself. */
const MAX_QUICK_CHARACTERS = 500;
/** Patterns that stay compiled: an evaluator judges many texts by the same one. */
const KEPT_PATTERNS = 100;

interface CompiledPattern {
  /** Anywhere in the text, or `whole` for all of it. */
  matches(text: string, whole: boolean): boolean;
  /** Steps for each character of a text at most; Infinity for an engine that goes back. */
  readonly stepsPerCharacter: number;
}

const kept = createLastUsed<string, CompiledPattern>(KEPT_PATTERNS);

/** Throws kind `invalid`: `Invalid regex pattern: …`. */
export function compilePattern(source: string): CompiledPattern {
  const known = kept.find(source);
  if (known !== undefined) return known;
  if (source.length > MAX_PATTERN_CHARACTERS)
    throw invalidPattern(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  const compiled = needsGoingBack(source) ? compileNative(source) : compileLinear(source);
  kept.set(source, compiled);
  return compiled;
}

/** Steps that a match takes at most. Throws kind `invalid`. */
export function patternSteps(source: string, text: string): number {
  if (source.length > MAX_QUICK_CHARACTERS) return Number.POSITIVE_INFINITY;
  return compilePattern(source).stepsPerCharacter * (text.length + 1);
}

function compileLinear(source: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(linearSource(source), RE2JS.LOOKBEHINDS);
    return {
      matches: (text, whole) => (whole ? compiled.testExact(text) : compiled.test(text)),
      stepsPerCharacter: compiled.programSize(),
    };
  } catch (error) {
    throw invalidPattern((error as Error).message.replace(/^error parsing regexp: /, ""));
  }
}

function compileNative(source: string): CompiledPattern {
  const { pattern, flags } = nativeSource(source);
  try {
    const anywhere = new RegExp(pattern, flags);
    const whole = new RegExp(`(?<![\\s\\S])(?:${pattern})(?![\\s\\S])`, flags);
    return {
      matches: (text, isWhole) => (isWhole ? whole : anywhere).test(text),
      stepsPerCharacter: Number.POSITIVE_INFINITY,
    };
  } catch (error) {
    throw invalidPattern((error as Error).message.replace(/^Invalid regular expression: /, ""));
  }
}

function invalidPattern(reason: string) {
  return fail("evaluators.pattern", "invalid", `Invalid regex pattern: ${reason}`);
}
