// Runs evaluators, for experiments, previews and everything else that judges. It stores nothing: callers store results and spans.
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure, fail } from "../../../../kernel/failure.ts";
import { emptyObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { llmSpan } from "../../../../providers/llm-span.ts";
import type { ModelCall } from "../../../../providers/model-call.ts";
import type { ModelAttempt, ModelFailure, ModelToolCall } from "../../../../providers/model-event.ts";
import { builtInEvaluators, outcomeOf } from "../built-in/built-in-evaluators.rules.ts";
import type { BuiltInJudge } from "../built-in/built-in-judge.rules.ts";
import { evaluatorMessages, promptInputSchema } from "../llm/evaluator-prompt.rules.ts";
import { type Verdict, verdictOf } from "../llm/tool-answer.rules.ts";
import { ignoredKeys, mapInputs } from "../mapping/input-mapping.rules.ts";
import { castInputs, type InputSchema } from "../mapping/input-schema.rules.ts";
import { EvaluationTrace } from "./evaluation-trace.rules.ts";
import type {
  BuiltInDefinition,
  Evaluation,
  EvaluationRequest,
  EvaluationResult,
  LlmDefinition,
  PreparedEvaluator,
} from "./evaluator-runs.schema.ts";

/** UTF-16 units of an error. */
const MAX_ERROR_CHARACTERS = 2000;
/** Spans of previews are made, too, and left out of the answer. */
const NO_PROJECT = "none";

interface EvaluatorRunsDependencies {
  readonly clock: Clock;
  readonly judge: BuiltInJudge;
}

export interface EvaluatorRunsService {
  /** Runs the evaluator once. What goes wrong with the input, the template or the model is an error of every result. Rejects only for
   *  mistakes of the program. */
  runEvaluator(request: EvaluationRequest): Promise<Evaluation>;
}

/** What has been found out, before outputs are named. */
interface Judgement {
  readonly verdicts: readonly Verdict[];
  readonly metadata: JsonObject;
}

interface Running extends EvaluationRequest {
  readonly trace: EvaluationTrace;
  readonly attempts: ModelAttempt[];
  failure: ModelFailure | null;
}

export function createEvaluatorRunsService({
  clock,
  judge: judgeBuiltIn,
}: EvaluatorRunsDependencies): EvaluatorRunsService {
  async function judge(run: Running): Promise<Judgement> {
    const { definition } = run.evaluator;
    return definition.kind === "BUILTIN" ? judgeByRule(run, definition, judgeBuiltIn) : judgeByModel(run, definition);
  }

  return {
    async runEvaluator(request) {
      const { evaluator, context, metadata } = request;
      const { name, projectName } = evaluator;
      const trace = new EvaluationTrace({ name, projectName: projectName ?? NO_PROJECT, context, metadata }, clock);
      const run: Running = { ...request, trace, attempts: [], failure: null };
      const judgement = await judge(run).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.kind === "internal") throw error;
        return failedJudgement(evaluator, error.message);
      });
      const results = resultsOf(evaluator, judgement);
      const error = results.find((result) => result.error !== null)?.error ?? null;
      const spans = trace.finish(results.map(shownResult), error);
      return {
        results,
        traceKey: projectName === null ? null : trace.traceKey,
        spans: projectName === null ? [] : spans,
        attempts: run.attempts,
        failure: run.failure,
        startUs: trace.startUs,
        endUs: clock.now(),
      };
    },
  };
}

/** Mapped and cast, as a step of the trace. */
function inputsOf({ evaluator, context, trace }: Running, schema: InputSchema): Promise<JsonObject> {
  const { literalMapping, pathMapping } = evaluator.inputMapping;
  const declared = Object.keys(schema.properties);
  const ignored = ignoredKeys(evaluator.inputMapping, declared);
  const step = {
    name: "Input Mapping",
    kind: "CHAIN" as const,
    input: { literal_mapping: literalMapping, path_mapping: { ...pathMapping } },
    attributes: ignored.length === 0 ? {} : { "input_mapping.ignored_keys": ignored },
  };
  return trace.step(step, () => {
    const value = castInputs(schema, mapInputs(evaluator.inputMapping, declared, context));
    return { value, output: value };
  });
}

