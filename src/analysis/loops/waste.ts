// What a trace spends without getting further: loops of calls, retries that fail in the same way, and contexts that only repeat.
import type { Json } from "../../kernel/json.ts";
import { type Forest, forestOf, type TreeSpan } from "../forest.ts";
import { agentsOf, type CallingAgent } from "./agents.ts";
import { callKey } from "./call-key.ts";
import { findRepeats } from "./repeats.ts";

export interface WorkSpan extends TreeSpan {
  readonly kind: string;
  readonly name: string;
  /** Arguments of a tool, as a value or as JSON text; null where none were recorded. */
  readonly arguments: Json;
  /** The messages that a model was given, each as its text or a digest of role, content and calls, without ids; null where none were
   *  recorded. */
  readonly messages: readonly string[] | null;
  /** The answer as text or as a digest; null where none was recorded. */
  readonly output: string | null;
  /** The fingerprint of its failure, or null. */
  readonly failure: string | null;
  /** Its own. */
  readonly tokens: number | null;
  /** Its own, in 10^-12 USD. */
  readonly cost: number | null;
}

/** Tokens and cost are those that are known. */
export interface Spent {
  readonly timeUs: number;
  readonly tokens: number;
  readonly cost: number;
}

interface Waste {
  /** Loop: equal calls of tools, three rounds and more. Retry: a call that fails as it did before. Context: calls of models to which
   *  nothing was given that they had not been given before. */
  readonly kind: "loop" | "retry" | "context";
  /** The agent, or the root, that does it. */
  readonly agentKey: string;
  /** Calls of one round. */
  readonly period: number;
  readonly times: number;
  /** The calls of all rounds in order. */
  readonly spanKeys: readonly string[];
  /** Rounds after the first whose answers no round before had. Null where an answer was not recorded. */
  readonly newAnswers: number | null;
  /** From the first call to the end of the last one, with all that ran in between. */
  readonly took: Spent;
  /** Of it, what came after the first round. */
  readonly wasted: Spent;
}

interface TraceWaste {
  readonly all: readonly Waste[];
  readonly hasLoop: boolean;
  /** Of all together; what two of them hold counts once. */
  readonly wasted: Spent;
}

/** Loops before retries before contexts: what is in one is in no later one. Takes time n log n, and n for each that is found. */
export function wasteOf(spans: readonly WorkSpan[]): TraceWaste {
  const search = new WasteSearch(spans);
  for (const agent of agentsOf(spans, search.forest)) search.addLoops(agent);
  for (const agent of agentsOf(spans, search.forest)) search.addRetries(agent);
  for (const agent of agentsOf(spans, search.forest)) search.addContexts(agent);
  return { all: search.found, hasLoop: search.found.some(({ kind }) => kind === "loop"), wasted: search.total() };
}

interface Interval {
  readonly fromUs: number;
  readonly toUs: number;
}

interface Rounds {
  readonly kind: Waste["kind"];
  readonly agent: CallingAgent;
  readonly period: number;
  readonly calls: readonly number[];
}

/** Calls of one agent that follow each other, with the first. */
const FEWEST_RETRIES = 2;
const FEWEST_CONTEXTS = 3;

class WasteSearch {
  readonly found: Waste[] = [];
  readonly forest: Forest;
  /** Spans that are part of a waste, also of its first round. */
  private readonly taken: Uint8Array;
  private readonly wasted: Uint8Array;
  private readonly intervals: Interval[] = [];

  constructor(private readonly spans: readonly WorkSpan[]) {
    this.forest = forestOf(spans);
    this.taken = new Uint8Array(spans.length);
    this.wasted = new Uint8Array(spans.length);
  }

  addLoops(agent: CallingAgent): void {
    const keys = agent.tools.map((at) => callKey(this.spans[at]!.name, this.spans[at]!.arguments));
    for (const { from, to, period } of findRepeats(keys)) {
      this.add({ kind: "loop", agent, period, calls: agent.tools.slice(from, to + 1) });
    }
  }

  addRetries(agent: CallingAgent): void {
    const isRetry = (at: number, before: number) => {
      const key = this.retryKey(at);
      return key !== null && key === this.retryKey(before);
    };
    for (const calls of [agent.tools, agent.models]) this.addRuns("retry", agent, calls, FEWEST_RETRIES, isRetry);
  }

  addContexts(agent: CallingAgent): void {
    this.addRuns("context", agent, agent.models, FEWEST_CONTEXTS, (at, before) =>
      addsNothing(this.spans[before]!.messages, this.spans[at]!.messages),
    );
  }

