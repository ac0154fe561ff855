// What GraphQL shows of a span, for every vector of ingestion.json that says it, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { sendSpans } from "../support/dataset.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import type { OtlpSpan } from "../support/otlp-encode.ts";
import { openForSuite } from "../support/suite.ts";
import recorded from "../vectors/ingestion.json" with { type: "json" };

interface Vector {
  readonly id: string;
  readonly free?: string;
  readonly attributes: OtlpSpan["attributes"];
  readonly expect: {
    readonly graphql?: Readonly<Record<string, { readonly value: string; readonly mimeType: string }>>;
    readonly num_documents?: number;
  };
}
const vectors = (recorded.vectors as unknown as readonly Vector[]).filter(
  (vector) => vector.expect.graphql !== undefined || vector.expect.num_documents !== undefined,
);
const spanIdOf = (position: number) => (position + 1).toString(16).padStart(16, "0");
const PROJECT = "values";

forEachDriver("span values in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const spans = vectors.map(({ attributes }, position) => ({
      traceId: "ab".repeat(16),
      spanId: spanIdOf(position),
      name: "span",
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000000000040000",
      status: { code: 0, message: "" },
      attributes,
      events: [],
    }));
    await sendSpans(
      async (body) => {
        await send(api.server, "POST /v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
      },
      PROJECT,
      spans as unknown as OtlpSpan[],
    );
  });

  const SIDE = "{ value mimeType truncatedValue }";
  interface Side {
    readonly value: string;
    readonly mimeType: string;
    readonly truncatedValue: string;
  }
  interface Shown extends Readonly<Record<"input" | "output", Side | null>> {
    readonly numDocuments: number;
    readonly hasContent: boolean;
    readonly latencyMs: number;
    readonly attributes: string;
  }
  const spanOf = async (spanId: string) =>
    (
      await askData<{ readonly span: Shown }>(
        api,
        `query ($spanId: String!) { span: getSpanByOtelId(spanId: $spanId) {
          input ${SIDE} output ${SIDE} numDocuments hasContent latencyMs attributes } }`,
        { spanId },
      )
    ).span;

  for (const [position, { id, free, expect: expected }] of vectors.entries()) {
    test(id, async () => {
      const span = await spanOf(spanIdOf(position));
      if (expected.num_documents !== undefined) expect(span.numDocuments).toBe(expected.num_documents);
      for (const [side, shown] of Object.entries(expected.graphql ?? {})) {
        const found = span[side as "input" | "output"];
        if (free === undefined) expect(found).toMatchObject(shown);
        else expect(JSON.parse(found!.value)).toEqual(JSON.parse(shown.value));
      }
      expect(span.hasContent).toBe(span.input !== null || span.output !== null);
      expect(span.latencyMs).toBe(0.04);
    });
  }

  test("vectors of embeddings are replaced, previews are cut, a long text is whole where it is asked for", async () => {
    const long = "ü".repeat(200_000);
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const vector = { arrayValue: { values: [1, 2, 3].map((doubleValue) => ({ doubleValue })) } };
    await sendSpans(
      async (body) => {
        await send(api.server, "POST /v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
      },
      PROJECT,
      [
        {
          traceId: "cd".repeat(16),
          spanId: "f".repeat(16),
          name: "embed",
          startTimeUnixNano: "1700000000000000000",
          endTimeUnixNano: "1700000000000250000",
          status: { code: 0, message: "" },
          attributes: [
            text("input.value", long),
            text("output.value", "o".repeat(100)),
            text("embedding.embeddings.0.embedding.text", "words"),
            { key: "embedding.embeddings.0.embedding.vector", value: vector },
          ],
          events: [],
        },
      ] as unknown as OtlpSpan[],
    );
    const span = await spanOf("f".repeat(16));
    expect(span.input!.truncatedValue).toBe(`${"ü".repeat(97)}...`);
    expect(span.input!.value).toBe(long);
    expect(span.output!.truncatedValue).toBe("o".repeat(100));
    expect(JSON.parse(span.attributes).embedding.embeddings).toEqual([
      { embedding: { text: "words", vector: "<3 dimensional vector>" } },
    ]);
  });
});
