// What the trace page asks of one span: its payload in bounds, and its model without the payload. Fields that exist here only.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { stringifyJson } from "../../../../kernel/json.ts";
import type { CutValue } from "../payload/span-payload.rules.ts";
import { previewOf } from "../payload/span-values.rules.ts";
import { SPAN } from "../spans.schema.ts";
import type { ShownPayload, SpanReadsService } from "./span-reads.service.ts";

export function addSpanPayload(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const { builder } = types;

  const SpanCutValue = builder.objectRef<CutValue>("SpanCutValue").implement({
    fields: (t) => ({
      path: t.string({
        description: 'JSON list of keys and positions, e.g. `["attributes","input","value"]`.',
        resolve: ({ path }) => JSON.stringify(path),
      }),
      bytes: t.float({ nullable: true, description: "Of the whole text.", resolve: ({ bytes }) => bytes }),
      items: t.float({ nullable: true, description: "Of the whole list.", resolve: ({ items }) => items }),
    }),
  });
  const SpanPayload = builder.objectRef<ShownPayload>("SpanPayload").implement({
    description: "Attributes and events with long texts and lists cut, so that the answer stays small.",
    fields: (t) => ({
      attributes: t.string({
        description: "JSON text, nested; vectors of embeddings are replaced by their size.",
        resolve: ({ attributes }) => stringifyJson(attributes),
      }),
      events: t.string({
        description: "JSON text of the list, as stored.",
        resolve: ({ events }) => stringifyJson([...events]),
      }),
      cut: t.field({
        type: [SpanCutValue],
        description: "What is shown in part; whole at `/v1/spans/{span_identifier}/value`.",
        resolve: ({ cut }) => [...cut],
      }),
    }),
  });
  builder.objectFields(types.ref(SPAN), (t) => ({
    modelName: t.string({ nullable: true, resolve: ({ model }) => model }),
    errorHead: t.string({
      nullable: true,
      description: "The beginning of the status message of a failed span; null for every other.",
      resolve: ({ status, statusMessage }) => (status === "ERROR" ? previewOf(statusMessage) : null),
    }),
    errorType: t.string({
      nullable: true,
      description: "The type of the first exception that a failed span recorded; null for every other.",
      resolve: ({ id, status }, _given, call) =>
        status === "ERROR" ? call.load(spanReads.readErrorTypes, id, null) : null,
    }),
    payload: t.field({
      type: SpanPayload,
      nullable: true,
      description: "Null when the span was deleted meanwhile.",
      resolve: ({ id }, _given, call) => call.load(spanReads.readShownPayloads, id, null),
    }),
  }));
}
