// The built-in evaluators: what they take, what they give, and how they judge.
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import type { ConfigContent, NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import type { BuiltInEvaluatorKey } from "../evaluators.schema.ts";
import type { InputProperty, InputSchema } from "../mapping/input-schema.rules.ts";
import { jsonDistance, parseInput } from "./json-distance.rules.ts";
import { compilePattern, patternSteps } from "./pattern.rules.ts";
import { levenshteinDistance } from "./text-distance.rules.ts";
import { contains, exactMatch, type Match, shownText } from "./text-matches.rules.ts";

interface Distance {
  readonly type: "distance";
  readonly distance: number;
  readonly explanation: string;
}

/** What a built-in evaluator found, before it is put into the words of its outputs. */
export type BuiltInFinding = Match | Distance;

interface BuiltInEvaluator {
  readonly key: BuiltInEvaluatorKey;
  readonly description: string;
  /** As `metadata.type`. */
  readonly category: "string_matching" | "pattern_matching" | "string_distance" | "json_comparison";
  readonly finds: BuiltInFinding["type"];
  readonly inputSchema: InputSchema;
  readonly output: NewAnnotationConfig;
  /** Throws kind `invalid` or `too_large` for inputs that cannot be judged. */
  readonly judge: (inputs: JsonObject) => BuiltInFinding;
  /** Steps that it takes at most, a few nanoseconds each; Infinity where nothing is known. Throws as `judge`. */
  readonly steps: (inputs: JsonObject) => number;
}

const text = (title: string, description: string): InputProperty => ({ type: "string", title, description });
const flag = (title: string, description: string, byDefault: boolean): InputProperty => ({
  type: "boolean",
  title,
  description,
  default: byDefault,
});
const schema = (required: Record<string, InputProperty>, optional: Record<string, InputProperty>): InputSchema => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const caseSensitive = (byDefault: boolean) => flag("Case sensitive", "Whether A and a are different.", byDefault);

const matchOutput = (name: BuiltInEvaluatorKey): NewAnnotationConfig => ({
  name,
  description: null,
  optimizationDirection: "MAXIMIZE",
  type: "CATEGORICAL",
  values: [
    { label: "true", score: 1 },
    { label: "false", score: 0 },
  ],
});

const distanceOutput = (name: BuiltInEvaluatorKey): NewAnnotationConfig => ({
  name,
  description: null,
  optimizationDirection: "MINIMIZE",
  type: "CONTINUOUS",
  lowerBound: 0,
  upperBound: null,
});

const evaluators: readonly BuiltInEvaluator[] = [
  {
    key: "contains",
    description: "Whether a text contains any or all of some words.",
    category: "string_matching",
    finds: "match",
    inputSchema: schema(
      {
        words: text("Words", "Words to look for, separated by commas."),
        text: text("Text", "The text that is searched."),
      },
      {
        case_sensitive: caseSensitive(false),
        require_all: flag("Require all", "Whether every word has to be there.", false),
      },
    ),
    output: matchOutput("contains"),
    judge: (inputs) =>
      contains({
        words: inputs.words as string,
        text: inputs.text as string,
        isCaseSensitive: inputs.case_sensitive as boolean,
        requiresAll: inputs.require_all as boolean,
      }),
    steps: ({ words, text: searched }) => (words as string).split(",").length * (searched as string).length,
  },
  {
    key: "exact_match",
    description: "Whether two texts are the same.",
    category: "string_matching",
    finds: "match",
    inputSchema: schema(
      {
        expected: text("Expected", "The text as it should be."),
        actual: text("Actual", "The text that is judged."),
      },
      { case_sensitive: caseSensitive(true) },
    ),
    output: matchOutput("exact_match"),
    judge: ({ expected, actual, case_sensitive }) =>
      exactMatch(expected as string, actual as string, case_sensitive as boolean),
    steps: ({ expected, actual }) => (expected as string).length + (actual as string).length,
  },
  {
    key: "json_distance",
    description: "In how many places two JSON values differ.",
    category: "json_comparison",
    finds: "distance",
    inputSchema: schema(
      {
        expected: { title: "Expected", description: "The value as it should be." },
        actual: { title: "Actual", description: "The value that is judged." },
      },
      { parse_strings: flag("Parse texts", "Whether a text is read as JSON.", true) },
    ),
    output: distanceOutput("json_distance"),
    judge({ expected, actual, parse_strings }) {
      const read = (name: string, value: Json) =>
        parse_strings === true && typeof value === "string" ? parseInput(name, value) : value;
      const distance = jsonDistance(read("expected", expected!), read("actual", actual!));
      const places = distance === 1 ? "1 place" : `${distance} places`;
      return { type: "distance", distance, explanation: `The two JSON values differ in ${places}.` };
    },
    steps: ({ expected, actual }) => PARSING_STEPS * (sizeOf(expected!) + sizeOf(actual!)),
  },
  {
    key: "levenshtein_distance",
    description: "How many characters have to be inserted, deleted or replaced to turn one text into the other.",
    category: "string_distance",
    finds: "distance",
    inputSchema: schema(
      {
        expected: text("Expected", "The text as it should be."),
        actual: text("Actual", "The text that is judged."),
      },
      { case_sensitive: caseSensitive(true) },
    ),
    output: distanceOutput("levenshtein_distance"),
    judge({ expected, actual, case_sensitive }) {
      const folded = (value: Json) => (case_sensitive === true ? (value as string) : (value as string).toLowerCase());
      const distance = levenshteinDistance(folded(expected!), folded(actual!));
      const edits = distance === 1 ? "1 edit" : `${distance} edits`;
      return { type: "distance", distance, explanation: `The actual text is ${edits} away from the expected text.` };
    },
    // 32 characters at a time.
    steps: ({ expected, actual }) => ((expected as string).length * (actual as string).length) / 32,
  },
  {
    key: "regex",
    description: "Whether a regular expression matches a text.",
    category: "pattern_matching",
    finds: "match",
    inputSchema: schema(
      {
        pattern: text("Pattern", "A regular expression."),
        text: text("Text", "The text that is searched."),
      },
      { full_match: flag("Full match", "Whether the pattern has to match the whole text.", false) },
    ),
    output: matchOutput("regex"),
    judge({ pattern, text: searched, full_match }) {
      const isMatch = compilePattern(pattern as string).matches(searched as string, full_match as boolean);
      const what = full_match === true ? "the whole text" : "the text";
      return {
        type: "match",
        isMatch,
        explanation: `The pattern "${shownText(pattern as string)}" ${isMatch ? "matches" : "does not match"} ${what}.`,
      };
    },
    steps: ({ pattern, text: searched }) => patternSteps(pattern as string, searched as string),
  },
];

/** Characters of a pattern that is quickly compiled. */
const MAX_CHECKED_PATTERN = 500;
/** Of a character of JSON. */
const PARSING_STEPS = 5;

/** Characters of a value as JSON, if it is a text. What was parsed already costs no more than it did then. */
function sizeOf(value: Json): number {
  return typeof value === "string" ? value.length : 0;
}

export const builtInEvaluators: ReadonlyMap<BuiltInEvaluatorKey, BuiltInEvaluator> = new Map(
  evaluators.map((evaluator) => [evaluator.key, evaluator]),
);

/** Judges inputs that were cast. Throws kind `invalid` or `too_large`. */
export function judgeInputs(key: BuiltInEvaluatorKey, inputs: JsonObject): BuiltInFinding {
  return builtInEvaluators.get(key)!.judge(inputs);
}

/** Throws kind `invalid` for a literal that no context makes right: a pattern that cannot be read. */
export function requireLiterals(key: BuiltInEvaluatorKey, literals: JsonObject): void {
  const pattern = key === "regex" && Object.hasOwn(literals, "pattern") ? literals.pattern : null;
  if (typeof pattern === "string" && pattern.length <= MAX_CHECKED_PATTERN) compilePattern(pattern);
}

/** What a finding is in an output: labels by position, the first for a match. */
export function outcomeOf(
  finding: BuiltInFinding,
  output: ConfigContent,
): { label: string | null; score: number | null } {
  if (finding.type === "distance") return { label: null, score: finding.distance };
  const score = finding.isMatch ? 1 : 0;
  if (output.type !== "CATEGORICAL") return { label: null, score };
  const value = output.values[finding.isMatch ? 0 : 1];
  return value === undefined ? { label: null, score } : { label: value.label, score: value.score };
}
