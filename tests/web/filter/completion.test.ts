// What is offered at the caret of a condition (`|` marks it).
import { describe, expect, test } from "bun:test";
import { completionAt, type Vocabulary } from "../../../src/web/domain/filter/completion.ts";

const term = (name: string, type: string, iterableName: string | null = null) => ({
  name,
  type,
  description: "",
  iterableName,
});
const vocabulary: Vocabulary = {
  terms: [
    term("span_kind", "str"),
    term("latency_ms", "float"),
    term("llm.model_name", "str"),
    term("metadata['tier']", "str"),
    term("evals['a b']", "boolean"),
    term("evals['a b'].score", "number"),
    term("token_type", "str", "cost_details"),
  ],
  valuesOf: (field) => ({ span_kind: ["LLM", "TOOL"], "metadata['tier']": ["gold", "it's"] })[field] ?? [],
};

/** The text after each suggestion was taken. */
function taken(marked: string): readonly string[] {
  const caret = marked.indexOf("|");
  const text = marked.replace("|", "");
  const completion = completionAt(text, caret, vocabulary);
  return (completion?.suggestions ?? []).map(
    ({ insert }) => text.slice(0, completion!.from) + insert + text.slice(caret),
  );
}

describe("completion", () => {
  test("names, those that begin alike first", () => {
    expect(taken("|")).toHaveLength(6);
    expect(taken("la|")).toEqual(["latency_ms "]);
    expect(taken("span_kind == 'LLM' and mo|")).toEqual(["span_kind == 'LLM' and llm.model_name "]);
    expect(taken("(tier|")).toEqual(["(metadata['tier'] "]);
    expect(taken("metadata['t|")).toEqual(["metadata['tier'] "]);
    expect(taken("not evals['a b'].s|")).toEqual(["not evals['a b'].score "]);
  });

  test("operators that fit the type", () => {
    expect(taken("latency_ms |")[0]).toBe("latency_ms > ");
    expect(taken("span_kind |")[0]).toBe("span_kind == ");
    expect(taken("metadata['tier'] |")[0]).toBe("metadata['tier'] == ");
    expect(taken("evals['a b'].score |")[0]).toBe("evals['a b'].score > ");
    expect(taken("span_kind i|")).toEqual(["span_kind in [", "span_kind is None ", "span_kind is not None "]);
  });

  test("values of a field, quoted", () => {
    expect(taken("span_kind == |")).toEqual(["span_kind == 'LLM'", "span_kind == 'TOOL'"]);
    expect(taken("span_kind == 'to|")).toEqual(["span_kind == 'TOOL'"]);
    expect(taken("span_kind in ['LLM', |")).toEqual(["span_kind in ['LLM', 'LLM'", "span_kind in ['LLM', 'TOOL'"]);
    expect(taken("metadata['tier'] != |")).toContain("metadata['tier'] != 'it\\'s'");
    expect(taken("name == 'a|")).toEqual([]);
  });

  test("what joins conditions", () => {
    expect(taken("span_kind == 'LLM' |")).toEqual(["span_kind == 'LLM' and ", "span_kind == 'LLM' or "]);
    expect(taken("latency_ms > 5 o|")).toEqual(["latency_ms > 5 or "]);
    expect(taken("evals['a b'] a|")).toEqual(["evals['a b'] and "]);
  });

  test("nothing inside a text", () => expect(taken("'span|")).toEqual([]));

  test("long texts are read at once", () => {
    const long = `name == '${"a".repeat(50_000)}' and ${"(".repeat(5_000)}`;
    expect(completionAt(long, long.length, vocabulary)?.suggestions.length).toBe(6);
  });
});
