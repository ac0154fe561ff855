// What clicks on facets do to conditions, the width of the bars in the strip, the programs of the onboarding.
import { describe, expect, test } from "bun:test";
import { parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { latencyBands as fineBands } from "../../src/model/blocks/facets.ts";
import { binLengths, binScaleFor } from "../../src/web/explorer/bins.ts";
import {
  anySpanFacet,
  countsOfBands,
  type Facet,
  fieldFacet,
  latencyBands,
  latencyFacet,
  traceStatusFacet,
} from "../../src/web/explorer/facets.ts";
import { snippet } from "../../src/web/explorer/onboarding/snippets.ts";

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

test("programs name the server and the project, whatever it is called", () => {
  const target = { base: "https://example.test/deep/path", project: 'it\'s "quoted"', withKey: false };
  expect(snippet("python", target).code).toContain('endpoint="https://example.test/deep/path/v1/traces"');
  expect(snippet("python", target).code).toContain('project_name="it\'s \\"quoted\\""');
  expect(snippet("typescript", target).code).toContain('url: "https://example.test/deep/path"');
  expect(snippet("curl", target).code).toContain("curl https://example.test/deep/path/v1/traces");
  expect(snippet("curl", target).code).not.toContain("PHOENIX_API_KEY");
  expect(snippet("curl", { ...target, withKey: true }).code).toContain("Bearer $PHOENIX_API_KEY");
});
