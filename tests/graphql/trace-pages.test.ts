// The spans of one trace page by page, as the trace panel reads them, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { sendSpans } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { hexId, wideTrace } from "../support/panel-traces.ts";
import { openForSuite } from "../support/suite.ts";

interface Answer {
  readonly trace: {
    readonly spans: {
      readonly edges: readonly { readonly node: { readonly spanId: string; readonly name: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

forEachDriver("pages of one trace", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const spans = wideTrace("pages", 1_767_225_600_000, 57);
  beforeAll(async () => {
    const exportSpans = async (body: Uint8Array<ArrayBuffer>) => {
      await send(api.server, "POST /v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
    };
    // Others arrive in between.
    await sendSpans(exportSpans, "pages", spans.slice(0, 30));
    await sendSpans(exportSpans, "pages", wideTrace("other", 1_767_225_600_000, 40));
    await sendSpans(exportSpans, "pages", spans.slice(30));
  });

  async function readAll(first: number, filterCondition: string | null = null): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const { trace }: Answer = await askData<Answer>(
        api,
        `query ($trace: String!, $first: Int!, $after: String, $filterCondition: String) {
          trace: getTraceByOtelId(traceId: $trace) {
            spans(first: $first, after: $after, filterCondition: $filterCondition) {
              edges { node { spanId name } } pageInfo { hasNextPage endCursor } } } }`,
        { trace: hexId("pages", 32), first, after, filterCondition },
      );
      found.push(...trace.spans.edges.map(({ node }) => node.spanId));
      if (!trace.spans.pageInfo.hasNextPage) return found;
      after = trace.spans.pageInfo.endCursor;
    }
  }

  test("every span comes once, the newest arrival first, whatever the size of the pages", async () => {
    const newestFirst = spans.map(({ spanId }) => spanId!).reverse();
    for (const first of [1000, 57, 10]) expect(await readAll(first)).toEqual(newestFirst);
  });

  test("a condition narrows the pages", async () => {
    const tools = spans.filter(({ attributes }) => attributes?.[0]?.value?.stringValue === "TOOL");
    expect(await readAll(5, "span_kind == 'TOOL'")).toEqual(tools.map(({ spanId }) => spanId!).reverse());
    expect(await readAll(5, "'needle in the stack' in output.value")).toEqual([spans.at(-1 - (57 - 7))!.spanId!]);
  });
});
