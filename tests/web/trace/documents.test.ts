// What else the panel makes of a trace: its OTLP form, the call before a call, and addresses out of messages.
import { describe, expect, test } from "bun:test";
import { parseJson } from "../../../src/kernel/json.ts";
import { looksLikeMarkdown } from "../../../src/web/domain/trace/content/markdown/looks-like-markdown.ts";
import { hostOf, safeAddress } from "../../../src/web/domain/trace/content/safe-address.ts";
import { otlpDocument } from "../../../src/web/domain/trace/otlp.ts";
import { previousCall } from "../../../src/web/domain/trace/previous-call.ts";
import { buildTree } from "../../../src/web/domain/trace/tree.ts";
import { isShort } from "../../../src/web/lib/held-json.ts";
import { span } from "./spans.ts";

test("a trace as OTLP/JSON keeps nanoseconds and 64-bit integers, in camel case", () => {
  const listed = parseJson(`{
    "trace_id": "ab", "span_id": "cd", "parent_span_id": null, "name": "n",
    "start_time_unix_nano": 1700000000123456789, "end_time_unix_nano": 1700000000123457000,
    "status": {"code": 2, "message": "bad"},
    "attributes": [
      {"key": "i", "value": {"int_value": 9007199254740993, "string_value": null}},
      {"key": "l", "value": {"array_value": {"values": [{"string_value": "a"}, {"bool_value": true}]}}},
      {"key": "d", "value": {"double_value": 1.5}},
      {"key": "none", "value": {"string_value": null}}
    ],
    "events": [{"name": "e", "time_unix_nano": 1700000000123456789, "attributes": []}]
  }`);
  const document = otlpDocument("bot", [listed]) as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] };
  expect(document.resourceSpans[0]!.scopeSpans[0]!.spans).toEqual([
    {
      traceId: "ab",
      spanId: "cd",
      name: "n",
      kind: 1,
      startTimeUnixNano: "1700000000123456789",
      endTimeUnixNano: "1700000000123457000",
      attributes: [
        { key: "i", value: { intValue: "9007199254740993" } },
        { key: "l", value: { arrayValue: { values: [{ stringValue: "a" }, { boolValue: true }] } } },
        { key: "d", value: { doubleValue: 1.5 } },
        { key: "none", value: {} },
      ],
      events: [{ name: "e", timeUnixNano: "1700000000123456789", attributes: [] }],
      status: { code: 2, message: "bad" },
    },
  ]);
});

test("the previous call is the newest before it below the same parent, else anywhere", () => {
  const call = (key: string, parent: string, startUs: number) => span(key, parent, { kind: "LLM", startUs });
  const tree = buildTree(
    [
      span("root", null),
      span("a", "root"),
      span("b", "root"),
      call("a1", "a", 1),
      call("b1", "b", 2),
      call("a2", "a", 3),
    ],
    true,
  );
  const before = (key: string) => previousCall(tree, tree.byKey.get(key)!)?.spanKey ?? null;
  expect([before("a1"), before("b1"), before("a2")]).toEqual([null, "a1", "a1"]);
});

describe("addresses out of messages", () => {
  test("only those of the web and of mail are followed", () => {
    expect(safeAddress("https://example.com/a?b")).toBe("https://example.com/a?b");
    expect(safeAddress("mailto:a@example.com")).toBe("mailto:a@example.com");
    for (const address of [
      "javascript:alert(1)",
      "data:text/html,x",
      "/v1/projects",
      "vbscript:x",
      "//host/x",
      "",
      "java\nscript:x",
    ]) {
      expect(safeAddress(address)).toBeNull();
    }
    expect(hostOf("https://a.example:8443/x")).toBe("a.example:8443");
  });
});

test("plain sentences are not worth the Markdown reader", () => {
  for (const text of ["How do I rotate a key?", "3 * 4 = 12", "a_b_c", "5 > 3", "user-12", "$1.50"]) {
    expect(looksLikeMarkdown(text)).toBe(false);
  }
  for (const text of [
    "**bold**",
    "- one\n- two",
    "# Title",
    "use `code`",
    "1. first",
    "```\nx\n```",
    "[a](https://b)",
    "| a | b |",
  ]) {
    expect(looksLikeMarkdown(text)).toBe(true);
  }
});

test("short JSON is recognised without writing long one", () => {
  expect(isShort({ user_id: 42, include: ["keys", "plan"] }, 64)).toBe(true);
  expect(isShort({ text: "x".repeat(100) }, 64)).toBe(false);
  expect(
    isShort(
      Array.from({ length: 1_000_000 }, () => 1),
      64,
    ),
  ).toBe(false);
});
