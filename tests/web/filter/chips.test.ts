// Chips are cut out of conditions and put together to conditions of the same meaning.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseCondition } from "../../../src/filter/parser.ts";
import {
  chipsOf,
  choiceOf,
  conditionOf,
  literalOf,
  toggled,
  withChoice,
  withoutPart,
  withPart,
} from "../../../src/web/domain/filter/chips.ts";

const textsOf = (condition: string) => chipsOf(condition)?.map(({ text }) => text) ?? null;

describe("chips of a condition", () => {
  test.each([
    ["", []],
    ["span_kind == 'LLM'", ["span_kind == 'LLM'"]],
    ["span_kind == 'LLM' and latency_ms > 1", ["span_kind == 'LLM'", "latency_ms > 1"]],
    ["(a == 1 or b == 2) and c == 3", ["(a == 1 or b == 2)", "c == 3"]],
    ["((a == 1)) and (b == 2)", ["((a == 1))", "(b == 2)"]],
    ["(a == 1 and b == 2)", ["a == 1", "b == 2"]],
    ["((a == 1 and (b == 2)) and c == 3)", ["(a == 1 and (b == 2))", "c == 3"]],
    ["a == 1 or b == 2", ["a == 1 or b == 2"]],
    ["name == 'a and (b' and c == 1", ["name == 'a and (b'", "c == 1"]],
    ["(a == 1 # (or\nand c == 3)", ["(a == 1 # (or\nand c == 3)"]],
    ["a == '#1' and b == 2", ["a == '#1'", "b == 2"]],
  ])("%p", (condition, texts) => expect(textsOf(condition)).toEqual(texts));

  test("there are none for what is not a condition", () => expect(chipsOf("a == ")).toBeNull());

  test.each([
    ["span_kind != 'LLM'", { field: "span_kind", operator: "!=", values: ["LLM"] }],
    ["annotations['q'].label == 'good'", { field: "annotations['q'].label", operator: "==", values: ["good"] }],
    ["metadata['tier'] in ['gold', \"it's\"]", { field: "metadata['tier']", operator: "in", values: ["gold", "it's"] }],
    ["latency_ms > -1.5", { field: "latency_ms", operator: ">", values: ["-1.5"] }],
    ["llm.model_name is None", { field: "llm.model_name", operator: "is", values: ["None"] }],
    ["'refund' in input.value", { field: "input.value", operator: "contains", values: ["refund"] }],
    ["0 < latency_ms < 10", null],
    ["any(d.cost > 1 for d in cost_details)", null],
  ])("%p is read as", (condition, plain) => expect(chipsOf(condition)?.[0]?.plain).toEqual(plain as never));
});

describe("parts", () => {
  test("what binds looser than and gets brackets", () => {
    expect(withPart("a == 1 or b == 2", "c == 3")).toBe("(a == 1 or b == 2) and c == 3");
    expect(withPart("(a == 1) or (b == 2)", "c == 3")).toBe("((a == 1) or (b == 2)) and c == 3");
    expect(withPart("a == 1 # note", "c == 3")).toBe("(a == 1 # note\n) and c == 3");
    expect(withPart("", "a == 1 or b == 2")).toBe("a == 1 or b == 2");
  });

  test("a part is taken out, and asked for once", () => {
    expect(withoutPart("a == 1 and b == 2 and c == 3", 1)).toBe("a == 1 and c == 3");
    expect(withoutPart("(a == 1 or b == 2) and c == 3", 1)).toBe("(a == 1 or b == 2)");
    expect(withPart("a == 1 and b == 2", "a == 1")).toBe("b == 2 and a == 1");
  });

  test("a text that is not a condition is given up", () => expect(withPart("a == ", "b == 2")).toBe("b == 2"));

  test("any parts give a condition with these chips", () => {
    const part = fc.constantFrom(
      "a == 1",
      "a == 1 or b == 2",
      "not c",
      "(a == 1) or (b == 2)",
      "'(' in d",
      "x if y else z",
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 6 }), (parts) => {
        const condition = conditionOf(parts);
        expect(parseCondition(condition)?.root.kind).toBe("and");
        expect(chipsOf(condition)).toHaveLength(parts.length);
        expect(conditionOf(textsOf(condition)!)).toBe(condition);
      }),
    );
  });
});

describe("choices of a facet", () => {
  test("are read and written", () => {
    const condition = "latency_ms > 5 and span_kind == 'LLM' and span_kind != 'TOOL'";
    expect(choiceOf(condition, "span_kind")).toEqual({ included: ["LLM"], excluded: ["TOOL"] });
    expect(withChoice(condition, "span_kind", { included: ["LLM", "AGENT"], excluded: [] })).toBe(
      "latency_ms > 5 and span_kind in ['LLM', 'AGENT']",
    );
    expect(withChoice("'a' in name", "name", { included: ["b"], excluded: ["c"] })).toBe(
      "'a' in name and name == 'b' and name != 'c'",
    );
  });

  test("are taken back by the same click and moved by the other", () => {
    const chosen = toggled({ included: [], excluded: [] }, "included", "LLM");
    expect(chosen).toEqual({ included: ["LLM"], excluded: [] });
    expect(toggled(chosen, "included", "LLM")).toEqual({ included: [], excluded: [] });
    expect(toggled(chosen, "excluded", "LLM")).toEqual({ included: [], excluded: ["LLM"] });
  });

  test("hold any value", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((value) => !value.includes("\0")),
        (value) => {
          const condition = withChoice("a == 1", "name", { included: [value], excluded: [] });
          expect(choiceOf(condition, "name").included).toEqual([value]);
          expect(literalOf(value).startsWith("'")).toBe(true);
        },
      ),
    );
  });
});
