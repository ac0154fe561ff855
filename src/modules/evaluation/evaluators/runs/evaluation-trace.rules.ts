// The trace of an evaluation: a root, and its steps below it in the order in which they ran.
import { incomingServerSpan, newSpanKey, newTraceKey, type ServerSpan } from "../../../../ingest/server-span.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure } from "../../../../kernel/failure.ts";
import { type Json, type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import type { IncomingSpan } from "../../../../model/span.ts";
import type { LlmSpan } from "../../../../providers/llm-span.ts";

interface TraceFrame {
  readonly name: string;
  readonly projectName: string;
  readonly context: JsonObject;
  readonly metadata: JsonObject;
}

interface Step {
  readonly name: string;
  readonly kind: "CHAIN" | "PROMPT";
  readonly input: Json;
  readonly attributes?: Readonly<Record<string, Json>>;
}

/** What a step gave: its output, and why it failed. */
interface StepOutcome<Value> {
  readonly value: Value;
  readonly output: Json;
  readonly error?: string | null;
}

export class EvaluationTrace {
  readonly traceKey = newTraceKey();
  readonly startUs: number;
  readonly #rootKey = newSpanKey();
  readonly #spans: ServerSpan[] = [];

  constructor(
    readonly frame: TraceFrame,
    readonly clock: Clock,
  ) {
    this.startUs = clock.now();
  }

  /** Runs a step and records it, also if it throws. */
  async step<Value>(step: Step, work: () => StepOutcome<Value> | Promise<StepOutcome<Value>>): Promise<Value> {
    const startUs = this.clock.now();
    try {
      const { value, output, error = null } = await work();
      this.#add(step, startUs, { "output.value": text(output), "output.mime_type": JSON_TYPE }, error);
      return value;
    } catch (error) {
      if (error instanceof Failure) this.#add(step, startUs, {}, error.message);
      throw error;
    }
  }

  addCall({ attributes, ...span }: LlmSpan): void {
    this.#spans.push({ ...this.#place(), ...span, attributes: { ...attributes } });
  }

  /** The spans, ready to be stored, when the evaluation has ended. */
  finish(output: Json, error: string | null): readonly IncomingSpan[] {
    const { name, context, metadata, projectName } = this.frame;
    const root: ServerSpan = {
      projectName,
      traceKey: this.traceKey,
      spanKey: this.#rootKey,
      parentKey: null,
      name: `Evaluator: ${name}`,
      kind: "EVALUATOR",
      ...statusOf(error),
      startUs: this.startUs,
      endUs: this.clock.now(),
      attributes: {
        ...inputOf(context),
        "output.value": text(output),
        "output.mime_type": JSON_TYPE,
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      },
      events: [],
    };
    return [root, ...this.#spans].map(incomingServerSpan);
  }

  #add({ name, kind, input, attributes }: Step, startUs: number, output: Record<string, Json>, error: string | null) {
    this.#spans.push({
      ...this.#place(),
      name,
      kind,
      ...statusOf(error),
      startUs,
      endUs: this.clock.now(),
      attributes: { ...inputOf(input), ...output, ...attributes },
      events: [],
    });
  }

  #place() {
    const { traceKey } = this;
    return { projectName: this.frame.projectName, traceKey, spanKey: newSpanKey(), parentKey: this.#rootKey };
  }
}

const JSON_TYPE = "application/json";
const text = (value: Json) => stringifyJson(value);
const inputOf = (value: Json) => ({ "input.value": text(value), "input.mime_type": JSON_TYPE });

function statusOf(error: string | null) {
  return error === null
    ? { status: "OK" as const, statusMessage: "" }
    : { status: "ERROR" as const, statusMessage: error };
}
