// What clicks on facets do to conditions, the width of the bars in the strip, the programs of the onboarding.
import { describe, expect, test } from "bun:test";
import { parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { latencyBands as fineBands } from "../../src/model/summaries/blocks/facets.ts";
import { barsOf, binLengths, binScaleFor } from "../../src/web/explorer/bins.ts";
import {
  anySpanFacet,
  countsOfBands,
  type Facet,
  fieldFacet,
  latencyBands,
  latencyFacet,
  traceStatusFacet,
} from "../../src/web/explorer/facets.ts";
import { frameworks, languages, snippet } from "../../src/web/explorer/onboarding/snippets.ts";

const other = "duration_of_the_test > 1";

describe.each([
  ["a field", fieldFacet("span_kind"), "LLM", "TOOL"],
  ["a band of latency", latencyFacet, "100-1000", "30000-"],
  ["a span", anySpanFacet("name"), "it's", "b"],
  ["the status of traces", traceStatusFacet, "error", "ok"],
] satisfies [string, Facet, string, string][])("a facet of %s", (_name, facet, value, another) => {
  test("includes, leaves out, and takes back", () => {
    const included = facet.toggle(other, value, "included");
    expect(facet.stateOf(included, value)).toBe("included");
    expect(facet.stateOf(included, another)).not.toBe("included");
    const excluded = facet.toggle(included, value, "excluded");
    expect(facet.stateOf(excluded, value)).toBe("excluded");
    expect(facet.toggle(excluded, value, "excluded")).toBe(other);
    expect(facet.toggle(included, value, "included")).toBe(other);
  });
});

test("conditions of facets are ones of their languages", () => {
  for (const how of ["included", "excluded"] as const) {
    for (const { value } of latencyBands) parseSpanFilter(latencyFacet.toggle("", value, how));
    for (const field of ["status_code", "span_kind", "llm.model_name", "name", "user.id"])
      parseSpanFilter(fieldFacet(field).toggle("", "it's", how));
    for (const field of ["span_kind", "name"]) parseTraceFilter(anySpanFacet(field).toggle("", "it's", how));
    parseTraceFilter(traceStatusFacet.toggle("user.id == 'a'", "error", how));
  }
});

test("the bounds of the bands are bounds of what the server counts", () => {
  const bounds = fineBands.map((microseconds) => microseconds / 1000);
  for (const { lowMs, highMs } of latencyBands) {
    expect(bounds).toContain(lowMs);
    if (highMs !== null) expect(bounds).toContain(highMs);
  }
  const counted = countsOfBands(bounds.map((minMs) => ({ minMs, count: 1 })));
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(bounds.length);
});

test("bars are as fine as their number allows", () => {
  expect(binScaleFor(15 * 60_000, 180)).toBe("MINUTE");
  expect(binScaleFor(7 * binLengths.DAY, 180)).toBe("HOUR");
  expect(binScaleFor(30 * binLengths.DAY, 180)).toBe("DAY");
  expect(binScaleFor(400 * binLengths.MONTH, 180)).toBe("MONTH");
});

describe("bars of the strip", () => {
  const HOUR = binLengths.HOUR;
  const bins = (count: number, beginMs: number) =>
    Array.from({ length: count }, (_, at) => ({
      timestamp: new Date(beginMs + at * HOUR).toISOString(),
      totalCount: 2,
      errorCount: at % 2,
    }));

  test.each([
    [24, 1000],
    [168, 1000],
    [168, 200],
    [60, 60],
    [1, 10],
  ])("of %i bins are at most 60 and at least 4 pixels wide in %i, and lose nothing", (count, width) => {
    const bars = barsOf(bins(count, Date.UTC(2026, 0, 5, 7)), HOUR, "utc", width);
    expect(bars.length).toBeLessThanOrEqual(60);
    expect(width / bars.length - 1).toBeGreaterThanOrEqual(4);
    expect(bars.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(2 * count);
    expect(bars.reduce((sum, { errorCount }) => sum + errorCount, 0)).toBe(Math.floor(count / 2));
    for (const [at, { toMs }] of bars.entries()) if (bars[at + 1]) expect(toMs).toBe(bars[at + 1]!.fromMs);
  });

  test("begin at the same hours of the clock, wherever the range begins", () => {
    // Two hours ahead, whatever the season.
    const zone = "Africa/Johannesburg";
    for (const begin of [0, 1, 2, 3]) {
      const bars = barsOf(bins(168, Date.UTC(2026, 0, 5, begin)), HOUR, zone, 1000);
      for (const { fromMs } of bars.slice(1)) expect((fromMs + 2 * HOUR) % (3 * HOUR)).toBe(0);
    }
  });

  test.each([
    ["2026-03-27T23:00:00Z", [24, 23, 24]],
    ["2026-10-23T22:00:00Z", [24, 25, 24]],
  ])("are whole days where the clocks change after %s", (begin, hours) => {
    const count = hours.reduce((sum, each) => sum + each);
    const bars = barsOf(bins(count, Date.parse(begin)), HOUR, "Europe/Berlin", 25);
    expect(bars.map(({ fromMs, toMs }) => (toMs - fromMs) / HOUR)).toEqual(hours);
    expect(bars.map(({ totalCount }) => totalCount)).toEqual(hours.map((each) => 2 * each));
  });
});

test("programs name the server and the project, whatever it is called", () => {
  const target = { base: "https://example.test/deep/path", project: 'it\'s "quoted"', withKey: false };
  for (const language of languages)
    for (const framework of frameworks[language]) {
      const { code } = snippet(language, framework, target);
      expect(code).toContain("https://example.test/deep/path");
      expect(code).not.toContain("PHOENIX_API_KEY");
    }
  expect(snippet("python", "plain", target).code).toContain('endpoint="https://example.test/deep/path/v1/traces"');
  expect(snippet("python", "openai", target).code).toContain('project_name="it\'s \\"quoted\\""');
  expect(snippet("typescript", "plain", target).code).toContain('url: "https://example.test/deep/path"');
  expect(snippet("other", "curl", target).code).toContain("curl https://example.test/deep/path/v1/traces");
  expect(snippet("other", "environment", target).code).toContain("project.name=it's%20%22quoted%22");
  const withKey = { ...target, withKey: true };
  expect(snippet("other", "curl", withKey).code).toContain("Bearer $PHOENIX_API_KEY");
  expect(snippet("other", "environment", withKey).code).toContain("Bearer%20$PHOENIX_API_KEY");
});
