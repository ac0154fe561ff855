// The ready-made judges: their labels, scores and variables, and that each is a judge that fits and can be filled.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/kernel/json.ts";
import {
  parseTemplate,
  renderingBudget,
  renderTemplate,
  variablesOfTemplates,
} from "../../../../src/model/templates/template.ts";
import { classificationConfigs } from "../../../../src/modules/evaluation/evaluators/classification/classification-configs.rules.ts";
import { requireFit } from "../../../../src/modules/evaluation/evaluators/llm/fit.rules.ts";
import { categorical, outputTool } from "../../../support/evaluations.ts";

/** Labels with scores, the better direction, variables, and whether it is promoted. */
const expected: Readonly<Record<string, readonly [Record<string, number>, string, string[], boolean]>> = {
  completeness: [{ complete: 1, incomplete: 0 }, "MAXIMIZE", ["conversation"], true],
  conciseness: [{ concise: 1, verbose: 0 }, "MAXIMIZE", ["input", "output"], false],
  correctness: [{ correct: 1, incorrect: 0 }, "MAXIMIZE", ["input", "output"], true],
  document_relevance: [{ relevant: 1, unrelated: 0 }, "MAXIMIZE", ["input", "document_text"], false],
  faithfulness: [{ faithful: 1, unfaithful: 0 }, "MAXIMIZE", ["input", "context", "output"], false],
  hallucination: [{ hallucinated: 1, grounded: 0 }, "MINIMIZE", ["input", "output"], true],
  pii_detection: [{ pii_detected: 1, no_pii_detected: 0 }, "MINIMIZE", ["conversation"], true],
  refusal: [{ refused: 1, answered: 0 }, "NONE", ["input", "output"], false],
  retrieval_relevance: [{ relevant: 1, irrelevant: 0 }, "MAXIMIZE", ["input", "context"], false],
  tool_invocation: [{ correct: 1, incorrect: 0 }, "MAXIMIZE", ["input", "available_tools", "tool_selection"], true],
  tool_response_handling: [
    { correct: 1, incorrect: 0 },
    "MAXIMIZE",
    ["input", "tool_call", "tool_result", "output"],
    false,
  ],
  tool_selection: [{ correct: 1, incorrect: 0 }, "MAXIMIZE", ["input", "available_tools", "tool_selection"], true],
  toxicity: [{ toxic: 1, "non-toxic": 0 }, "MINIMIZE", ["text"], false],
  user_friction: [{ friction: 1, no_friction: 0 }, "MINIMIZE", ["conversation", "user_message"], false],
};

test("there are fourteen, by name", () => {
  expect(classificationConfigs.map(({ name }) => name)).toEqual(Object.keys(expected));
});

describe("each", () => {
  test.each(classificationConfigs.map((config) => [config.name, config] as const))("%s", (name, config) => {
    const [choices, direction, variables, isPromoted] = expected[name]!;
    expect(config).toMatchObject({ choices, optimizationDirection: direction, isPromoted });
    const nodes = parseTemplate(config.prompt, "MUSTACHE");
    expect([...variablesOfTemplates([nodes]).keys()]).toEqual(variables);
    const labels = Object.keys(choices);
    const output = categorical(name, ...Object.entries(choices));
    const tools = {
      type: "tools" as const,
      tools: [outputTool(name, labels)],
      tool_choice: { type: "one_or_more" as const },
    };
    requireFit({ description: null, outputs: [output], tools, responseFormat: null });
    const values = Object.fromEntries(variables.map((variable) => [variable, `<<${variable}>>`]));
    const filled = renderTemplate(nodes, values, renderingBudget(100_000));
    for (const text of [...labels, ...Object.values(values)]) expect(filled).toContain(text);
    expect(filled).not.toMatch(/\{\{|\}\}/);
  });
});

test("tool calls and tools of a run are written out", () => {
  const run: JsonObject = {
    messages: [
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [{ function: { name: "weather", arguments: { city: "Oslo" } } }],
      },
    ],
    available_tools: [{ type: "function", function: { name: "weather" } }],
  };
  const fill = (name: string, values: JsonObject) => {
    const { prompt } = classificationConfigs.find((config) => config.name === name)!;
    return renderTemplate(parseTemplate(prompt, "MUSTACHE"), values, renderingBudget(100_000));
  };
  const invocation = fill("tool_invocation", {
    input: "q",
    available_tools: run.available_tools!,
    tool_selection: run,
  });
  expect(invocation).toContain('weather({"city":"Oslo"})');
  expect(invocation).toContain('{"type":"function","function":{"name":"weather"}}');
  const hallucination = fill("hallucination", { input: "q", output: run });
  expect(hallucination).toContain("Let me look.\nweather(");
});
