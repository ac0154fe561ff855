// How versions of prompts fare: figures of the spans that name them against the same worked out by hand, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const MINUTE_US = 60_000_000;
const VERSIONS = 3;

interface Made {
  readonly key: string;
  readonly project: string;
  /** Position of the version; null for a span that names none. */
  readonly version: number | null;
  readonly minute: number;
  readonly latencyUs: number;
  readonly tokens: readonly [number, number];
  readonly failed: boolean;
  readonly scores: readonly number[];
}

const made: readonly Made[] = Array.from({ length: 120 }, (_, number) => ({
  key: `s${number}`,
  project: number % 5 === 0 ? "shop" : "support",
  version: number % 4 === 3 ? null : number % 4,
  minute: number,
  latencyUs: ((number * 7919) % 1000) * 1000 + 1000,
  tokens: [number, number % 7],
  failed: number % 6 === 0,
  scores: number % 3 === 0 ? [] : number % 3 === 1 ? [number / 120] : [0, 1, 1],
}));

interface Usage {
  readonly project: { readonly name: string };
  readonly spanCount: number;
  readonly errorCount: number;
  readonly latencyMsP50: number;
  readonly latencyMsP95: number;
  readonly tokenCountPrompt: number;
  readonly tokenCountCompletion: number;
  readonly scores: readonly { readonly name: string; readonly mean: number; readonly spanCount: number }[];
}

const FIELDS = `project { name } spanCount errorCount latencyMsP50 latencyMsP95 tokenCountPrompt tokenCountCompletion
  scores { name mean spanCount }`;

forEachDriver("usage of prompts", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const ids: string[] = [];
  beforeAll(async () => {
    for (let number = 0; number < VERSIONS; number++) {
      const version = {
        model_provider: "OPENAI",
        model_name: "gpt-5",
        template_type: "CHAT",
        template_format: "NONE",
        template: { type: "chat", messages: [{ role: "user", content: `${number}` }] },
        invocation_parameters: { type: "openai", openai: {} },
      };
      const answer = await send(api.server, "POST /v1/prompts", { json: { prompt: { name: "triage" }, version } });
      ids.push(JSON.parse(await answer.text()).data.id);
    }
    const named = ({ version, minute }: Made) => {
      if (version === null) return { llm: { prompt_template: { version: `v${minute}` } } };
      return minute % 2 === 0
        ? { prompt: { id: ids[version]! } }
        : { llm: { prompt_template: { version: ids[version]! } } };
    };
    await ingestBatch(
      api.stored.ingest,
      made.map((span) =>
        incomingSpan({
          projectName: span.project,
          spanKey: span.key,
          traceKey: `t${span.key}`,
          startUs: START_US + span.minute * MINUTE_US,
          endUs: START_US + span.minute * MINUTE_US + span.latencyUs,
          status: span.failed ? "ERROR" : "OK",
          promptTokens: span.tokens[0],
          completionTokens: span.tokens[1],
          attributes: JSON.stringify(named(span)),
        }),
      ),
    );
    const data = made.flatMap(({ key, scores }) =>
      scores.map((score, position) => ({
        ...{ span_id: key, name: "quality", identifier: `${position}`, annotator_kind: "HUMAN", result: { score } },
      })),
    );
    const answer = await send(api.server, "POST /v1/span_annotations?sync=true", { json: { data } });
    expect(answer.status).toBe(200);
  });

  const usageOf = async (version: number, range = "") => {
    const query = `{ node(id: "${ids[version]}") { ... on PromptVersion { usage${range} { ${FIELDS} } } } }`;
    return (await askData<{ node: { usage: readonly Usage[] } }>(api, query)).node.usage;
  };

  test.each([0, 1, 2])("of version %d, by project", async (version) => {
    expect(await usageOf(version)).toEqual(expected((span) => span.version === version));
  });

  test("within a period", async () => {
    const range = `(timeRange: {start: "${formatInstant(START_US + 30 * MINUTE_US)}", end: "${formatInstant(START_US + 60 * MINUTE_US)}"})`;
    const inside = ({ minute }: Made) => minute >= 30 && minute < 60;
    expect(await usageOf(1, range)).toEqual(expected((span) => span.version === 1 && inside(span)));
  });

  test("a version that no span names has none", async () => {
    const range = `(timeRange: {start: "${formatInstant(START_US + 1000 * MINUTE_US)}"})`;
    expect(await usageOf(0, range)).toEqual([]);
  });

  test("the condition finds the very spans that are counted", async () => {
    const { node } = await askData<{ node: { spanCondition: string } }>(
      api,
      `{ node(id: "${ids[2]}") { ... on PromptVersion { spanCondition } } }`,
    );
    const condition = JSON.stringify(node.spanCondition);
    const { project } = await askData<{ project: { recordCount: number } }>(
      api,
      `{ project: getProjectByName(name: "support") { recordCount(filterCondition: ${condition}) } }`,
    );
    expect(project.recordCount).toBe(made.filter((span) => span.version === 2 && span.project === "support").length);
  });

  test("of several versions at once, and of a span that names two of them", async () => {
    const [first, , third] = ids;
    const attributes = JSON.stringify({ prompt: { id: first }, llm: { prompt_template: { version: third } } });
    const named = { projectName: "both", spanKey: "both", traceKey: "both", startUs: START_US, endUs: START_US + 1000 };
    await ingestBatch(api.stored.ingest, [incomingSpan({ ...named, attributes })]);
    const aliases = ids.map((id, at) => `v${at}: node(id: "${id}") { ... on PromptVersion { usage { ${FIELDS} } } }`);
    const answer = await askData<Record<string, { usage: readonly Usage[] }>>(api, `{ ${aliases.join(" ")} }`);
    for (const [at] of ids.entries()) {
      const { usage } = answer[`v${at}`]!;
      expect(usage.find(({ project }) => project.name === "both")?.spanCount).toBe(at === 1 ? undefined : 1);
      expect(usage.filter(({ project }) => project.name !== "both")).toEqual(expected(({ version }) => version === at));
    }
  });
});

/** As it has to be, worked out from what was made. */
function expected(isMeant: (span: Made) => boolean): Usage[] {
  const meant = made.filter(isMeant);
  return [...Map.groupBy(meant, ({ project }) => project)]
    .map(([name, spans]) => {
      const latencies = spans.map(({ latencyUs }) => latencyUs / 1000).sort((one, other) => one - other);
      const means = spans.flatMap(({ scores }) => (scores.length === 0 ? [] : [meanOf(scores)]));
      return {
        project: { name },
        spanCount: spans.length,
        errorCount: spans.filter(({ failed }) => failed).length,
        latencyMsP50: close(quantileOf(latencies, 0.5)),
        latencyMsP95: close(quantileOf(latencies, 0.95)),
        tokenCountPrompt: spans.reduce((sum, { tokens }) => sum + tokens[0], 0),
        tokenCountCompletion: spans.reduce((sum, { tokens }) => sum + tokens[1], 0),
        scores: means.length === 0 ? [] : [{ name: "quality", mean: close(meanOf(means)), spanCount: means.length }],
      };
    })
    .sort((one, other) => other.spanCount - one.spanCount);
}

const close = (value: number) => expect.closeTo(value, 9) as unknown as number;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Between the two values around the rank, as both databases do. */
function quantileOf(sorted: readonly number[], probability: number): number {
  const rank = (sorted.length - 1) * probability;
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}
