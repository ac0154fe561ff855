// Query strings: repetition, defaults, and the value grammar seen from outside.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { readQuery } from "../../src/api/query.ts";
import { Instant, Words } from "../../src/kernel/schema.ts";
import { Violations } from "../../src/kernel/violations.ts";

const Query = Type.Object({
  limit: Type.Integer({ default: 100, exclusiveMinimum: 0 }),
  name: Type.Optional(Type.Array(Type.String())),
  order: Type.Optional(Words(["asc", "desc"])),
  since: Type.Optional(Instant()),
  cursor: Type.Optional(Type.String()),
});

function read(queryString: string) {
  const violations = new Violations();
  const query = readQuery(Query, `http://localhost/v1/things${queryString}`, violations);
  return { query, violations: violations.list().map(({ type, loc }) => [type, ...loc]) };
}

describe("readQuery", () => {
  const taken: readonly [string, string, unknown][] = [
    ["no query string", "", { limit: 100 }],
    ["an unknown parameter", "?other=1", { limit: 100 }],
    ["the last of several scalars", "?limit=x&limit=5", { limit: 5 }],
    ["one occurrence as a list of one", "?name=a,b", { limit: 100, name: ["a,b"] }],
    ["repetition as a list", "?name=a&name=&name=c%26d", { limit: 100, name: ["a", "", "c&d"] }],
    ["an empty text", "?cursor=", { limit: 100, cursor: "" }],
    ["a parameter without a value", "?cursor", { limit: 100, cursor: "" }],
    ["an escaped offset", "?since=1970-01-01T02:00:00%2B02:00", { limit: 100, since: 0 }],
    ["a zero fraction", "?limit=10.0", { limit: 10 }],
  ];
  for (const [what, queryString, query] of taken) {
    test(`takes ${what}`, () => {
      expect(read(queryString)).toEqual({ query, violations: [] } as unknown as ReturnType<typeof read>);
    });
  }

  const refused: readonly [string, string, unknown][] = [
    ["an empty integer", "?limit=", ["int_parsing", "query", "limit"]],
    ["an integer beyond 64 bits", "?limit=99999999999999999999", ["int_parsing_size", "query", "limit"]],
    [
      "a plus that was not escaped",
      "?since=1970-01-01T02:00:00+02:00",
      ["datetime_from_date_parsing", "query", "since"],
    ],
    ["a word in another case", "?order=DESC", ["literal_error", "query", "order"]],
  ];
  for (const [what, queryString, violation] of refused) {
    test(`refuses ${what}`, () => {
      expect(read(queryString).violations).toEqual([violation] as (string | number)[][]);
    });
  }

  test("reports all violations together", () => {
    expect(read("?limit=0&order=up").violations.map(([type]) => type)).toEqual(["greater_than", "literal_error"]);
  });

  test("a required parameter that is absent is missing", () => {
    const violations = new Violations();
    readQuery(Type.Object({ start_time: Instant() }), "http://localhost/", violations);
    expect(violations.list()).toMatchObject([{ type: "missing", loc: ["query", "start_time"], input: null }]);
  });
});
