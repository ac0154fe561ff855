// Every row of the vectors of costs on both databases, as they demand it: models are entered, one span a row is sent, rows are read.

import { beforeAll, describe, expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { encodeOtlp, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { openForSuite } from "../support/suite.ts";
import vectors from "../vectors/costs.json" with { type: "json" };

const create = "mutation($input: CreateModelMutationInput!) { createModel(input: $input) { model { id } } }";
const BREAKDOWNS = "total { tokens cost } prompt { tokens cost } completion { tokens cost }";
const FIELDS = `costSummary { ${BREAKDOWNS} } costDetailSummaryEntries { tokenType isPrompt value { tokens cost } }`;

interface Breakdown {
  readonly tokens: number | null;
  readonly cost: number | null;
}

interface Costs {
  readonly costSummary: Readonly<Record<"total" | "prompt" | "completion", Breakdown>> | null;
  readonly costDetailSummaryEntries: readonly {
    readonly tokenType: string;
    readonly isPrompt: boolean;
    readonly value: Breakdown;
  }[];
}

const pair = ({ tokens, cost }: Breakdown) => [tokens, cost];
const keyOf = (position: number) => (position + 1).toString(16).padStart(16, "0");
const spans = vectors.vectors.map(({ attrs }, position) => ({
  traceId: keyOf(position).padStart(32, "0"),
  spanId: keyOf(position),
  name: "call",
  // Prices of the vectors begin in 2020 and in 2030.
  startTimeUnixNano: `${Date.parse("2026-11-23T00:00:00Z")}000000`,
  endTimeUnixNano: `${Date.parse("2026-11-23T00:00:01Z")}000000`,
  attributes: otlpAttributes(attrs),
}));

forEachDriver("the vectors of costs", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const input of vectors.models) await askData(api, create, { input });
  });

  test.each(vectors.refused_models_in_this_order_after_the_others)("the model $name is refused", async (input) => {
    expect(await askRefusal(api, create, { input })).toMatch(/^(?:BAD_REQUEST|CONFLICT) /);
  });

  describe("rows", () => {
    beforeAll(async () => {
      const body = encodeOtlp(otlpExport(spans));
      const headers = { "content-type": "application/x-protobuf" };
      expect((await send(api.server, "POST /v1/traces", { body, headers })).status).toBe(200);
    });

    const modelOf = async (spanKey: string) =>
      (
        await api.stored.storage.handle
          .read(api.context(), "short")
          .selectFrom("spans")
          .leftJoin("span_costs", "span_costs.span_id", "spans.id")
          .leftJoin("models", "models.id", "span_costs.model_id")
          .select("models.name")
          .where("span_key", "=", spanKey)
          .executeTakeFirstOrThrow()
      ).name;

    for (const [position, { id, expect: expected }] of vectors.vectors.entries()) {
      test(id, async () => {
        const key = keyOf(position);
        const { span } = await askData<{ span: Costs }>(
          api,
          `{ span: getSpanByOtelId(spanId: "${key}") { ${FIELDS} } }`,
        );
        if (expected === null) {
          expect(span).toEqual({ costSummary: null, costDetailSummaryEntries: [] });
          return;
        }
        const { total, prompt, completion } = span.costSummary!;
        const byKind = (one: readonly unknown[], other: readonly unknown[]) => `${one}`.localeCompare(`${other}`);
        expect({
          model: await modelOf(key),
          total: pair(total),
          prompt: pair(prompt),
          completion: pair(completion),
          details: span.costDetailSummaryEntries
            .map(({ tokenType, isPrompt, value: { tokens, cost } }) => [
              ...[tokenType, isPrompt, tokens, cost],
              cost === null || tokens === 0 ? null : cost / tokens!,
            ])
            .sort(byKind),
        }).toEqual({ ...expected, details: [...expected.details].sort(byKind) } as never);
      });
    }
  });
});
