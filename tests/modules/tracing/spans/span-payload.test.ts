// A payload in bounds: what is cut, what is named, and that nothing is lost without being named.
import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../../src/kernel/json.ts";
import {
  MOST_SHOWN,
  readValuePath,
  shownPayload,
} from "../../../../src/modules/tracing/spans/payload/span-payload.rules.ts";

const shown = (attributes: JsonObject, events: Json[] = []) => shownPayload({ attributes, events, large: [] });

describe("a shown payload", () => {
  test("is the payload where that is small", () => {
    const attributes = { input: { value: "x".repeat(60_000) }, list: [1, null, { a: true }] };
    const events = [{ name: "exception" }];
    expect(shown(attributes, events)).toEqual({ attributes, events, cut: [] });
  });

  test("names a text that is kept apart, with its bytes", () => {
    const attributes = { input: { value: "ü".repeat(10_000) } };
    const found = shownPayload({ attributes, events: [], large: [{ path: '["input","value"]', bytes: 5_000_000 }] });
    expect(found.cut).toEqual([{ path: ["attributes", "input", "value"], bytes: 5_000_000, items: null }]);
    expect((found.attributes.input as JsonObject).value).toBe("ü".repeat(10_000));
  });

  test("cuts texts further where many of them are too much together", () => {
    const messages = Array.from({ length: 1000 }, () => ({ content: "é".repeat(30_000) }));
    const found = shown({ messages });
    expect(JSON.stringify(found.attributes).length).toBeLessThan(1.2 * MOST_SHOWN);
    expect(found.cut).toHaveLength(1000);
    expect(found.cut[999]).toEqual({ path: ["attributes", "messages", 999, "content"], bytes: 60_000, items: null });
  });

  test("cuts lists that are too long, also of the shortest values", () => {
    const found = shown({ numbers: Array.from({ length: 1_000_000 }, (_, i) => i) });
    expect((found.attributes.numbers as Json[]).length).toBe(100_000);
    expect(found.cut).toEqual([{ path: ["attributes", "numbers"], bytes: null, items: 1_000_000 }]);
  });

  test("cuts events, too, and leaves the payload as it was", () => {
    const events = [{ name: "exception", attributes: { "exception.stacktrace": "at\n".repeat(100_000) } }];
    const found = shown({}, events);
    expect(found.cut.map(({ path }) => path)).toEqual([["events", 0, "attributes", "exception.stacktrace"]]);
    expect(events[0]!.attributes["exception.stacktrace"]).toHaveLength(300_000);
  });
});

test("a path is a JSON list of keys and positions below attributes or events", () => {
  expect(readValuePath('["attributes","a",0]')).toEqual(["attributes", "a", 0]);
  for (const text of ["", "a", '"a"', "[]", '["attributes"]', '["attributes",-1]', '["attributes",null]', '{"a":1}']) {
    expect(readValuePath(text)).toBeNull();
  }
});
