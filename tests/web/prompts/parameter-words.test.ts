// Parameters of prompts in words.
import { describe, expect, test } from "bun:test";
import { namedValues, parameterWords } from "../../../src/web/domain/prompts/parameter-words.ts";

describe("a parameter", () => {
  test.each([
    ["temperature", "Temperature"],
    ["top_p", "Top P"],
    ["max_completion_tokens", "Max completion tokens"],
    ["stopSequences", "Stop sequences"],
    ["", ""],
  ])("%p is called %p", (name, words) => {
    expect(parameterWords(name)).toBe(words);
  });

  test("keeps its own name where another thing has that of its words", () => {
    const values = namedValues({
      id: "1",
      description: "",
      model_provider: "OPENAI",
      model_name: "gpt-4.1",
      template_format: "MUSTACHE",
      template: { type: "chat", messages: [] },
      invocation_parameters: { type: "openai", openai: { model: "other", top_p: 1 } },
    });
    expect(values).toEqual({
      Model: "gpt-4.1",
      Provider: "OpenAI",
      Variables: "Mustache variables",
      Description: "",
      model: "other",
      "Top P": 1,
    });
  });
});
