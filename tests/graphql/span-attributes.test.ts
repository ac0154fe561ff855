// Single attributes of spans, as the columns of a list ask for them, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { instantOf, spanIdOf, traceIdOf } from "../support/search-data.ts";
import { openForSuite } from "../support/suite.ts";

const LONG = "🎉 a text that goes on ".repeat(3000);

forEachDriver("attributes as columns", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const span = (name: string, attributes: object) => ({
      name,
      context: { trace_id: traceIdOf(name), span_id: spanIdOf(name) },
      parent_id: null,
      span_kind: "CHAIN",
      start_time: instantOf(name.length),
      end_time: instantOf(name.length),
      status_code: "OK",
      status_message: "",
      attributes,
    });
    const full = {
      metadata: { "it's": 1, customer: "ACME" },
      "deep.er.number": 2.5,
      whole: 7,
      flag: false,
      tags: ["x", "y"],
      "with space": "spaced",
      nothing: null,
      "input.value": LONG,
    };
    const data = [span("full", full), span("empty", {})];
    const response = await send(api.server, "POST /v1/projects/columns/spans", { json: { data } });
    expect(response.status).toBe(202);
  });

  interface Answer {
    readonly project: {
      readonly spans: { readonly edges: readonly { readonly node: Named }[] };
      readonly traces: { readonly edges: readonly { readonly node: { readonly rootSpan: Named } }[] };
    };
  }
  interface Named {
    readonly name: string;
    readonly texts: readonly { readonly name: string; readonly text: string | null }[];
  }
  const query = `query ($names: [String!]!) { project: getProjectByName(name: "columns") {
    spans(first: 10) { edges { node { name texts: attributeTexts(names: $names) { name text } } } }
    traces(first: 10) { edges { node { rootSpan { name texts: attributeTexts(names: $names) { name text } } } } }
  } }`;
  const ask = async (names: readonly string[]) => {
    const { project } = await askData<Answer>(api, query, { names });
    const spans = project.spans.edges.map(({ node }) => node);
    expect(project.traces.edges.map(({ node }) => node.rootSpan).toSorted(byName)).toEqual(spans.toSorted(byName));
    return new Map(spans.map(({ name, texts }) => [name, texts]));
  };
  const byName = (one: Named, other: Named) => (one.name < other.name ? -1 : 1);

  test("are read by the names of conditions, each as a text, in the order that was asked for", async () => {
    const expected: readonly (readonly [string, string | null])[] = [
      ["whole", "7"],
      ["metadata['customer']", "ACME"],
      ['metadata["it\'s"]', "1"],
      ["metadata", '{"it\'s":1,"customer":"ACME"}'],
      ["deep.er.number", "2.5"],
      ["attributes['deep.er.number']", "2.5"],
      ["attributes['with space']", "spaced"],
      ["tags", '["x","y"]'],
      ["attributes['tags'][1]", "y"],
      ["flag", "false"],
      ["nothing", null],
      ["absent", null],
    ];
    const found = await ask(expected.map(([name]) => name));
    expect(found.get("full")!.map(({ name, text }) => [name, text])).toEqual(expected.map(([...pair]) => pair));
    expect(found.get("empty")!.every(({ text }) => text === null)).toBe(true);
    expect(await ask([])).toEqual(
      new Map([
        ["full", []],
        ["empty", []],
      ]),
    );
  });

  test("end after 200 characters", async () => {
    const [value] = (await ask(["input.value"])).get("full")!;
    expect([...value!.text!].length).toBe(200);
    expect(LONG.startsWith(value!.text!)).toBe(true);
  });

  test("are refused where they are too many, or no names", async () => {
    const of = (names: readonly string[]) => askRefusal(api, query, { names });
    expect(await of(Array.from({ length: 21 }, (_, at) => `a${at}`))).toContain("names: at most 20");
    expect(await of(["a +"])).toContain("BAD_REQUEST");
    expect(await of(["latency_ms > 5"])).toContain("invalid projection");
  });
});
