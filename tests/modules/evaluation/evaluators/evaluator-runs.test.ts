// Running evaluators: the rows of tests/vectors/playground.json about built-in evaluators and answers of models, and the traces.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { type Json, type JsonObject, parseJson } from "../../../../src/kernel/json.ts";
import type { IncomingSpan } from "../../../../src/model/span.ts";
import { builtInEvaluators } from "../../../../src/modules/evaluation/evaluators/built-in/built-in-evaluators.rules.ts";
import { createBuiltInJudge } from "../../../../src/modules/evaluation/evaluators/built-in/built-in-judge.rules.ts";
import type { BuiltInEvaluatorKey } from "../../../../src/modules/evaluation/evaluators/evaluators.schema.ts";
import type {
  Evaluation,
  EvaluationRequest,
  PreparedEvaluator,
} from "../../../../src/modules/evaluation/evaluators/runs/evaluator-runs.schema.ts";
import { createEvaluatorRunsService } from "../../../../src/modules/evaluation/evaluators/runs/evaluator-runs.service.ts";
import { callModel, type RetryPolicy } from "../../../../src/providers/call-model.ts";
import { evaluationWorker } from "../../../../src/threads.ts";
import { builtIn, categorical, evaluationRequest, judge } from "../../../support/evaluations.ts";
import { modelEndpoint, TEST_KEY } from "../../../support/model-calls.ts";
import { providerCalls } from "../../../support/provider-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../../../support/scripted-models.ts";
import { until } from "../../../support/until.ts";
import document from "../../../vectors/playground.json" with { type: "json" };

interface BuiltInRow {
  readonly id: string;
  readonly group: string;
  readonly request: {
    readonly evaluator: BuiltInEvaluatorKey;
    readonly literalMapping: JsonObject;
    readonly pathMapping: Record<string, string>;
    readonly context: JsonObject;
  };
  readonly expect: {
    readonly label?: string | null;
    readonly score?: number;
    readonly annotatorKind?: string;
    readonly error?: string;
    readonly errorContains?: string;
  };
}

let models: ScriptedModels;
const { needs } = providerCalls();
const thread = evaluationWorker((what) => console.error(what));
const runs = createEvaluatorRunsService({ clock: systemClock, judge: createBuiltInJudge(thread) });

beforeAll(async () => {
  models = await startScriptedModels();
});
afterAll(async () => {
  await models.close();
  await thread.stop();
});

const run = (evaluator: PreparedEvaluator, context: JsonObject, changes: Partial<EvaluationRequest> = {}) =>
  runs.runEvaluator(evaluationRequest(evaluator, context, changes));

