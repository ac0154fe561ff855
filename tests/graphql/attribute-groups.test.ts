// Amounts over time by the values of an attribute, against sums that are worked out one by one, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3_600_000_000;
const HOURS = 3;
const TRACES = 60;
const regions = ["eu", "us", "ap", "sa", "af"];
const LONG = "x".repeat(300);

interface Written {
  readonly hour: number;
  readonly region: string | null;
  readonly latencyUs: number;
  readonly tokens: number;
  readonly calls: number;
}

/** Regions that are not alike in number, some without one, one with a very long name. */
const traces: readonly Written[] = Array.from({ length: TRACES }, (_, at) => ({
  hour: at % HOURS,
  region: at === 7 ? LONG : at % 11 === 0 ? null : regions[Math.floor(Math.sqrt(at)) % regions.length]!,
  latencyUs: 1000 * (1 + ((at * at) % 97)),
  tokens: 10 + ((at * 7) % 13),
  calls: 1 + (at % 3),
}));

interface Groups {
  readonly timestamps: readonly string[];
  readonly groups: readonly { readonly value: string | null; readonly amounts: readonly (number | null)[] }[];
  readonly others: readonly (number | null)[] | null;
}

const valueIn = (region: string | null) => region?.slice(0, 200) ?? null;

/** The same by hand: the sums of every group and hour, those with most first. */
function summed(amountOf: (trace: Written) => number, first: number): Pick<Groups, "groups" | "others"> {
  const total = (some: readonly Written[]) => some.reduce((sum, trace) => sum + amountOf(trace), 0);
  const amounts = (some: readonly Written[]) =>
    Array.from({ length: HOURS }, (_, hour) => {
      const inHour = some.filter((trace) => trace.hour === hour);
      return inHour.length === 0 ? null : total(inHour);
    });
  const key = (value: string | null) => (value === null ? "" : `=${value}`);
  const groups = [...Map.groupBy(traces, ({ region }) => valueIn(region))].toSorted(
    ([a, one], [b, other]) => total(other) - total(one) || (key(a) < key(b) ? -1 : 1),
  );
  const others = groups.slice(first).flatMap(([, some]) => some);
  return {
    groups: groups.slice(0, first).map(([value, some]) => ({ value, amounts: amounts(some) })),
    others: others.length === 0 ? null : amounts(others),
  };
}

forEachDriver("groups by an attribute", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const spans = traces.flatMap(({ hour, region, latencyUs, tokens, calls }, at) => {
      const startUs = START_US + hour * HOUR_US + at;
      const root = incomingSpan({
        ...{ projectName: "grouped", traceKey: `t${at}`, spanKey: `r${at}`, startUs, endUs: startUs + latencyUs },
        attributes: JSON.stringify({ metadata: region === null ? {} : { region }, nested: { list: [at % 2] } }),
      });
      const below = Array.from({ length: calls }, (_, call) =>
        incomingSpan({
          ...{ projectName: "grouped", traceKey: `t${at}`, spanKey: `c${at} ${call}`, parentKey: `r${at}` },
          ...{ kind: "LLM", startUs, endUs: startUs + 1, promptTokens: call === 0 ? tokens : 0 },
          attributes: JSON.stringify({ llm: { model_name: at % 4 === 0 ? "large" : "small" } }),
        }),
      );
      return [root, ...below];
    });
    await ingestBatch(api.stored.ingest, [
      ...spans,
      incomingSpan({
        projectName: "other",
        traceKey: "other",
        attributes: JSON.stringify({ metadata: { region: "eu" } }),
      }),
    ]);
  });

  const instant = (hours: number) => new Date((START_US + hours * HOUR_US) / 1000).toISOString();
  const ask = async (attribute: string, measure: string, more = "") => {
    const field = `attributeGroups(attribute: ${JSON.stringify(attribute)}, measure: ${measure},
      timeRange: {start: "${instant(0)}", end: "${instant(HOURS)}"} ${more}) { timestamps groups { value amounts } others }`;
    const { project } = await askData<{ project: { found: Groups } }>(
      api,
      `{ project: getProjectByName(name: "grouped") { found: ${field} } }`,
    );
    return project.found;
  };

  test("of traces, of their tokens, and of spans", async () => {
    const { timestamps, ...found } = await ask("metadata['region']", "TRACES");
    expect(timestamps).toHaveLength(HOURS);
    expect(found).toEqual(summed(() => 1, 6));
    const few = await ask("metadata['region']", "TOKENS", "first: 2");
    expect({ groups: few.groups, others: few.others }).toEqual(summed(({ tokens }) => tokens, 2));
    const models = await ask("llm.model_name", "SPANS", `filterCondition: "span_kind == 'LLM'"`);
    const calls = (large: boolean) =>
      Array.from({ length: HOURS }, (_, hour) =>
        traces.reduce((sum, each, at) => sum + (each.hour === hour && (at % 4 === 0) === large ? each.calls : 0), 0),
      );
    expect(models.groups).toEqual([
      { value: "small", amounts: calls(false) },
      { value: "large", amounts: calls(true) },
    ]);
    expect(models.others).toBeNull();
  });

  test("of latencies: what 95 % do not exceed, those of most traces first", async () => {
    const { groups } = await ask("metadata['region']", "LATENCY");
    expect(groups.map(({ value }) => value)).toEqual(summed(() => 1, 6).groups.map(({ value }) => value));
    for (const { value, amounts } of groups) {
      for (const [hour, amount] of amounts.entries()) {
        const own = traces.filter((each) => each.hour === hour && valueIn(each.region) === value);
        const sorted = own.map(({ latencyUs }) => latencyUs / 1000).toSorted((a, b) => a - b);
        if (sorted.length === 0) expect(amount).toBeNull();
        else {
          expect(amount!).toBeGreaterThanOrEqual(sorted[Math.floor(0.95 * (sorted.length - 1))]!);
          expect(amount!).toBeLessThanOrEqual(sorted.at(-1)!);
        }
      }
    }
  });

  test("by values inside lists, of traces without one, and of what nobody has", async () => {
    const { groups } = await ask("attributes['nested']['list'][0]", "TRACES");
    expect(groups.map(({ value }) => value)).toEqual(["0", "1"]);
    const none = await ask("attributes['absent']", "TRACES");
    expect(none.groups.map(({ value }) => value)).toEqual([null]);
    expect(none.others).toBeNull();
    expect((await ask("metadata['region']", "COST", "first: 1")).groups).toHaveLength(1);
  });

  test("what is asked wrongly is refused by name", async () => {
    const refusal = async (attribute: string, more: string) =>
      JSON.stringify(
        await askRefusal(
          api,
          `{ getProjectByName(name: "grouped") { attributeGroups(attribute: ${JSON.stringify(attribute)}, measure: TRACES,
             timeRange: {start: "${instant(0)}", end: "${instant(1)}"} ${more}) { timestamps } } }`,
        ),
      );
    expect(await refusal("metadata['region']", "first: 51")).toContain("must be from 1 to 50");
    expect(await refusal("1 + 1", "")).toContain("invalid projection");
    expect(await refusal("metadata['region']", 'filterCondition: "nonsense ("')).toContain("was never closed");
  });
});