  total(): Spent {
    return { ...this.sum((at) => this.wasted[at] === 1), timeUs: unionOf(this.intervals) };
  }

  /** What two calls are equal by that failed; null of one that did not, and of a call without arguments or messages. */
  private retryKey(at: number): string | null {
    const { kind, name, arguments: given, messages, failure } = this.spans[at]!;
    if (failure === null) return null;
    const asked = kind === "TOOL" ? callKey(name, given) : messages === null ? null : JSON.stringify([name, messages]);
    return asked === null ? null : `${failure} ${asked}`;
  }

  private addRuns(
    kind: Waste["kind"],
    agent: CallingAgent,
    calls: readonly number[],
    fewest: number,
    repeats: (at: number, before: number) => boolean,
  ): void {
    const free = (at: number) => this.taken[at] === 0;
    for (let from = 0; from < calls.length; ) {
      let end = from + 1;
      while (end < calls.length && free(calls[from]!) && free(calls[end]!) && repeats(calls[end]!, calls[end - 1]!))
        end++;
      if (end - from >= fewest) this.add({ kind, agent, period: 1, calls: calls.slice(from, end) });
      from = end;
    }
  }

  private add({ kind, agent, period, calls }: Rounds): void {
    const first = calls.slice(0, period);
    const startUs = Math.min(...calls.map((at) => this.spans[at]!.startUs));
    const endUs = Math.max(...calls.map((at) => this.spans[at]!.endUs));
    const firstEndUs = Math.min(endUs, Math.max(...first.map((at) => this.spans[at]!.endUs)));
    // Rounds may run side by side: what they call is wasted even where it began during the first.
    const later = this.below(calls.slice(period));
    const isWasted = this.within(agent, firstEndUs, endUs, later);
    const isTaken = this.within(agent, startUs, endUs, later);
    this.found.push({
      kind,
      agentKey: this.spans[agent.at]!.spanKey,
      period,
      times: calls.length / period,
      spanKeys: calls.map((at) => this.spans[at]!.spanKey),
      newAnswers: this.newAnswers(calls, period),
      took: { ...this.sum(isTaken), timeUs: endUs - startUs },
      wasted: { ...this.sum(isWasted), timeUs: endUs - firstEndUs },
    });
    this.intervals.push({ fromUs: firstEndUs, toUs: endUs });
    for (let at = 0; at < this.spans.length; at++) {
      if (isTaken(at)) this.taken[at] = 1;
      if (isWasted(at)) this.wasted[at] = 1;
    }
  }

  /** Spans below the agent that start in these times, but the agent itself, and those that are `always` in. */
  private within(
    agent: CallingAgent,
    fromUs: number,
    toUs: number,
    always: ReadonlySet<number>,
  ): (at: number) => boolean {
    const below = this.below([agent.at]);
    return (at) => {
      const { startUs } = this.spans[at]!;
      return always.has(at) || (at !== agent.at && startUs >= fromUs && startUs < toUs && below.has(at));
    };
  }

  private below(positions: readonly number[]): ReadonlySet<number> {
    const found = new Set(positions);
    for (const at of found) for (const child of this.forest.children[at]!) found.add(child);
    return found;
  }

  private newAnswers(calls: readonly number[], period: number): number | null {
    const outputs = calls.map((at) => this.spans[at]!.output);
    if (outputs.includes(null)) return null;
    const seen = new Set<string>();
    let count = 0;
    for (let at = 0; at < calls.length; at += period) {
      const answer = JSON.stringify(outputs.slice(at, at + period));
      if (at > 0 && !seen.has(answer)) count++;
      seen.add(answer);
    }
    return count;
  }

  private sum(isIn: (at: number) => boolean): Omit<Spent, "timeUs"> {
    let tokens = 0;
    let cost = 0;
    this.spans.forEach((span, at) => {
      if (!isIn(at)) return;
      tokens += span.tokens ?? 0;
      cost += span.cost ?? 0;
    });
    return { tokens, cost };
  }
}

/** The messages are those of the call before, perhaps with some that were among them. */
function addsNothing(before: readonly string[] | null, messages: readonly string[] | null): boolean {
  if (before === null || messages === null || messages.length < before.length || before.length === 0) return false;
  if (!before.every((each, at) => messages[at] === each)) return false;
  const known = new Set(before);
  return messages.slice(before.length).every((each) => known.has(each));
}

function unionOf(intervals: readonly Interval[]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { fromUs, toUs } of intervals.toSorted((one, other) => one.fromUs - other.fromUs)) {
    if (toUs <= until) continue;
    sum += toUs - Math.max(until, fromUs);
    until = toUs;
  }
  return sum;
}