describe("built-in evaluators", () => {
  /** Numbers such as 1.0 as requests bring them. */
  const rows = (document.vectors as unknown as BuiltInRow[]).filter(({ group }) => group === "builtin");

  /** This engine needs no time limit for the pattern: its time is linear in the text. */
  const otherwise: Readonly<Record<string, BuiltInRow["expect"]>> = { b37: { label: "false", score: 0 } };

  test("every row of the table is here", () => expect(rows).toHaveLength(42));

  test.each(rows.map((row) => [row.id, row] as const))("row %s", async (id, { request, expect: given }) => {
    const expected = otherwise[id] ?? given;
    const { literalMapping, pathMapping } = parseJson(JSON.stringify(request)) as unknown as BuiltInRow["request"];
    const evaluator = builtIn(request.evaluator, { inputMapping: { literalMapping, pathMapping } });
    const [result] = (await run(evaluator, request.context)).results;
    if (expected.error !== undefined) expect(result!.error).toBe(expected.error);
    else if (expected.errorContains !== undefined) expect(result!.error).toContain(expected.errorContains);
    else expect(result).toMatchObject({ ...expected, error: null });
  });

  test("labels are taken by position from the outputs, and every result has the inputs", async () => {
    const outputs = [categorical("em-a", ["yes", 10], ["no", -1]), categorical("em-b", ["only", 1])];
    const mapping = { literalMapping: { expected: "a", actual: "b" }, pathMapping: {} };
    const { results } = await run(builtIn("exact_match", { outputs, inputMapping: mapping }), {});
    expect(results).toMatchObject([
      { name: "link.em-a", label: "no", score: -1 },
      { name: "link.em-b", label: null, score: 0 },
    ]);
    expect({ ...results[0]!.metadata }).toEqual({ expected: "a", actual: "b", case_sensitive: true });
  });

  test("a trace has the root, the mapping, the evaluator and the results", async () => {
    const inputMapping = { literalMapping: { words: "a" }, pathMapping: { unused: "$.x" } };
    const { spans, traceKey } = await run(builtIn("contains", { projectName: "p", inputMapping }), { text: "a" });
    expect(shapeOf(spans)).toEqual([
      ["Evaluator: link", "EVALUATOR", "OK"],
      ["Input Mapping", "CHAIN", "OK"],
      ["contains", "CHAIN", "OK"],
      ["Parse Eval Result", "CHAIN", "OK"],
    ]);
    const [root, mapping] = spans;
    expect(spans.every((span) => span.traceKey === traceKey && span.projectName === "p")).toBe(true);
    expect(spans.map(({ parentKey }) => parentKey)).toEqual([null, root!.spanKey, root!.spanKey, root!.spanKey]);
    expect(JSON.parse(mapping!.attributes)).toMatchObject({ input_mapping: { ignored_keys: ["unused"] } });
  });

  test("a failed step and the root have the error", async () => {
    const inputMapping = { literalMapping: { pattern: "(", text: "" }, pathMapping: {} };
    const { spans, results } = await run(builtIn("regex", { projectName: "p", inputMapping }), {});
    expect(results[0]!.error).toContain("Invalid regex pattern: ");
    expect(shapeOf(spans)).toEqual([
      ["Evaluator: link", "EVALUATOR", "ERROR"],
      ["Input Mapping", "CHAIN", "OK"],
      ["regex", "CHAIN", "ERROR"],
    ]);
  });

  test("each describes its inputs and has an output of its name", () => {
    for (const { key, inputSchema, output } of builtInEvaluators.values()) {
      expect(output.name).toBe(key);
      expect(inputSchema.required.length).toBe(2);
      for (const property of Object.values(inputSchema.properties)) expect(property.description).toBeString();
    }
  });
});

