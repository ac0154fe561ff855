// Our schema against the one recorded from the reference server: what is built has the same names, arguments, types and defaults;
// what is not built is listed here.
import { describe, expect, test } from "bun:test";
import {
  type GraphQLArgument,
  GraphQLEnumType,
  type GraphQLField,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLString,
  printType,
} from "graphql";
import { declaredSchema } from "../support/declared-schema.ts";
import recorded from "../vectors/graphql-fields.json" with { type: "json" };

const schema = await declaredSchema();

/** Fields of built types that are not built yet, by name: one a line, so that branches that build two of them merge. */
const later: readonly string[] = ["Query.validateRegularExpression"];
/** Evaluators written in code run in sandboxes, which are not built. */
const withoutCode = ["EvaluatorPreviewInput.codeEvaluatorId", "EvaluatorPreviewInput.inlineCodeEvaluator"];
/** Two generations of programs share this input: each names the span by a member of its own, so that neither is required. */
const optional = ["CreateSpanNoteInput.spanId: ID!", "PatchDatasetExamplesInput.patches: [DatasetExamplePatch!]!"];
/** A result may be null as it was sent. */
const nullable = ["ToolResultContentValue.result: JSON!"];

const comesLater = (entry: string) => later.includes(/^\w+\.\w+/.exec(entry)![0]);

function signature({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.map(argument).sort().join(", ");
  return `${name}${given === "" ? "" : `(${given})`}: ${type}`;
}

function argument({ name, type, defaultValue }: GraphQLArgument): string {
  return `${name}: ${type}${defaultValue === undefined ? "" : ` = ${JSON.stringify(defaultValue)}`}`;
}

/** The arguments of a recorded field in the order of their names. */
function normalised(entry: string): string {
  const match = /^(\w+)\.(\w+)(?:\((.*)\))?: (.+)$/.exec(entry);
  if (match === null) throw new Error(`Not an entry: ${entry}`);
  const [, owner, name, given, type] = match;
  const args =
    given === undefined
      ? ""
      : `(${given
          .split(/, (?=\w+: )/)
          .sort()
          .join(", ")})`;
  return `${owner}.${name}${args}: ${type}`;
}

/** Ours, with those arguments only that were recorded: more are allowed. */
function ours(owner: string, entry: string): string | null {
  const type = schema.getType(owner);
  if (!(type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType)) return null;
  const name = /\.(\w+)/.exec(entry)![1]!;
  const field = type.getFields()[name];
  if (field === undefined) return null;
  const known = new Set([...entry.matchAll(/(\w+): /g)].map((match) => match[1]));
  return `${owner}.${signature({ ...field, args: field.args.filter((arg) => known.has(arg.name)) })}`;
}

describe("the schema", () => {
  const entries = [...recorded.tier1.required, ...recorded.tier2.required];
  const built = entries.filter((entry) => schema.getType(entry.split(".", 1)[0]!) !== undefined);
  const wanted = built.filter((entry) => !comesLater(entry));

  test.each(wanted)("has %s", (entry) => {
    const expected = normalised(entry);
    const found = ours(entry.split(".", 1)[0]!, expected);
    expect(found).toBe(nullable.includes(expected) ? expected.replace(/!$/, "") : expected);
  });

  test("has nothing that is said to come later", () => {
    const early = built.filter((entry) => !wanted.includes(entry) && ours(entry.split(".", 1)[0]!, entry) !== null);
    expect(early).toEqual([]);
    expect(later).toEqual([...new Set(later)].sort());
    expect(wanted.length).toBeGreaterThan(150);
  });

  test("has every input of what is built", () => {
    for (const entry of Object.values(recorded.inputs).flat()) {
      const [owner = "", member = ""] = entry.split(/[.:]/, 2);
      if (withoutCode.includes(`${owner}.${member}`)) continue;
      const type = schema.getType(owner);
      if (!(type instanceof GraphQLInputObjectType)) continue;
      const field = type.getFields()[member];
      const defaultValue =
        field?.defaultValue === undefined
          ? ""
          : ` = ${field.type === GraphQLString || Array.isArray(field.defaultValue) ? JSON.stringify(field.defaultValue) : field.defaultValue}`;
      const expected = optional.includes(entry) ? entry.replace(/!$/, "") : entry;
      expect(`${owner}.${member}: ${field?.type}${defaultValue}`).toBe(expected);
    }
  });

  test("has every word of the enumerations that are built", () => {
    for (const [name, words] of Object.entries(recorded.enums)) {
      const type = schema.getType(name);
      if (!(type instanceof GraphQLEnumType)) continue;
      const missing = words.filter((word) => type.getValue(word) === undefined);
      expect([name, missing]).toEqual([name, []]);
    }
    expect(printType(schema.getType("SpanKind")!)).toContain("decision");
  });
});

/** Programs declare their variables by these names. They came after the recording. */
const namedLater = [
  "AddDatasetExampleOperation",
  "DatasetExampleField",
  "DatasetExampleOperation",
  "DatasetExampleValueInput",
  "ExperimentSort",
  "RemoveDatasetExampleOperation",
  "ReplaceDatasetExampleFieldOperation",
];

test("inputs of later levels have the names that programs know", () => {
  expect(namedLater.filter((name) => schema.getType(name) === undefined)).toEqual([]);
});
