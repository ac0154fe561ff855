// Input mappings and their paths: what they find, what they refuse, and that nothing but own members of the context is found.
import { describe, expect, test } from "bun:test";
import { type Json, type JsonObject, parseJson } from "../../../../src/kernel/json.ts";
import {
  ignoredKeys,
  mapInputs,
  requireInputMapping,
} from "../../../../src/modules/evaluation/evaluators/mapping/input-mapping.rules.ts";
import {
  castInputs,
  type InputSchema,
} from "../../../../src/modules/evaluation/evaluators/mapping/input-schema.rules.ts";
import { parseJsonPath, valuesAt } from "../../../../src/modules/evaluation/evaluators/mapping/json-path.rules.ts";

const find = (path: string, document: Json) => valuesAt(parseJsonPath(path), document);
const document: Json = {
  output: { messages: [{ content: "a" }, { content: "b" }], "x y": 1, "it's": 2 },
  list: [0, 1, 2, 3, 4],
};

describe("paths", () => {
  test.each<[string, Json[]]>([
    ["$.output.messages[0].content", ["a"]],
    ["output.messages[-1].content", ["b"]],
    ["$.output.messages[*].content", ["a", "b"]],
    ["$.output['x y']", [1]],
    ['$["output"]["it\'s"]', [2]],
    ["$.output['it\\'s']", [2]],
    ["['list'][1:3]", [1, 2]],
    ["list[::2]", [0, 2, 4]],
    ["list[-2:]", [3, 4]],
    ["list[::-1]", [4, 3, 2, 1, 0]],
    ["list[3:0:-2]", [3, 1]],
    ["list[1:99]", [1, 2, 3, 4]],
    ["list.*", [0, 1, 2, 3, 4]],
    ["$", [document]],
    ["$.nope", []],
    ["list[9]", []],
    ["list.name", []],
    ["output[0]", []],
  ])("%s", (path, expected) => {
    expect(find(path, document)).toEqual(expected);
  });

  test.each([
    ["", "it is empty"],
    ["  ", "it is empty"],
    ["$..a", "JSONPath feature 'Descendants' is not supported"],
    ["$.a..b", "JSONPath feature 'Descendants' is not supported"],
    ["$[?(@.a)]", "JSONPath feature 'Filter' is not supported"],
    ["$[(@.length-1)]", "JSONPath feature 'Filter' is not supported"],
    ["$[0,1]", "JSONPath feature 'Union' is not supported"],
    ["@", "JSONPath feature 'Current node' is not supported"],
    ["@.a", "JSONPath feature 'Current node' is not supported"],
    ["$.1a", 'unexpected "1" at character 3'],
    ["1a", 'unexpected "1" at character 1'],
    ["$.a[", "it ends too early"],
    ["$.a[0", "it ends too early"],
    ["$['a", "is never closed"],
    ["$[0:1:0]", "must not be 0"],
    ["$ .a", "unexpected"],
    ["a".repeat(1001), "longer than 1000"],
  ])("%p is refused", (path, message) => {
    expect(() => parseJsonPath(path)).toThrow(message);
  });

  test.each(["__proto__", "constructor", "length", "rawJSON", "toString"])("%s is no member", (name) => {
    expect(find(`$.${name}`, {})).toEqual([]);
    expect(find(`$.list.${name}`, document)).toEqual([]);
    expect(find(`$['output']["${name}"]`, document)).toEqual([]);
    expect(find(`n.${name}`, parseJson('{"n":1.0}'))).toEqual([]);
  });

  test("a member called __proto__ that was sent is found", () => {
    expect(find("$['__proto__'].a", parseJson('{"__proto__":{"a":1}}'))).toEqual([1]);
  });

  test("wildcards visit every value once, and a number is not opened", () => {
    const deep = parseJson('{"a":{"b":[1.0,2]}}');
    expect(find("$.*.*.*.*", deep)).toEqual([]);
    expect(find("$[*][*][*]", deep)).toHaveLength(2);
  });
});

describe("mappings", () => {
  const context: JsonObject = { text: "same name", output: { a: [1, 2] } };
  const mapping = (literalMapping: JsonObject, pathMapping: Record<string, string>) => ({
    literalMapping,
    pathMapping,
  });

  test("a literal, else a path, else the member of the same name, else nothing", () => {
    const given = mapping({ one: 1 }, { one: "$.nope", two: "$.output.a[*]" });
    expect({ ...mapInputs(given, ["one", "two", "text", "absent"], context) }).toEqual({
      one: 1,
      two: [1, 2],
      text: "same name",
    });
  });

  test("keys that are not declared are ignored, and their paths not followed", () => {
    const given = mapping({ other: 1 }, { more: "$.nope" });
    expect({ ...mapInputs(given, ["text"], context) }).toEqual({ text: "same name" });
    expect(ignoredKeys(given, ["text"])).toEqual(["more", "other"]);
  });

  test("a path without a value names the key", () => {
    expect(() => mapInputs(mapping({}, { text: "$.nope" }), ["text"], context)).toThrow(
      "JSONPath expression '$.nope' for key 'text' did not match any values",
    );
  });

  test("inputs named as members of every object are absent", () => {
    expect({ ...mapInputs(mapping({}, {}), ["constructor", "__proto__"], {}) }).toEqual({});
  });

  test.each<[Json, Json, string]>([
    [{}, [], "path_mapping must be a dictionary"],
    [null, {}, "literal_mapping must be a dictionary"],
    [{}, { a: 1 }, "the path for key 'a' is not a string"],
    [
      {},
      { text: "$..a" },
      "Invalid JSONPath expression for key 'text': JSONPath feature 'Descendants' is not supported",
    ],
  ])("%p, %p is refused", (literalMapping, pathMapping, message) => {
    expect(() => requireInputMapping({ literalMapping, pathMapping })).toThrow(message);
  });
});

describe("casts", () => {
  const schema: InputSchema = {
    type: "object",
    properties: { text: { type: "string" }, any: {}, flag: { type: "boolean", default: true } },
    required: ["text"],
  };

  test("texts stay, other values become JSON where a text is declared", () => {
    const cast = (text: string) => castInputs(schema, parseJson(`{"text":${text}}`) as JsonObject).text;
    expect(['"a"', "null", "true", "1.0", '{"a": [1]}'].map(cast)).toEqual(["a", "null", "true", "1.0", '{"a":[1]}']);
    expect({ ...castInputs(schema, { text: "", any: [1] }) }).toEqual({ text: "", any: [1], flag: true });
  });

  test("what is missing or of another type is named", () => {
    expect(() => castInputs(schema, {})).toThrow("Input validation failed: 'text' is a required property");
    expect(() => castInputs(schema, { text: "", flag: "yes" })).toThrow(
      "Input validation failed: 'yes' is not of type 'boolean'",
    );
  });
});
