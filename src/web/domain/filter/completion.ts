// What may be written at the caret of a condition: names, values of a field, operators, and what joins conditions. A hint: it
// reads only the text before the caret and never refuses.
import { literalOf } from "./chips.ts";

/** A name of the language, or an attribute that was seen in the project. */
export interface Term {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** The collection whose elements have it, for names inside `any(… for d in …)`. */
  readonly iterableName: string | null;
}

export interface Suggestion {
  readonly label: string;
  /** What replaces the text from `from` to the caret. */
  readonly insert: string;
  readonly detail: string;
  readonly kind: "name" | "value" | "operator" | "word";
}

export interface Completion {
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

export interface Vocabulary {
  readonly terms: readonly Term[];
  /** Values that are worth offering for a field, most frequent first. */
  valuesOf(field: string): readonly string[];
}

const MOST_SUGGESTIONS = 50;
/** Characters before the caret that decide; the patterns below take time by the square of them. */
const LOOKED_BACK = 300;
const FIELD = String.raw`[A-Za-z_][\w.]*(?:\[(?:'[^']*'|"[^"]*"|\d+)\][\w.]*)*`;
/** A field and an operator, and in a list the values before. */
const VALUE_EXPECTED = new RegExp(
  String.raw`(${FIELD})\s*(?:(?:==|!=)\s*|(?:not\s+)?in\s*\[(?:\s*(?:'[^']*'|"[^"]*")\s*,)*\s*)(['"]?)([^'"]*)$`,
);
const NAME_BEGUN = new RegExp(String.raw`(?:^|[\s(,[=<>!+\-*/%])(${FIELD}(?:\['?[^']*)?)$`);
const FIELD_ENDED = new RegExp(String.raw`(?:^|[\s(])(${FIELD})\s+([a-z=!<>]*)$`);
const CONDITION_ENDED = /(?:['"\d)\]]|\b(?:None|True|False))\s+([a-z]*)$/;
const WORDS = new Set(["and", "or", "not", "in", "is", "for", "if", "else", "None", "True", "False"]);

const OPERATORS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  string: [
    ["==", "is exactly"],
    ["!=", "is another than"],
    ["in ['…']", "is one of"],
    ["not in ['…']", "is none of"],
    ["is None", "is missing"],
    ["is not None", "is there"],
  ],
  number: [
    [">", "is more than"],
    [">=", "is at least"],
    ["<", "is less than"],
    ["<=", "is at most"],
    ["==", "equals"],
    ["!=", "differs from"],
    ["is None", "is missing"],
  ],
};

/** What may stand at the caret, best first; nothing inside a text whose field has no known values. */
export function completionAt(text: string, caret: number, vocabulary: Vocabulary): Completion | null {
  const before = text.slice(Math.max(0, caret - LOOKED_BACK), caret);
  const value = VALUE_EXPECTED.exec(before);
  if (value !== null) return valuesAt(value, caret, vocabulary);
  const begun = NAME_BEGUN.exec(before)?.[1] ?? "";
  if (begun.includes("['")) return namesLike(begun, caret - begun.length, vocabulary);
  if (isInsideText(text.slice(0, caret))) return null;

  const field = FIELD_ENDED.exec(before);
  const known = vocabulary.terms.find(({ name }) => name === field?.[1]);
  // A field that ends like a value, such as `metadata['tier']`; one that is true or false is a condition.
  const isField = known !== undefined && known.type !== "boolean";
  const ended = CONDITION_ENDED.exec(before);
  if (ended !== null && !isField) return joiningWords(caret - ended[1]!.length, ended[1]!);
  if (field !== null && !WORDS.has(field[1]!)) return operatorsOf(field[1]!, field[2]!, caret, vocabulary);

  return namesLike(begun, caret - begun.length, vocabulary);
}

function valuesAt(match: RegExpExecArray, caret: number, { valuesOf }: Vocabulary): Completion | null {
  const [, field = "", quote = "", begun = ""] = match;
  const values = bestOf(valuesOf(field), begun, (value) => value);
  if (values.length === 0) return null;
  return {
    from: caret - begun.length - quote.length,
    suggestions: values.map((label) => ({ label, insert: literalOf(label), detail: "", kind: "value" })),
  };
}

function operatorsOf(field: string, begun: string, caret: number, { terms }: Vocabulary): Completion | null {
  const type = terms.find(({ name }) => name === field)?.type ?? "string";
  const operators = OPERATORS[/int|float|number|datetime/i.test(type) ? "number" : "string"]!;
  const fitting = operators.filter(([operator]) => operator.startsWith(begun));
  if (fitting.length === 0) return null;
  return {
    from: caret - begun.length,
    suggestions: fitting.map(([label, detail]) => ({
      label,
      insert: label.includes("'…'") ? label.replace("'…']", "") : `${label} `,
      detail,
      kind: "operator",
    })),
  };
}

function joiningWords(from: number, begun: string): Completion | null {
  const words = [
    ["and", "both conditions"],
    ["or", "either condition"],
  ] as const;
  const suggestions = words
    .filter(([word]) => word.startsWith(begun) && word !== begun)
    .map(([label, detail]) => ({ label, insert: `${label} `, detail, kind: "word" as const }));
  return suggestions.length === 0 ? null : { from, suggestions };
}

function namesLike(begun: string, from: number, { terms }: Vocabulary): Completion | null {
  const outside = terms.filter(({ iterableName }) => iterableName === null);
  const names = bestOf(outside, begun, ({ name }) => name).filter(({ name }) => name !== begun);
  if (names.length === 0) return null;
  return {
    from,
    suggestions: names.map(({ name, type, description }) => ({
      label: name,
      insert: `${name} `,
      detail: description === "" ? type : description,
      kind: "name",
    })),
  };
}

/** Those that begin with the text before those that contain it, letter case aside. */
function bestOf<Item>(items: readonly Item[], text: string, nameOf: (item: Item) => string): readonly Item[] {
  const sought = text.toLowerCase();
  const places = items.map((item) => ({ item, at: nameOf(item).toLowerCase().indexOf(sought) }));
  const beginning = places.filter(({ at }) => at === 0);
  const containing = places.filter(({ at }) => at > 0);
  return [...beginning, ...containing].slice(0, MOST_SUGGESTIONS).map(({ item }) => item);
}

/** Whether a quote stands open. */
function isInsideText(before: string): boolean {
  return /^(?:[^'"]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*$/.exec(before) === null;
}
