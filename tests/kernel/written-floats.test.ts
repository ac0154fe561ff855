// Floats of answers keep their fraction, wherever the schema has them; nothing else is changed.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { parseJson } from "../../src/kernel/json.ts";
import { AnyObject, Nullable, Tagged } from "../../src/kernel/schema.ts";
import { floatWriter } from "../../src/kernel/written-floats.ts";

const written = (schema: Parameters<typeof floatWriter>[0], value: unknown) =>
  JSON.stringify(floatWriter(schema)!(value));

test("a whole float is written with its fraction, an integer without", () => {
  const schema = Type.Object({ score: Type.Number(), count: Type.Integer(), name: Type.String() });
  expect(written(schema, { score: 1, count: 1, name: "1" })).toBe('{"score":1.0,"count":1,"name":"1"}');
  expect(written(schema, { score: -0, count: 0, name: "" })).toBe('{"score":-0.0,"count":0,"name":""}');
  expect(written(schema, { score: 0.5, count: 2, name: "x" })).toBe('{"score":0.5,"count":2,"name":"x"}');
  expect(written(schema, { score: 1e300, count: 2, name: "x" })).toBe('{"score":1e+300,"count":2,"name":"x"}');
});

test("floats are found in lists, in optional members, beside null and in the branch that is meant", () => {
  const branches = Tagged("type", [
    Type.Object({ type: Type.Literal("float"), value: Type.Optional(Nullable(Type.Number())) }),
    Type.Object({ type: Type.Literal("integer"), value: Type.Integer() }),
  ]);
  const schema = Type.Object({ data: Type.Array(Nullable(branches)) });
  const value = {
    data: [
      { type: "float", value: 2 },
      { type: "float", value: null },
      { type: "float" },
      { type: "integer", value: 2 },
      null,
    ],
  };
  expect(written(schema, value)).toBe(
    '{"data":[{"type":"float","value":2.0},{"type":"float","value":null},{"type":"float"},{"type":"integer","value":2},null]}',
  );
});

test("JSON of any content stays as it was sent, and the value itself is not changed", () => {
  const schema = Type.Object({ metadata: AnyObject(), score: Type.Number() });
  const value = { metadata: parseJson('{"a":1,"b":1.0}'), score: 3 };
  expect(written(schema, value)).toBe('{"metadata":{"a":1,"b":1.0},"score":3.0}');
  expect(value.score).toBe(3);
});

test("a schema without floats needs no writer", () => {
  expect(floatWriter(Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) }))).toBeNull();
});
