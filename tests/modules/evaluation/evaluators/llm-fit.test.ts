// What must fit together in an LLM evaluator, rule by rule: the rows of tests/vectors/playground.json with the messages they demand.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/kernel/json.ts";
import type { NewAnnotationConfig } from "../../../../src/modules/evaluation/annotation-configs/annotation-configs.schema.ts";
import { requireFit } from "../../../../src/modules/evaluation/evaluators/llm/fit.rules.ts";
import type {
  ResponseFormat,
  Tool,
  ToolChoice,
  Tools,
} from "../../../../src/modules/evaluation/prompts/prompt-content.schema.ts";
import { categorical, outputTool } from "../../../support/evaluations.ts";
import document from "../../../vectors/playground.json" with { type: "json" };

const a = categorical("a", ["good", 1], ["bad", 0]);
const toolA = outputTool("a", ["good", "bad"]);

function toolsOf(tools: readonly Tool[], choice: ToolChoice | null = { type: "one_or_more" }): Tools {
  return { type: "tools", tools: [...tools], ...(choice === null ? {} : { tool_choice: choice }) };
}

interface Parts {
  readonly outputs?: readonly NewAnnotationConfig[];
  readonly tools?: Tools | null;
  readonly responseFormat?: ResponseFormat;
  readonly description?: string;
}

const fit = ({ outputs = [a], tools = toolsOf([toolA]), responseFormat, description }: Parts) =>
  requireFit({ outputs, tools, responseFormat: responseFormat ?? null, description: description ?? null });

/** The tool with other members of its parameters. */
function toolWith(change: (parameters: JsonObject & { properties: JsonObject; required: string[] }) => void): Tool {
  const tool = structuredClone(toolA) as Extract<Tool, { type: "function" }>;
  change(tool.function.parameters as never);
  return tool;
}

/** By the case of the row. */
const cases: Readonly<Record<string, Parts>> = {
  "no output configs": { outputs: [] },
  "tool a, output b": { outputs: [{ ...a, name: "b" }] },
  "tool labels x, y": { tools: toolsOf([outputTool("a", ["x", "y"])]) },
  "tool choice zeroOrMore": { tools: toolsOf([toolA], { type: "zero_or_more" }) },
  "functionName of another tool": { tools: toolsOf([toolA], { type: "specific_function", function_name: "other" }) },
  "continuous output": {
    outputs: [
      { name: "a", description: null, optimizationDirection: "NONE", type: "CONTINUOUS", lowerBound: 0, upperBound: 1 },
    ],
  },
  "two outputs of one name": { outputs: [a, a], tools: toolsOf([toolA, toolA]) },
  "response format given": { responseFormat: { type: "json_schema", json_schema: { name: "x" } } },
  "one label": { outputs: [categorical("a", ["good", 1])], tools: toolsOf([outputTool("a", ["good"])]) },
  "description differs": { description: "Something else" },
};

interface FitRow {
  readonly id: string;
  readonly request: { readonly op: string; readonly case?: string };
  readonly expect: { readonly error: string };
}

const rows = (document.vectors as unknown as FitRow[]).filter(
  ({ request }) => request.op === "createDatasetLlmEvaluator",
);

describe("rows", () => {
  test("each case is here", () =>
    expect(rows.map(({ request }) => request.case!).sort()).toEqual(Object.keys(cases).sort()));
  test.each(rows.map((row) => [row.request.case!, row] as const))("%s", (name, row) => {
    expect(() => fit(cases[name]!)).toThrow(row.expect.error);
  });
});

describe("rules", () => {
  test.each<[string, Parts]>([
    ["one tool and one output", {}],
    [
      "the tool named as the only choice",
      { tools: toolsOf([toolA], { type: "specific_function", function_name: "a" }) },
    ],
    ["no explanation", { tools: toolsOf([withoutExplanation()]) }],
    ["the description of the tool", { description: "Judges" }],
    [
      "two outputs, tools in another order",
      {
        outputs: [a, { ...a, name: "b" }],
        tools: toolsOf([outputTool("b", ["good", "bad"]), toolA]),
      },
    ],
  ])("%s fits", (_name, parts) => {
    expect(fit(parts).tools.length).toBeGreaterThan(0);
  });

  test.each<[string, Parts]>([
    ["Evaluator prompts require tools", { tools: null }],
    ["Number of prompt tool definitions must match number of output configs", { tools: toolsOf([toolA, toolA]) }],
    ["Evaluator prompts must require a tool choice", { tools: toolsOf([toolA], null) }],
    ["Evaluator prompts must require a tool choice", { tools: toolsOf([toolA], { type: "none" }) }],
    ["Evaluator prompts require function tools", { tools: toolsOf([{ type: "raw", raw: {} }]) }],
    [
      "At 'type': must be 'object'",
      {
        tools: changed((of) => {
          of.type = "array";
        }),
      },
    ],
    [
      "At 'properties.label': must be an object",
      {
        tools: changed((of) => {
          of.properties = {};
          of.required = [];
        }),
      },
    ],
    [
      "At 'properties.label.type'",
      {
        tools: changed(({ properties }) => {
          properties.label = { ...(properties.label as JsonObject), type: "number" };
        }),
      },
    ],
    [
      "At 'properties.other'",
      {
        tools: changed(({ properties }) => {
          properties.other = { type: "string" };
        }),
      },
    ],
    [
      "The 'explanation' property must be omitted or set to a string.",
      {
        tools: changed(({ properties }) => {
          properties.explanation = { type: "number" };
        }),
      },
    ],
    [
      "The following properties must be required: 'explanation'",
      {
        tools: changed((of) => {
          of.required = ["label"];
        }),
      },
    ],
    [
      "Found unexpected required properties: 'more'",
      {
        tools: changed((of) => {
          of.required = ["label", "explanation", "more"];
        }),
      },
    ],
    [
      "Required values must be unique",
      {
        tools: changed((of) => {
          of.required = ["label", "explanation", "label"];
        }),
      },
    ],
    [
      "Evaluator annotation name must match function parameters label property description",
      {
        tools: changed(({ properties }) => {
          properties.label = { ...(properties.label as JsonObject), description: "b" };
        }),
      },
    ],
  ])("%s", (message, parts) => {
    expect(() => fit(parts)).toThrow(message);
  });
});

function changed(change: Parameters<typeof toolWith>[0]): Tools {
  return toolsOf([toolWith(change)]);
}

function withoutExplanation(): Tool {
  return toolWith((of) => {
    delete of.properties.explanation;
    of.required = ["label"];
  });
}
