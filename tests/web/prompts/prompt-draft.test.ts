// How a version becomes a draft and back, and the errors of one.
import { describe, expect, test } from "bun:test";
import { parseJson, stringifyJson } from "../../../src/kernel/json.ts";
import {
  ELSEWHERE,
  messagePlace,
  parameterPlace,
  partPlace,
  problemsOf,
  refusalsOf,
  unclosedProblem,
} from "../../../src/web/domain/prompts/editor/draft-problems.ts";
import {
  contentOf,
  draftOf,
  emptyDraft,
  isChanged,
  type PromptDraft,
  tagNames,
} from "../../../src/web/domain/prompts/editor/prompt-draft.ts";
import type { PromptVersionContent } from "../../../src/web/domain/prompts/version-parts.ts";
import { PageFailure } from "../../../src/web/lib/failure.ts";

const source = `{
  "description": "",
  "model_provider": "ANTHROPIC",
  "model_name": "claude",
  "template_type": "CHAT",
  "template_format": "F_STRING",
  "template": {"type": "chat", "messages": [
    {"role": "system", "content": "Hi {name}"},
    {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": ""}]},
    {"role": "assistant", "content": [{"type": "tool_call", "tool_call_id": "1", "tool_call": {"type": "function", "name": "f", "arguments": "{}"}}]},
    {"role": "tool", "content": [{"type": "tool_result", "tool_call_id": "1", "tool_result": 12345678901234567890.10}]}
  ]},
  "invocation_parameters": {"type": "anthropic", "anthropic": {"max_tokens": 2000, "temperature": 0.50, "stop_sequences": ["x"]}},
  "tools": {"type": "tools", "tools": [{"type": "raw", "raw": {"limit": 1e400}}]},
  "response_format": {"type": "json_schema", "json_schema": {"name": "a"}},
  "metadata": {"big": 90071992547409931}
}`;
const content = parseJson(source) as unknown as PromptVersionContent;
const draft = (changes: Partial<PromptDraft> = {}): PromptDraft => ({ ...emptyDraft(), ...changes });

describe("a draft", () => {
  test("of a version says the same, digit by digit", () => {
    expect(stringifyJson(contentOf(draftOf(content)))).toBe(stringifyJson(parseJson(source)));
    expect(problemsOf(draftOf(content), false).size).toBe(0);
  });

  test("leaves out what is empty, and the parameters of another family", () => {
    const said = contentOf(draft({ provider: "AWS", parameters: { temperature: " 1 ", seed: "3" }, model: " m " }));
    expect(said).toEqual({
      description: "",
      model_provider: "AWS",
      model_name: "m",
      template_type: "CHAT",
      template_format: "MUSTACHE",
      template: {
        type: "chat",
        messages: [
          { role: "system", content: "" },
          { role: "user", content: "" },
        ],
      },
      invocation_parameters: { type: "aws", aws: { temperature: 1 } },
    });
  });

  test("is changed when a field is, and not when it is set back", () => {
    const start = draftOf(content);
    expect(isChanged(start, { ...start, model: "other" })).toBe(true);
    expect(isChanged(start, { ...start, model: start.model })).toBe(false);
  });

  test("has each tag once", () => {
    expect(tagNames({ tags: " staging, production staging\n" })).toEqual(["staging", "production"]);
  });
});

