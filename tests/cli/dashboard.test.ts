// The dashboard of docs/grafana against the figures of a real service: every query is parsed as PromQL, and names metrics, labels and
// values that are there.
import { describe, expect, test } from "bun:test";
import { parser } from "@prometheus-io/lezer-promql";
import { configs, TEST } from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { createHttpClient } from "../support/http.ts";
import {
  everyMetric,
  FOREIGN_METRICS,
  readScrape,
  type Scrape,
  sendPlainSpan,
  startMeasured,
} from "../support/scrape.ts";
import { servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { readonly query: string } }[];
  };
}

const dashboard: Dashboard = await Bun.file("docs/grafana/spanlight.json").json();
const panels = dashboard.panels.filter(({ type }) => type !== "row");
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ title, ...target, expr: withoutVariables(target.expr) })),
);

/** Prometheus gives these to every series. */
const TARGET_LABELS = new Set(["job", "instance"]);
/** Functions that only mean something over what grows. */
const OVER_COUNTERS = new Set(["rate", "increase"]);

/** As Grafana fills them in. */
function withoutVariables(expression: string): string {
  return expression.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*").replaceAll("$job", ".*");
}

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** The innermost function around it, or null. */
  readonly inside: string | null;
}

interface ReadQuery {
  readonly selectors: readonly Selector[];
  /** Named behind `by`, `on` and `group_left`. */
  readonly grouping: readonly string[];
  readonly functions: readonly string[];
}

/** Throws for what is no PromQL. */
function readQuery(expression: string): ReadQuery {
  const selectors: { metric: string; matchers: Matcher[]; inside: string | null }[] = [];
  const grouping: string[] = [];
  const functions: string[] = [];
  const around: string[] = [];
  const textOf = (node: { from: number; to: number }) => expression.slice(node.from, node.to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${expression}`);
      if (node.name === "FunctionCall") {
        const name = textOf(node.node.firstChild!);
        functions.push(name);
        around.push(name);
      }
      if (node.name === "VectorSelector")
        selectors.push({ metric: textOf(node.node.firstChild!), matchers: [], inside: around.at(-1) ?? null });
      if (node.name === "UnquotedLabelMatcher") {
        const [label, operator, value] = ["LabelName", "MatchOp", "StringLiteral"].map((part) =>
          textOf(node.node.getChild(part)!),
        );
        selectors.at(-1)!.matchers.push({ label: label!, operator: operator!, value: JSON.parse(value!) });
      }
      if (node.name === "LabelName" && node.node.parent?.name === "GroupingLabels") grouping.push(textOf(node));
    },
    leave(node) {
      if (node.name === "FunctionCall") around.pop();
    },
  });
  return { selectors, grouping, functions };
}

/** The metric that is declared for a name of a sample. */
function typeOf({ types }: Scrape, name: string): string | undefined {
  return types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ""));
}

/** What is wrong with a query, by what the service says. */
function complaintsOf({ selectors, grouping, functions }: ReadQuery, scraped: Scrape): string[] {
  const complaints: string[] = [];
  const groupable = new Set(TARGET_LABELS);
  for (const { metric, matchers, inside } of selectors) {
    const samples = scraped.samples.filter(({ name }) => name === metric);
    if (samples.length === 0) complaints.push(`no sample of ${metric}`);
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    for (const label of labels) groupable.add(label);
    for (const { label, operator, value } of matchers) {
      if (!TARGET_LABELS.has(label) && !labels.has(label)) complaints.push(`${metric} has no label ${label}`);
      const isThere = samples.some((sample) => sample.labels[label] === value);
      if (operator === "=" && !isThere) complaints.push(`${metric} has no ${label} ${value}`);
    }
    const grows = typeOf(scraped, metric) === "counter" || typeOf(scraped, metric) === "histogram";
    if (grows !== (inside !== null && OVER_COUNTERS.has(inside))) complaints.push(`${metric} inside of ${inside}`);
    const isBucket = metric.endsWith("_bucket");
    if (isBucket !== functions.includes("histogram_quantile")) complaints.push(`${metric} without histogram_quantile`);
    if (isBucket && !grouping.includes("le")) complaints.push(`${metric} without le`);
  }
  for (const label of grouping) if (!groupable.has(label)) complaints.push(`no metric has the label ${label}`);
  return complaints;
}

forEachDriver("the dashboard for Grafana", (driver) => {
  const startService = servicesOfSuite();

  test("asks only for what the service says", async () => {
    const { port, service } = await startMeasured(startService, await driver.createEmptyDatabase(), everyMetric);
    const http = createHttpClient(service.url);
    expect((await http.get("/v1/projects")).status).toBe(200);
    // A provider that is not there: a request to it is counted all the same.
    const input = configs("http://127.0.0.1:9").anthropic;
    expect((await http.post("/graphql", { json: { query: TEST, variables: { input } } })).status).toBe(200);
    await sendPlainSpan(service);
    const read = async () => readScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    await until(async () => (await read()).samples.some(({ name }) => name === "spanlight_job_seconds_bucket"));
    const scraped = await read();
    const foreign = FOREIGN_METRICS[driver.name];
    const asked = queries.map(({ title, expr }) => ({ title, expr, query: readQuery(expr) }));
    const wrong = asked
      .filter(({ query }) => !query.selectors.some(({ metric }) => metric === foreign))
      .flatMap(({ title, expr, query }) => complaintsOf(query, scraped).map((text) => `${title}: ${text}: ${expr}`));
    expect(wrong).toEqual([]);
    // Nothing that is said is left out of it.
    const shown = new Set(asked.flatMap(({ query }) => query.selectors.map(({ metric }) => metric)));
    const left = [...scraped.types.keys()].filter(
      (name) => !["", "_bucket", "_sum"].some((ending) => shown.has(`${name}${ending}`)),
    );
    expect(left).toEqual([]);
    expect(await service.stop()).toBe(0);
  });
});

describe("the dashboard for Grafana", () => {
  test("shows in a legend only labels that its query keeps", () => {
    for (const { expr, legendFormat } of queries) {
      const { grouping } = readQuery(expr);
      const isGrouped = / by \(/.test(expr);
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        expect({ expr, label, kept: grouping.includes(label!) || (!isGrouped && TARGET_LABELS.has(label!)) }).toEqual({
          expr,
          label,
          kept: true,
        });
      }
    }
  });

  test("names its variables, explains every panel, and lets none lie over another", () => {
    const declared = dashboard.templating.list.map(({ name }) => `$${name}`);
    const text = JSON.stringify(dashboard.panels) + JSON.stringify(dashboard.templating);
    const used = new Set(Array.from(text.matchAll(/\$\{?([a-z]+)\}?/g), ([, name]) => `$${name}`));
    expect([...used].sort()).toEqual([...declared].sort());
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    expect(panels.filter(({ description = "" }) => description === "")).toEqual([]);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect({ title, place: taken.has(`${x} ${y}`) }).toEqual({ title, place: false });
          taken.add(`${x} ${y}`);
        }
      }
    }
  });
});