describe("LLM evaluators", () => {
  const answering = (calls: readonly { readonly name: string; readonly arguments: string }[]) =>
    `calls-${JSON.stringify(calls)}`;
  const labelled = (name: string, label: string) => ({ name, arguments: JSON.stringify({ label, explanation: "e" }) });
  const ask = (evaluator: PreparedEvaluator, changes: Partial<EvaluationRequest> = {}): Promise<Evaluation> =>
    run(evaluator, { output: "42" }, { endpoint: modelEndpoint(models.openAi), ...changes });

  interface JudgeRow {
    readonly id: string;
    readonly group: string;
    readonly request: { readonly op: string; readonly evaluator?: string };
    readonly fake?: string;
    readonly expect: {
      readonly annotation?: object;
      readonly annotationNames?: string[];
      readonly labels?: (string | null)[];
      readonly scores?: number[];
      readonly spans?: string[];
      readonly kinds?: string[];
      readonly traceProjectPattern?: string;
      readonly error?: string;
      readonly errorContains?: string;
      readonly errorNotNull?: boolean;
      readonly errorMustNotContain?: string;
    };
  }
  const judgeRows = (document.vectors as unknown as JudgeRow[]).filter(
    ({ group, request }) => group === "llmEvaluators" && request.op === "chatCompletionOverDataset",
  );
  /** What the fake provider answers, as a model of ours. */
  const fakes: Readonly<Record<string, string>> = {
    "tool call {label: good, explanation: e}": answering([labelled("quality", "good")]),
    "tool call {label: nope}": answering([labelled("quality", "nope")]),
    "text only": "text",
    "tool call without label": answering([{ name: "quality", arguments: "{}" }]),
    "tool call named zzz_unknown": answering([labelled("zzz_unknown", "good")]),
    "401 with the key in the text": "e401",
    "one call per tool": "tool",
    text: "text",
  };
  const judges: Readonly<Record<string, (model: string) => PreparedEvaluator>> = {
    "one output, labels good 1, bad 0, tool of the same name": (model) => judge(model),
    "two outputs q1, q2": (model) =>
      judge(model, {
        name: "<link>",
        outputs: [categorical("q1", ["good", 1], ["bad", 0]), categorical("q2", ["good", 1], ["bad", 0])],
      }),
    "built-in contains, link name has-hello, default outputs": () =>
      builtIn("contains", {
        name: "has-hello",
        inputMapping: { literalMapping: { words: "hello", text: "Hello" }, pathMapping: {} },
      }),
    "built-in exact_match, outputs em-a (yes 10, no -1) and em-b (only 1); no match": () =>
      builtIn("exact_match", {
        outputs: [categorical("em-a", ["yes", 10], ["no", -1]), categorical("em-b", ["only", 1])],
        inputMapping: { literalMapping: { expected: "a", actual: "b" }, pathMapping: {} },
      }),
  };

  test("every row of the table is here, too", () => expect(judgeRows).toHaveLength(9));

  test.each(judgeRows.map((row) => [row.id, row] as const))(
    "row %s",
    async (_id, { request, fake, expect: expected }) => {
      const evaluator = judges[request.evaluator!]!(fakes[fake!]!);
      const { results, spans } = await ask(evaluator);
      const { annotation, annotationNames, labels, scores, errorContains, errorMustNotContain } = expected;
      const found = results[0]!;
      if (annotation !== undefined) expect(found).toMatchObject({ ...annotation, error: null });
      if (annotationNames !== undefined) expect(results.map(({ name }) => name)).toEqual(annotationNames);
      if (labels !== undefined) expect(results.map(({ label }) => label)).toEqual(labels);
      if (scores !== undefined) expect(results.map(({ score }) => score)).toEqual(scores);
      // A sentence that names the label, else the text itself.
      if (expected.error !== undefined) expect(found.error).toContain(expected.error.replace(" named", ""));
      if (errorContains !== undefined) expect(found.error).toContain(errorContains);
      if (expected.errorNotNull === true) expect(found.error).not.toBeNull();
      if (errorMustNotContain !== undefined) expect(JSON.stringify(results)).not.toContain(TEST_KEY);
      if (expected.spans !== undefined) {
        const names = expected.spans.map((name) => name.replace("<name>", "judge").replace("<prompt>", "judge-prompt"));
        expect(spans.map(({ name }) => name)).toEqual(names);
        expect(spans.map(({ kind }) => kind.toLowerCase())).toEqual(expected.kinds!);
      }
    },
  );

  test("the label, its score and the explanation come from the tool call", async () => {
    const evaluation = await ask(judge(answering([labelled("quality", "good")])));
    expect(evaluation.results).toEqual([
      {
        name: "judge",
        annotatorKind: "LLM",
        label: "good",
        score: 1,
        explanation: "e",
        error: null,
        metadata: Object.create(null) as JsonObject,
      },
    ]);
    expect(shapeOf(evaluation.spans)).toEqual([
      ["Evaluator: judge", "EVALUATOR", "OK"],
      ["Input Mapping", "CHAIN", "OK"],
      ["Prompt: judge-prompt", "PROMPT", "OK"],
      ["ChatCompletion", "LLM", "OK"],
      ["Parse Eval Result", "CHAIN", "OK"],
    ]);
    expect(evaluation.attempts).toHaveLength(1);
    const request = models.requests.at(-1)!.body as { stream?: boolean; messages: Json; tool_choice: Json };
    expect(request.stream ?? false).toBe(false);
    expect(request).toMatchObject({
      messages: [{ role: "user", content: "Is this good? 42" }],
      tool_choice: "required",
    });
  });

  test.each<[string, { readonly name: string; readonly arguments: string }[], string]>([
    ["another label", [labelled("quality", "nope")], "label 'nope' is not one of good, bad"],
    ["no label", [{ name: "quality", arguments: "{}" }], "missing required 'label' field in tool call arguments"],
    ["a label that is no text", [{ name: "quality", arguments: '{"label":1}' }], "missing required 'label' field"],
    ["broken arguments", [{ name: "quality", arguments: '{"label":' }], "are not JSON"],
    ["another tool", [labelled("zzz_unknown", "good")], "No tool call 'quality' received from LLM, but 'zzz_unknown'"],
  ])("%s is an error", async (_name, calls, message) => {
    const { results, spans, failure } = await ask(judge(answering(calls)));
    expect(results).toMatchObject([{ name: "judge", label: null, score: null, explanation: null }]);
    expect(results[0]!.error).toContain(message);
    expect(shapeOf(spans).at(0)).toEqual(["Evaluator: judge", "EVALUATOR", "ERROR"]);
    expect(failure).toBeNull();
  });

  test("a text instead of a tool call is an error", async () => {
    const { results } = await ask(judge("text"));
    expect(results[0]!.error).toBe("No tool calls received from LLM");
  });

  test("of several outputs each has its own result, by the first call of its name", async () => {
    const outputs = [categorical("q1", ["good", 1], ["bad", 0]), categorical("q2", ["good", 5], ["bad", null])];
    const calls = [labelled("q1", "good"), labelled("q1", "bad")];
    const { results } = await ask(judge(answering(calls), { outputs }));
    expect(results).toMatchObject([
      { name: "judge.q1", label: "good", score: 1, error: null },
      { name: "judge.q2", label: null, score: null },
    ]);
    expect(results[1]!.error).toContain("No tool call 'q2' received");
    const failed = await ask(judge("e401", { outputs }));
    expect(failed.results.map(({ name, error }) => [name, error?.includes("401")])).toEqual([
      ["judge.q1", true],
      ["judge.q2", true],
    ]);
  });

  test("an error of the provider is the error, without the key, and is told apart", async () => {
    const evaluation = await ask(judge("e401"));
    expect(evaluation.results[0]!.error).toContain("401");
    expect(evaluation.failure).toMatchObject({ kind: "auth", isTransient: false });
    expect(JSON.stringify(evaluation)).not.toContain(TEST_KEY);
    expect(shapeOf(evaluation.spans).at(-1)).toEqual(["ChatCompletion", "LLM", "ERROR"]);
  });

  test("a repeated call is a span of its own", async () => {
    const retries: RetryPolicy = { delaySeconds: (attempt) => (attempt.number < 2 ? 0 : null) };
    const repeating: EvaluationRequest["callModel"] = (call, signal) => callModel(call, needs({ retries, signal }));
    const { attempts, spans, failure } = await ask(judge("e500"), { callModel: repeating });
    expect(attempts).toHaveLength(2);
    expect(shapeOf(spans).filter(([name]) => name === "ChatCompletion")).toHaveLength(2);
    expect(failure).toMatchObject({ isTransient: true });
  });

  test("a missing variable is an error, and the model is not asked", async () => {
    const before = models.requests.length;
    const evaluator = judge("tool", {}, { messages: [{ role: "user", content: "{{nothing}}" }] });
    const { results } = await ask(evaluator);
    expect(results[0]!.error).toBe("Input validation failed: 'nothing' is a required property");
    expect(models.requests.length).toBe(before);
  });

  test("only texts of messages are sent, sections take any value, texts are cast", async () => {
    const content = [
      { type: "text" as const, text: "{{#output}}[{{name}}]{{/output}}" },
      { type: "tool_result" as const, tool_call_id: "1", tool_result: "{{unknown}}" },
      { type: "text" as const, text: " {{reference}}" },
    ];
    const evaluator = judge("tool", {}, { messages: [{ role: "user", content }] });
    const context = { output: [{ name: "a" }, { name: "b" }], reference: { x: 1 } };
    await run(evaluator, context, { endpoint: modelEndpoint(models.openAi) });
    expect(models.requests.at(-1)!.body).toMatchObject({ messages: [{ content: '[a][b] {"x":1}' }] });
  });

  test("cancelled, the evaluation ends with an error and its spans", async () => {
    const stop = new AbortController();
    const asked = models.requests.length;
    const running = ask(judge("silent"), { signal: stop.signal });
    await until(() => models.requests.length > asked);
    stop.abort();
    const { results, failure, spans } = await running;
    expect(failure?.kind).toBe("cancelled");
    expect(results[0]!.error).not.toBeNull();
    expect(shapeOf(spans).at(-1)).toEqual(["ChatCompletion", "LLM", "ERROR"]);
  });

  test("without a project no spans are made", async () => {
    const evaluation = await ask(judge("tool", { projectName: null }));
    expect(evaluation).toMatchObject({ traceKey: null, spans: [], results: [{ label: "good" }] });
  });
});

function shapeOf(spans: readonly IncomingSpan[]) {
  return spans.map(({ name, kind, status }) => [name, kind, status]);
}