describe("what is wrong", () => {
  const rows: readonly (readonly [string, Partial<PromptDraft>, string, string])[] = [
    ["a name", { name: "No!" }, "name", "Lower-case letters"],
    ["a number", { name: "a", parameters: { temperature: "0,5" } }, parameterPlace("temperature"), "A number"],
    ["a whole number", { name: "a", parameters: { seed: "1.5" } }, parameterPlace("seed"), "A whole number"],
    ["a parameter that lacks", { name: "a", provider: "ANTHROPIC" }, parameterPlace("max_tokens"), "needs a value"],
    ["JSON", { name: "a", tools: "{" }, "tools", "Line 1, column 2"],
    ["a list", { name: "a", responseFormat: "[]" }, "responseFormat", "JSON object"],
    ["a tag", { name: "a", tags: "fine Not-Fine" }, "tags", "“Not-Fine”"],
    ["no message", { name: "a", messages: [] }, ELSEWHERE, "at least one message"],
  ];
  test.each(rows)("%s", (_name, changes, place, said) => {
    const problems = problemsOf(draft(changes), true);
    expect([...problems.keys()]).toEqual([place]);
    expect(problems.get(place)).toContain(said);
  });

  test("a variable without an end, at its text", () => {
    const start = draftOf(content);
    const [first] = start.messages;
    const broken = { ...start, messages: [{ ...first!, parts: [{ kind: "text" as const, source: "Hi {name" }] }] };
    expect(problemsOf(broken, false)).toEqual(
      new Map([[partPlace(first!.key, 0), "The variable {name is never closed."]]),
    );
  });

  test.each([
    ["Hi {{name}}", "MUSTACHE", null],
    ["Hi {{ name", "MUSTACHE", "{{ name"],
    ["{{first and {{second}}", "MUSTACHE", "{{first and"],
    ['{"json": {{value}}}', "MUSTACHE", null],
    ["Hi {name", "F_STRING", "{name"],
    ["{first and {second}", "F_STRING", "{first and"],
    ["{{a brace}}", "F_STRING", null],
    ["{{ anything", "NONE", null],
  ] as const)("%s as %s: %s", (text, format, named) => {
    expect(unclosedProblem(text, format)).toBe(named === null ? null : `The variable ${named} is never closed.`);
  });
});

describe("what the server refuses", () => {
  const start = { ...draftOf(content), tags: "staging" };
  const at = (...location: (string | number)[]) => {
    const failure = new PageFailure("refused", "all of it", null, [{ location, message: "is wrong" }]);
    return [...refusalsOf(failure, start, false)];
  };
  test.each([
    [["prompt", "name"], "name", "is wrong"],
    [["tags", 0, "name"], "tags", "staging.name: is wrong"],
    [["version", "model_name"], "model", "is wrong"],
    [["version", "tools", "tools", 0, "function", "function", "name"], "tools", "tools.0.function.name: is wrong"],
    [["version", "response_format", "json_schema", "name"], "responseFormat", "json_schema.name: is wrong"],
    [["version", "template", "chat", "messages", 9, "role"], ELSEWHERE, "chat.messages.9.role: is wrong"],
    [
      ["version", "invocation_parameters", "anthropic", "anthropic", "temperature"],
      parameterPlace("temperature"),
      "is wrong",
    ],
    [
      ["version", "invocation_parameters", "anthropic", "anthropic", "thinking", "type"],
      "otherParameters",
      "thinking.type: is wrong",
    ],
    [["version"], ELSEWHERE, "is wrong"],
    [["other", "member"], ELSEWHERE, "other.member: is wrong"],
  ])("%p is reported at %s", (location, place, said) => {
    expect(at(...location)).toEqual([[place, said]]);
  });

  test("a message is found by its position", () => {
    const [, second] = start.messages;
    expect(at("version", "template", "chat", "messages", 1, "content", 0)).toEqual([
      [messagePlace(second!.key), "content.0: is wrong"],
    ]);
  });

  test("a name that is taken has no place in the answer; a protected tag neither", () => {
    const taken = new PageFailure("refused", "A prompt is there");
    expect([...refusalsOf(taken, start, true)]).toEqual([["name", "A prompt is there"]]);
    const guarded = new PageFailure("forbidden", "The tag is protected");
    expect([...refusalsOf(guarded, start, true)]).toEqual([[ELSEWHERE, "The tag is protected"]]);
    expect(refusalsOf(null, start, true).size).toBe(0);
  });
});
