// Evaluators as they are written on the page: what is sent of a draft, and which paths an example offers.
import { expect, test } from "bun:test";
import {
  draftProblems,
  type EvaluatorDraft,
  llmInput,
  newLlmDraft,
  sharedInput,
} from "../../src/web/pages/datasets/evaluators/evaluator-draft.ts";
import { mappingOf, promptInputs, suggestedPaths } from "../../src/web/pages/datasets/evaluators/input-mapping.ts";
import { newOutput } from "../../src/web/pages/datasets/evaluators/outputs.ts";

const draft = (changes: Partial<EvaluatorDraft["prompt"]> = {}): EvaluatorDraft => {
  const begun = newLlmDraft();
  return { ...begun, name: "judge", prompt: { ...begun.prompt, model: "m", ...changes } };
};

test("parameters have the names and words of GraphQL", () => {
  const parameters = (changes: Partial<EvaluatorDraft["prompt"]>) =>
    llmInput(draft(changes)).promptVersion.invocationParameters;
  expect(
    parameters({
      parameters: { temperature: "0", max_completion_tokens: "50", reasoning_effort: "low" },
      otherParameters: '{"extra_body": {"top_k": 1}, "stop": ["x"]}',
    }),
  ).toMatchObject({
    openai: { temperature: 0, maxCompletionTokens: 50, reasoningEffort: "LOW", extraBody: { top_k: 1 }, stop: ["x"] },
  });
  expect(
    parameters({
      provider: "ANTHROPIC",
      parameters: { max_tokens: "4096" },
      otherParameters:
        '{"thinking": {"type": "enabled", "budget_tokens": 1024, "display": "omitted"}, "output_config": {"effort": "high"}}',
    }),
  ).toMatchObject({
    anthropic: {
      maxTokens: 4096,
      thinking: { enabled: { budgetTokens: 1024, display: "OMITTED" } },
      outputConfig: { effort: "HIGH" },
    },
  });
});

test("each output has a tool with its labels, and with an explanation before them where one is wanted", () => {
  const outputs = [
    newOutput("tone", "NONE", { warm: 1, cold: 0 }),
    newOutput("length", "MINIMIZE", { long: null, short: 1 }),
  ];
  const { promptVersion, outputConfigs } = llmInput({ ...draft(), outputs, description: "How it reads" });
  expect(promptVersion.tools?.tools.map((tool) => tool.function?.name)).toEqual(["tone", "length"]);
  expect(promptVersion.tools?.tools[0]?.function).toMatchObject({
    description: "How it reads",
    parameters: {
      required: ["explanation", "label"],
      properties: { label: { enum: ["warm", "cold"], description: "tone" } },
    },
  });
  expect(outputConfigs[1]).toMatchObject({
    categorical: {
      values: [
        { label: "long", score: null },
        { label: "short", score: 1 },
      ],
    },
  });
  const [silent] = llmInput({ ...draft(), explains: false }).promptVersion.tools!.tools;
  expect(silent?.function?.parameters).toMatchObject({ required: ["label"] });
});

test("inputs are the variables of the prompt, by a path or a value, and nothing else is sent", () => {
  const changed = {
    ...draft(),
    inputs: { input: { from: "path", source: " $.input.question " }, gone: { from: "value", source: "x" } },
  } as const;
  expect(promptInputs(changed.prompt).map(({ name }) => name)).toEqual(["input", "output"]);
  expect(sharedInput(changed).inputMapping).toEqual({
    literalMapping: {},
    pathMapping: { input: "$.input.question", output: "$.output" },
  });
  const declared = [
    { name: "flag", type: "boolean", hint: null, isRequired: false, initial: true },
    { name: "words", type: "string", hint: null, isRequired: true, initial: false },
    { name: "expected", type: "any", hint: null, isRequired: true, initial: false },
  ] as const;
  const value = (source: string) => ({ from: "value", source }) as const;
  expect(mappingOf(declared, { flag: value("false"), words: value("1"), expected: value('{"a": 1}') })).toEqual({
    literalMapping: { flag: false, words: "1", expected: { a: 1 } },
    pathMapping: {},
  });
  expect(mappingOf(declared, { flag: value(""), expected: value("plain") }).literalMapping).toEqual({
    words: "",
    expected: "plain",
  });
});

test("paths lead to the members of an example, also to odd names", () => {
  expect(
    suggestedPaths({ input: { question: "q", "two words": { deep: { deeper: 1 } } }, output: ["a"], reference: null }),
  ).toEqual([
    "$.input",
    "$.output",
    "$.reference",
    "$.input.question",
    "$.input['two words']",
    "$.input['two words'].deep",
    "$.output[0]",
  ]);
});

test("what is wrong is named by its place", () => {
  const [only] = newLlmDraft().outputs;
  const wrong = {
    ...draft({ model: " " }),
    name: "Not A Name",
    outputs: [{ ...only!, labels: only!.labels.map((label) => ({ ...label, label: "same", score: "high" })) }],
  };
  expect([...draftProblems(wrong).keys()]).toEqual([
    "name",
    `label ${only!.labels[0]!.key}`,
    `label ${only!.labels[1]!.key}`,
    "model",
  ]);
  expect([...draftProblems(draft())]).toEqual([]);
});
