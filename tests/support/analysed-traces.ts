// Traces for tests of what the analysis shows: an agent that looks up the same order again and again, and one that does not.
import type { OtlpSpan } from "./otlp-encode.ts";
import { messages, type PanelSpan, traceOf } from "./panel-traces.ts";

const QUESTION = "Where is my order 7?";

function call(id: string, from: number, to: number, prompt: number, name = "think", model = "gpt-4o"): PanelSpan {
  return {
    ...{ id, parent: "agent", name, kind: "LLM", from, to },
    attributes: {
      "llm.model_name": model,
      "llm.token_count.prompt": prompt,
      "llm.token_count.completion": 20,
      "llm.invocation_parameters": '{"temperature": 0.2}',
      ...messages("input", [{ role: "user", content: `${QUESTION} (${id})` }]),
      ...messages("output", [{ role: "assistant", content: "I look it up." }]),
    },
  };
}

function lookUp(id: string, from: number, to: number, order: number, output: string): PanelSpan {
  return {
    ...{ id, parent: "agent", name: "lookup_order", kind: "TOOL", from, to },
    attributes: { "input.value": JSON.stringify({ id: order, full: true }), "output.value": output },
  };
}

const agent = (to: number, answer: string): PanelSpan => ({
  ...{ id: "agent", name: "support_agent", kind: "AGENT", from: 0, to },
  attributes: { "input.value": QUESTION, "output.value": answer },
});

/** The same call three times, a summary beside it that nothing waits for, and an answer. */
export function loopingTrace(name: string, startMs: number): OtlpSpan[] {
  return traceOf(name, startMs, [
    agent(7400, "I cannot find it."),
    call("plan", 0, 400, 900, "plan"),
    call("aside", 400, 900, 100, "summarise"),
    lookUp("one", 400, 2000, 7, "not found"),
    call("think 1", 2000, 2400, 400),
    lookUp("two", 2400, 4000, 7, "not found"),
    call("think 2", 4000, 4400, 400),
    lookUp("three", 4400, 6000, 7, "not found"),
    call("answer", 6000, 7400, 1200, "answer", "gpt-4o-mini"),
  ]);
}

/** One call that finds it, a check that the other has not, and an answer of another model. */
export function foundTrace(name: string, startMs: number): OtlpSpan[] {
  return traceOf(name, startMs, [
    agent(2100, "It is on its way."),
    call("plan", 0, 400, 900, "plan"),
    lookUp("one", 400, 900, 7, '{"id": 7, "state": "on its way"}'),
    { ...{ id: "check", parent: "agent", name: "check_policy", kind: "GUARDRAIL", from: 900, to: 1000 } },
    call("answer", 1000, 2100, 700, "answer", "gpt-4o"),
  ]);
}
