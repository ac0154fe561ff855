// The functions of analysis alone, in this process: how long they take and how that grows. Usage: tests/bench/README.md
import { compareTraces } from "../../src/analysis/compare/trace-comparison.ts";
import { criticalPath } from "../../src/analysis/critical-path/critical-path.ts";
import { InstantSteps } from "../../src/analysis/critical-path/instant-steps.ts";
import { explain } from "../../src/analysis/explain/explanation.ts";
import { type ItemValue, ValueTally } from "../../src/analysis/explain/value-tally.ts";
import { addFailure, type FailureTally } from "../../src/analysis/failures/failure-tally.ts";
import { readSpanFailure } from "../../src/analysis/failures/read-failure.ts";
import { spanFailureOf } from "../../src/analysis/failures/span-failure.ts";
import { AgentGraphs } from "../../src/analysis/graph/agent-graphs.ts";
import { wasteOf } from "../../src/analysis/loops/waste.ts";
import { PatternTally } from "../../src/analysis/patterns/pattern-tally.ts";
import { type Draw, drawFrom } from "../../src/demo-data/draw.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { causes, failureOfCause } from "../analysis/failure-corpus.ts";
import { readArguments } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, progress, ratio, table } from "./figures.ts";

const options = readArguments({
  traces: { default: 10_000, meaning: "traces of 20 spans; a tenth of them is measured first" },
  items: { default: 50_000, meaning: "items of an explanation, a tenth of them selected" },
  runs: { default: 5, meaning: "of each measurement; the median counts" },
});

const draw = drawFrom(7);
const rows: string[][] = [["what", "size", "time", "CPU", "to the size before"]];

/** Time and processor time of this process; the second grows less with what else the machine does. */
function measure(what: string, sizes: readonly (readonly [size: string, run: () => unknown])[]): void {
  let before = Number.NaN;
  for (const [size, run] of sizes) {
    progress(`${what}, ${size}`);
    run();
    const [times, cpu]: [number[], number[]] = [[], []];
    for (let each = 0; each < options.runs; each++) {
      const [began, used] = [performance.now(), process.cpuUsage()];
      run();
      times.push(performance.now() - began);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
    }
    rows.push([what, size, milliseconds(median(times)), milliseconds(median(cpu)), ratio(median(cpu), before)]);
    before = median(cpu);
  }
}

measureFailures();
measureComparison();
measureTraces();
measureExplanation();
endProgress("done");

console.log(`\n${await machine()}\n`);
console.log(table(rows));

function measureFailures(): void {
  const answer: JsonObject = {
    llm: {
      model_name: "gpt-4o",
      invocation_parameters: '{"temperature": 0.2}',
      finish_reason: "stop",
      output_messages: [{ message: { role: "assistant", content: "an answer of the model ".repeat(20) } }],
    },
    output: { value: "an answer of the model ".repeat(20) },
  };
  const good = { name: "step", status: "OK", statusMessage: "" } as const;
  const each = 1000;
  const times = (count: number, run: (at: number) => unknown) => () => {
    for (let at = 0; at < count * each; at++) run(at);
  };
  const spans = (run: (at: number) => unknown) =>
    [10, 100].map((count) => [`${count} k spans`, times(count, run)] as const);
  measure(
    "failures: a model that answered",
    spans(() => readSpanFailure({ ...good, kind: "LLM" }, answer, [])),
  );
  measure(
    "failures: another span without an error",
    spans(() => readSpanFailure({ ...good, kind: "CHAIN" }, answer, [])),
  );
  const failed = Array.from({ length: 5000 }, (_, at) => failureOfCause(causes[at % causes.length]!, draw));
  measure(
    "failures: fingerprints of errors",
    [1, 10].map(
      (count) => [`${count} k spans`, times(count, (at) => spanFailureOf(failed[at % failed.length]!))] as const,
    ),
  );
  const failures = failed.map((evidence) => spanFailureOf(evidence)!);
  measure(
    "failures: counts of groups",
    [5, 50].map((count) => {
      const run = () => {
        const tally: FailureTally = new Map();
        for (let at = 0; at < count * each; at++) {
          const failure = failures[at % failures.length]!;
          const key = String(at % 20_000);
          const occurrence = {
            traceKey: key,
            spanKey: String(at),
            startUs: at * 1e6,
            sessionKey: key,
            userKey: String(at % 500),
            version: `2.${at % 5}`,
            environment: "production",
          };
          addFailure(tally, failure.fingerprint, failure, occurrence, 3.6e9);
        }
      };
      return [`${count} k spans`, run] as const;
    }),
  );
}

