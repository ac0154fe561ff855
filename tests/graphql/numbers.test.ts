// Numbers of GraphQL: an argument takes every spelling that JSON has for a number, a whole Float of an answer keeps its fraction.

import { beforeAll, describe, expect, test } from "bun:test";
import {
  coerceInputValue,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from "graphql";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { openTestApi, send } from "../support/api.ts";
import { sendSpans } from "../support/dataset.ts";
import { declaredSchema } from "../support/declared-schema.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askRefusal } from "../support/graphql.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { openForSuite } from "../support/suite.ts";

const schema = await declaredSchema();
const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
/** A positive whole number as programs write it; all of them are 4. */
const spellings = ["4", "4.0", "4.00", "4e0", "0.4e1", "40E-1"];

/** Some valid value of the type, with `number` where it takes one. */
function someOf(type: GraphQLInputType, number: Json): Json {
  const named = getNullableType(type);
  if (isListType(named)) return [someOf(named.ofType, number)];
  if (named instanceof GraphQLEnumType) return named.getValues()[0]!.name;
  if (named instanceof GraphQLInputObjectType) return someObject(named, number);
  if (named === GraphQLInt || named === GraphQLFloat) return number;
  switch (named.toString()) {
    case "Boolean":
      return true;
    case "DateTime":
      return "2024-01-01T00:00:00Z";
    case "CronExpression":
      return "0 1 * * 2";
    case "JSON":
      return {};
    default:
      return "name";
  }
}

/** Of an object that takes exactly one member, one with a number in it. */
function someObject(type: GraphQLInputObjectType, number: Json): Json {
  const fields = Object.values(type.getFields());
  const chosen = type.isOneOf
    ? fields.slice(0, 1)
    : fields.filter((field) => isRequiredInputField(field) || takesNumber(field.type));
  return Object.fromEntries(chosen.map((field) => [field.name, someOf(field.type, number)]));
}

function takesNumber(type: GraphQLInputType): boolean {
  const named = getNullableType(type);
  if (isListType(named)) return takesNumber(named.ofType);
  return named === GraphQLInt || named === GraphQLFloat;
}

const withNumbers = inputs.filter((type) => Object.values(type.getFields()).some((field) => takesNumber(field.type)));

describe("numbers of every input type", () => {
  test("there are such types", () => expect(withNumbers.length).toBeGreaterThan(10));

  for (const type of withNumbers) {
    test(type.name, () => {
      const expected = coerceInputValue(someOf(type, 4), type);
      for (const spelling of spellings) {
        expect(coerceInputValue(someOf(type, parseJson(spelling)), type)).toEqual(expected);
      }
    });
  }
});

forEachDriver("numbers over /graphql", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const span = {
      traceId: "ab".repeat(16),
      spanId: "1".repeat(16),
      name: "span",
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000001000000000",
    };
    await sendSpans(
      async (body) => {
        await send(api.server, "POST /v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
      },
      "numbers",
      [span as unknown as OtlpSpan],
    );
  });

  async function posted(query: string, variables: string): Promise<string> {
    const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    const response = await send(api.server, "POST /graphql", { body, headers: { "content-type": "application/json" } });
    return response.text();
  }

  const create = `mutation ($name: String!, $lower: Float, $upper: Float) {
    createAnnotationConfig(input: {annotationConfig: {continuous:
      {name: $name, optimizationDirection: MAXIMIZE, lowerBound: $lower, upperBound: $upper}}}) {
      annotationConfig { ... on ContinuousAnnotationConfig { lowerBound upperBound } }
    }
  }`;
  const created = (lower: string, upper: string) =>
    `{"data":{"createAnnotationConfig":{"annotationConfig":{"lowerBound":${lower},"upperBound":${upper}}}}}`;

  test("a Float variable is read in every spelling, and answered with its fraction", async () => {
    for (const [position, spelling] of spellings.entries()) {
      const variables = `{"name":"bounds-${position}","lower":-1.0,"upper":${spelling}}`;
      expect(await posted(create, variables)).toBe(created("-1.0", "4.0"));
    }
    const large = `{"name":"large","lower":0,"upper":18446744073709551616}`;
    expect(await posted(create, large)).toBe(created("0.0", "18446744073709552000.0"));
  });

  test("an Int is read in every spelling as a variable and in the document, and answered without a fraction", async () => {
    const query = "query ($first: Int) { projects(first: $first) { edges { node { name traceCount } } } }";
    const answer = await posted(query, '{"first":4}');
    expect(answer).toContain('"traceCount":1}');
    for (const spelling of spellings) {
      expect(await posted(query, `{"first":${spelling}}`)).toBe(answer);
      const inDocument = query.replace("($first: Int)", "").replace("$first", spelling);
      expect(await posted(inDocument, "{}")).toBe(answer);
    }
  });

  test("what is no number of the type is refused by its name", async () => {
    const query = "query ($first: Int) { projects(first: $first) { edges { node { name } } } }";
    expect(await posted(query, '{"first":1.5}')).toContain("Int cannot represent non-integer value: 1.5");
    expect(await posted(query, '{"first":4294967296}')).toContain('Variable \\"$first\\" got invalid value 4294967296');
    expect(await posted(query, '{"first":9007199254740993}')).toContain("got invalid value 9007199254740993; Int");
    const named = "query ($name: String!) { getProjectByName(name: $name) { name } }";
    expect(await posted(named, '{"name":1.0}')).toContain("got invalid value 1.0; String");
    expect(await posted(query, '{"first":1e400}')).toContain("The number 1e400 is beyond the range of a double");
    expect(await askRefusal(api, "{ projects(first: 1.5) { edges { node { name } } } }")).toContain("1.5");
  });
});