async function judgeByRule(run: Running, { key }: BuiltInDefinition, judge: BuiltInJudge): Promise<Judgement> {
  const { trace, evaluator } = run;
  const inputs = await inputsOf(run, builtInEvaluators.get(key)!.inputSchema);
  const finding = await trace.step({ name: key, kind: "CHAIN", input: inputs }, async () => {
    const value = await judge(key, inputs);
    return { value, output: { ...value } };
  });
  const verdicts = evaluator.outputs.map((output) => ({
    ...outcomeOf(finding, output),
    explanation: finding.explanation,
    error: null,
  }));
  await recordVerdicts(run, { ...finding }, verdicts);
  return { verdicts, metadata: inputs };
}

async function judgeByModel(run: Running, definition: LlmDefinition): Promise<Judgement> {
  const { trace, evaluator, endpoint } = run;
  const { messages: templates, templateFormat, promptName, tools, parameters } = definition;
  if (endpoint === null) throw fail("evaluators.no_endpoint", "internal", "An LLM evaluator needs an endpoint");
  const inputs = await inputsOf(run, promptInputSchema(templates, templateFormat));
  const messages = await trace.step({ name: `Prompt: ${promptName}`, kind: "PROMPT", input: inputs }, () => {
    const value = evaluatorMessages(templates, templateFormat, inputs);
    return { value, output: { messages: value.map(({ role, content }) => ({ role, content: content as string })) } };
  });
  const { type: _, ...callTools } = tools;
  const { model } = definition.model;
  const call: ModelCall = {
    endpoint,
    model,
    messages,
    tools: callTools,
    responseFormat: null,
    parameters,
    streaming: false,
  };
  const calls = await toolCalls(run, call);
  const verdicts = evaluator.outputs.map((output) => verdictOf(output, calls));
  const shown = calls.map(({ name, arguments: written }) => ({ name, arguments: written }));
  await recordVerdicts(run, { tool_calls: shown }, verdicts);
  return { verdicts, metadata: emptyObject() };
}

/** The tool calls of the answer. Throws kind `unavailable` with the message of the failure, which is kept in `run`. */
async function toolCalls(run: Running, call: ModelCall): Promise<readonly ModelToolCall[]> {
  const record = (attempt: ModelAttempt | null) => {
    if (attempt === null) return;
    run.attempts.push(attempt);
    run.trace.addCall(llmSpan(call, attempt, { includeResponseBody: true }));
  };
  for await (const event of run.callModel(call, run.signal)) {
    if (event.type === "retry") record(event.attempt);
    if (event.type === "finish") {
      record(event.attempt);
      return event.attempt.toolCalls;
    }
    if (event.type === "failure") {
      record(event.attempt);
      run.failure = event.failure;
      throw fail("evaluators.model_failed", "unavailable", event.failure.message);
    }
  }
  throw fail("evaluators.no_end", "internal", "A call of a model ended without its last event");
}

function recordVerdicts({ trace }: Running, input: Json, verdicts: readonly Verdict[]): Promise<void> {
  return trace.step({ name: "Parse Eval Result", kind: "CHAIN", input }, () => ({
    value: undefined,
    output: verdicts.map(({ label, score, explanation }) => ({ label, score, explanation })),
    error: verdicts.find((verdict) => verdict.error !== null)?.error ?? null,
  }));
}

function failedJudgement({ outputs }: PreparedEvaluator, error: string): Judgement {
  const verdict = { label: null, score: null, explanation: null, error };
  return { verdicts: outputs.map(() => verdict), metadata: emptyObject() };
}

/** The error as the result of every output. */
export function failedResults(evaluator: PreparedEvaluator, error: string): EvaluationResult[] {
  return resultsOf(evaluator, failedJudgement(evaluator, error));
}

function resultsOf({ definition, resultNames }: PreparedEvaluator, judgement: Judgement): EvaluationResult[] {
  const annotatorKind = definition.kind === "LLM" ? "LLM" : "CODE";
  return judgement.verdicts.map((verdict, position) => ({
    ...verdict,
    error: verdict.error?.slice(0, MAX_ERROR_CHARACTERS) ?? null,
    name: resultNames[position]!,
    annotatorKind,
    metadata: judgement.metadata,
  }));
}

function shownResult({ name, label, score, explanation, error }: EvaluationResult): JsonObject {
  return { name, label, score, explanation, ...(error === null ? {} : { error }) };
}