function measureComparison(): void {
  const sizes = [500, 1000, 2000, 4000, 8000].map((count) => {
    const [a, b] = [longTrace(count, 1), longTrace(count, 3)];
    return [`2 × ${count} spans`, () => compareTraces(a, b)] as const;
  });
  measure("comparison of two traces", sizes);
  measure(
    "critical path of a trace",
    [2000, 20_000].map((count) => {
      const spans = longTrace(count, 1);
      return [`${count} spans`, () => criticalPath(spans)] as const;
    }),
  );
}

/** Few names, so that many steps may be each other's partners, and every seventh another one. */
function longTrace(count: number, seed: number) {
  return Array.from({ length: count }, (_, at) => ({
    spanKey: String(at),
    parentKey: at === 0 ? null : String(Math.floor((at - 1) / 4)),
    kind: ["LLM", "TOOL", "CHAIN"][at % 3]!,
    name: at % 7 === seed ? "another step" : `step ${at % 20}`,
    startUs: at * 10,
    endUs: count * 20 - at * 5,
    status: "OK",
    input: `question ${at % 13} `.repeat(50),
    output: `answer ${(at * seed) % 31} `.repeat(50),
    model: null,
    parameters: null,
    promptVersion: null,
    tokens: 10,
    cost: 5,
  }));
}

function measureTraces(): void {
  const all = Array.from({ length: options.traces }, (_, at) => agentTrace(at, draw));
  const sizes = (run: (traces: typeof all) => unknown) =>
    [options.traces / 10, options.traces].map(
      (count) => [`${count} traces of 20`, () => run(all.slice(0, count))] as const,
    );
  measure(
    "graph",
    sizes((traces) => {
      const graphs = new AgentGraphs();
      for (const { spans } of traces) graphs.add(spans);
    }),
  );
  measure(
    "patterns",
    sizes((traces) => {
      const tally = new PatternTally();
      for (const trace of traces) tally.add(trace);
    }),
  );
  measure(
    "instant steps",
    sizes((traces) => {
      const steps = new InstantSteps();
      for (const { spans } of traces) steps.add(spans);
    }),
  );
  measure(
    "loops and waste",
    sizes((traces) => {
      for (const { spans } of traces) wasteOf(spans);
    }),
  );
}

/** An agent that thinks and calls tools in turn, now and then two at once. */
function agentTrace(number: number, { between, pick }: Draw) {
  const traceKey = String(number);
  const plain = {
    failed: false,
    failure: null,
    nodeId: null,
    nodeName: null,
    nodeParentId: null,
    messages: null,
    output: null,
  };
  const root = {
    ...plain,
    spanKey: "0",
    parentKey: null as string | null,
    kind: "AGENT",
    name: "agent",
    startUs: 0,
    endUs: 20_000,
    arguments: null as JsonObject | null,
    tokens: 0,
    cost: 0,
  };
  const spans = [root];
  for (let at = 1; at < 20; at++) {
    const isModel = at % 2 === 1;
    const startUs = isModel || between(0, 1) < 0.8 ? at * 1000 : at * 1000 - 900;
    spans.push({
      ...root,
      spanKey: String(at),
      parentKey: "0",
      kind: isModel ? "LLM" : "TOOL",
      name: isModel ? "think" : pick(["search", "lookup", "read_page", "mail", "pay"]),
      startUs,
      endUs: at * 1000 + Math.floor(between(100, 990)),
      arguments: isModel ? null : { q: pick(["a", "b", "c", "d"]), page: at },
      tokens: 10,
      cost: 5,
    });
  }
  return { traceKey, spans, startUs: number, durationUs: 20_000, failed: number % 10 === 0, cost: 100 };
}

function measureExplanation(): void {
  const items = Array.from({ length: options.items }, (_, at): readonly (readonly [string, ItemValue])[] => [
    ["model", draw.pick(["a", "b", "c", "d"])],
    ["version", `2.${at % 9}`],
    ["user", String(Math.floor(draw.between(0, 5000)))],
    ["tool", ["search", "mail", "pay"].filter(() => draw.between(0, 1) < 0.4)],
    ["tokens", Math.floor(draw.between(0, 8000))],
    ...Array.from(
      { length: 12 },
      (_unused, key) => [`attribute ${key}`, String(Math.floor(draw.between(0, 10 * (key + 1))))] as const,
    ),
  ]);
  const sizes = [options.items / 10, options.items].map((count) => {
    const run = () => {
      const tally = new ValueTally();
      for (let at = 0; at < count; at++) tally.add(at % 10 === 0, items[at]!);
      explain(tally);
    };
    return [`${count / 10} against ${count - count / 10}`, run] as const;
  });
  measure("explanation by 17 attributes", sizes);
}
