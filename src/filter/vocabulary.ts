// The words of each language for completing a condition while it is written: names with their types, from the same tables that
// the languages are made of.
import { spanKinds, spanStatuses } from "../model/span.ts";
import type { LanguageGrain } from "./analyse.ts";
import type { Collection, Field } from "./field.ts";
import { type Language, runLanguage, sessionLanguage, spanLanguage, traceLanguage } from "./languages.ts";
import { runDocuments } from "./run-documents.ts";
import { printedText } from "./syntax.ts";

type TermType = "string" | "number" | "datetime" | "boolean" | "iterable" | "containment" | "relation";
type TermCategory =
  | LanguageGrain
  | "aggregate"
  | "attribute"
  | "annotation"
  | "iterable"
  | "element"
  | "function"
  | "operator";

export interface VocabularyTerm {
  /** As a condition spells it; of a member of an element without the loop variable. */
  readonly name: string;
  readonly type: TermType;
  readonly description: string;
  readonly category: TermCategory;
  /** The collection whose elements have it. */
  readonly iterableName: string | null;
  /** What it is compared with, most frequent first: every value where they are fixed, else those seen. */
  readonly values: readonly string[];
}

const languages: Readonly<Record<LanguageGrain, Language>> = {
  span: spanLanguage,
  trace: traceLanguage,
  session: sessionLanguage,
  run: runLanguage,
};

/** Names of the language, independent of the data, then the words that join conditions and compute values. */
export function vocabularyOf(grain: LanguageGrain): VocabularyTerm[] {
  const language = languages[grain];
  const fields = [...language.fields.values()];
  return [
    ...fields.map((field) => termOf(field, categoryOf(grain, field), null)),
    ...Object.keys(language.searched).map((name) =>
      term({ name, type: "containment", category: grain, description: "all of its root spans; only with `'text' in`" }),
    ),
    ...besideFields(grain),
    ...language.collections.flatMap((each) => collectionTerms(each, null)),
    ...(grain === "span" ? spanWords : []),
  ];
}

/** The words that read annotations of a name. */
export function annotationTerms(accessor: string, name: string): VocabularyTerm[] {
  const spelled = `${accessor}[${printedText(name)}]`;
  const member = (of: string, type: TermType, description = "") =>
    term({ name: `${spelled}.${of}`, type, category: "annotation", description });
  return [
    term({ name: spelled, type: "boolean", category: "annotation", description: "whether there is one" }),
    member("disputed", "boolean", "whether people and programs disagree"),
    member("score", "number"),
    ...["label", "explanation", "identifier"].map((each) => member(each, "string")),
  ];
}

/** The words that read the evaluation of that name of a run. */
export function evaluationTerms(name: string, labels: readonly string[]): VocabularyTerm[] {
  const spelled = `evals[${printedText(name)}]`;
  const member = (of: string, type: TermType, values: readonly string[] = []) =>
    term({ name: `${spelled}.${of}`, type, category: "annotation", values });
  return [
    member("score", "number"),
    member("label", "string", labels),
    member("explanation", "string"),
    term({ name: spelled, type: "boolean", category: "annotation", description: "whether there is one" }),
  ];
}

/** How a member of a document of a run is spelled; a path begins with the name of the document. */
export function memberName([document, ...path]: readonly string[]): string {
  return `${document}${path.map((step) => `[${printedText(step)}]`).join("")}`;
}

/** How a path into the attributes is spelled: dotted names where the language has them, else subscripts. */
export function attributeName(grain: LanguageGrain, path: readonly string[]): string {
  const [first, ...rest] = path;
  if (first === "metadata" && rest.length > 0) return `metadata${subscript(grain, rest)}`;
  const plain = grain === "span" && path.every((step) => PLAIN.test(step) && !RESERVED.has(step)) && isFree(path);
  return plain ? path.join(".") : `attributes${subscript(grain, path)}`;
}

function subscript(grain: LanguageGrain, path: readonly string[]): string {
  return grain === "span" ? path.map((step) => `[${printedText(step)}]`).join("") : `[${printedText(path.join("."))}]`;
}

/** ASCII: another spelling of a letter would be taken for the plain one. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** No built-in name is spelled so, or begins so. */
function isFree(path: readonly string[]): boolean {
  const [first = ""] = path;
  const taken = ["parent_span", "attributes", "metadata", ...spanLanguage.collections.map(({ name }) => name)];
  return !taken.includes(first) && !spanLanguage.fields.has(path.join("."));
}

function term(given: Partial<VocabularyTerm> & Pick<VocabularyTerm, "name" | "type" | "category">): VocabularyTerm {
  return { description: "", iterableName: null, values: [], ...given };
}

const PARENT = term({
  name: "parent_span",
  type: "relation",
  category: "span",
  description: "the span above; only `is None` and `is not None`",
});
/** Shown beside the documents of a run: `input` and `output` are other things in the other languages. */
const documentWords: Readonly<Record<string, string>> = {
  output: "what the run gave, or a member: output['answer']",
  input: "what the example asks, or a member",
  reference_output: "what the example expects, or a member",
  metadata: "metadata of the example, or a member",
};
const USER = term({ name: "user.id", type: "string", category: "attribute", description: "user of the root span" });

const documentTerms = runDocuments.map((name) =>
  term({ name, type: "string", category: "run", description: documentWords[name] ?? "" }),
);

function besideFields(grain: LanguageGrain): readonly VocabularyTerm[] {
  if (grain === "run") return documentTerms;
  return grain === "span" ? [PARENT] : [USER];
}

function categoryOf(grain: LanguageGrain, { name, place, rollup }: Field): TermCategory {
  if (rollup === true || place.in === "sum of costs") return "aggregate";
  return grain !== "span" && AGGREGATE.test(name) ? "aggregate" : grain;
}

const AGGREGATE = /count|cost|^num_/;

function termOf(field: Field, category: TermCategory, iterableName: string | null): VocabularyTerm {
  const types = { text: "string", number: "number", timestamp: "datetime", boolean: "boolean" } as const;
  const known: Readonly<Record<string, readonly string[]>> = { span_kind: spanKinds, status_code: spanStatuses };
  return term({
    name: field.name,
    type: types[field.type],
    category,
    iterableName,
    description: descriptions[field.name] ?? "",
    values: known[field.name] ?? [],
  });
}

function collectionTerms(collection: Collection, of: string | null): VocabularyTerm[] {
  const { name, fields, nested } = collection;
  const parent = collection.hasParent
    ? [term({ name: "parent_span", type: "relation", category: "element", iterableName: name })]
    : [];
  return [
    term({ name, type: "iterable", category: "iterable", iterableName: of, description: descriptions[name] ?? "" }),
    ...fields.map((field) => termOf(field, "element", name)),
    ...parent,
    ...nested.flatMap((each) => collectionTerms(each, name)),
  ];
}

const descriptions: Readonly<Record<string, string>> = {
  latency_ms: "milliseconds from start to end, exact",
  duration_ms: "milliseconds from start to end, exact",
  parent_id: "id of the span above, as it was sent",
  status_message: "what a failed span says",
  start_time: "compared with a text such as '2026-01-31T12:00:00Z'",
  end_time: "compared with a text such as '2026-01-31T12:00:00Z'",
  input: "input of the root span",
  output: "output of the root span",
  first_input: "input of the first root span",
  last_output: "output of the last root span",
  repetition_number: "which run of the example, from 1",
  error: "what a failed run says",
  trace_id: "id of the trace, as it was sent",
  num_spans: "spans",
  error_count: "spans with an error",
  error_group: "key of a group of failures",
  num_traces: "traces",
  num_traces_with_error: "traces with an error",
  tool_span_count: "spans of kind TOOL",
  llm_span_count: "spans of kind LLM",
  token_count_prompt: "prompt tokens of its LLM spans",
  token_count_completion: "completion tokens of its LLM spans",
  token_count_total: "tokens of its LLM spans",
  total_cost: "USD",
  prompt_cost: "USD",
  completion_cost: "USD",
  spans: "all spans",
  traces: "all traces",
  children: "the spans directly below",
  siblings: "the other spans below the same one",
  cost_details: "parts of the cost",
  span_cost_details: "parts of the costs of all spans",
  annotations: "annotations of the span",
  trace_annotations: "annotations of the trace",
  session_annotations: "annotations of the session",
  span_annotations: "annotations of all spans",
};

const word = (category: "function" | "operator", type: TermType) => (entry: readonly [string, string]) =>
  term({ name: entry[0], type, category, description: entry[1] });

/** For the other languages, too, but for `int`. */
const spanWords: readonly VocabularyTerm[] = [
  ...(
    [
      ["any", "whether one element meets a condition: any(d.tokens > 10 for d in cost_details)"],
      ["all", "whether every element meets a condition"],
    ] as const
  ).map(word("function", "boolean")),
  ...(
    [
      ["len", "number of elements: len([d for d in cost_details])"],
      ["sum", "sum over elements: sum(d.cost for d in cost_details)"],
      ["max", "largest value of the elements"],
      ["min", "smallest value of the elements"],
      ["float", "reads an attribute as a number"],
      ["int", "the same as float"],
    ] as const
  ).map(word("function", "number")),
  ...([["str", "reads an attribute as a text"]] as const).map(word("function", "string")),
  ...(
    [
      ["==", "equal"],
      ["!=", "different, and there"],
      ["<", "less"],
      ["<=", "at most"],
      [">", "more"],
      [">=", "at least"],
      ["in", "one of a list, or part of a text whatever its letter case"],
      ["not in", "none of a list, or no part of a text"],
      ["is None", "missing"],
      ["is not None", "there"],
      ["and", "both conditions"],
      ["or", "one of the conditions"],
      ["not", "the opposite"],
    ] as const
  ).map(word("operator", "boolean")),
  ...(
    [
      ["+", "sum, or one text after the other"],
      ["-", "difference"],
      ["*", "product"],
      ["/", "quotient"],
      ["%", "remainder"],
    ] as const
  ).map(word("operator", "number")),
];
