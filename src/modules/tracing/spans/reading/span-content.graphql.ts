// What is shown of the payload of a span: input and output, events, attributes. Sessions show the ends of their conversation.
import type { GraphqlCall } from "../../../../graphql/call.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { isJsonObject, type JsonObject } from "../../../../kernel/json.ts";
import { SESSION } from "../../sessions/sessions.schema.ts";
import { attributesOf, eventInstant } from "../bodies/span-answer.schema.ts";
import {
  attributesText,
  documentCount,
  eventMessage,
  metadataText,
  previewOf,
  promptDetail,
  shownValue,
} from "../payload/span-values.rules.ts";
import { valueDamaged } from "../spans.errors.ts";
import { SPAN, type SpanRecord } from "../spans.schema.ts";
import type { SpanReadsService } from "./span-reads.service.ts";

/** Input or output of a span. */
interface SpanSide {
  readonly span: SpanRecord;
  readonly side: "input" | "output";
  readonly head: string;
}

function sideOf(span: SpanRecord, side: SpanSide["side"]): SpanSide | null {
  const head = side === "input" ? span.inputHead : span.outputHead;
  return head === null ? null : { span, side, head };
}

/** The preview text of one side. */
function previewOn(span: SpanRecord | null, side: SpanSide["side"]): string | null {
  if (span === null) return null;
  const [preview, head] =
    side === "input" ? [span.inputPreview, span.inputHead] : [span.outputPreview, span.outputHead];
  return preview ?? (head === null ? null : previewOf(head));
}
const PREVIEW = "Preview: the text of the last message, or the main text inside JSON. At most 160 characters.";

export function addSpanContent(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const { builder } = types;
  const loadPayload = async (call: GraphqlCall, span: SpanRecord) => {
    const payload = await call.load(spanReads.readPayloads, span.id, null);
    return payload ?? { attributes: {} as JsonObject, events: [], damaged: [] };
  };
  /** For a nullable field that shows one member: it fails where it would show less than was sent, and the rest is answered. */
  const loadMember = async (call: GraphqlCall, span: SpanRecord, member: string) => {
    const { attributes, damaged } = await loadPayload(call, span);
    const shown = damaged.filter((path) => JSON.parse(path)[0] === member);
    if (shown.length > 0) throw valueDamaged(span.spanKey, shown);
    return attributes;
  };
  const { SpanEvent, TokenCountPromptDetails } = payloadTypes(types);
  const MimeType = builder.enumType("MimeType", { values: ["text", "json"] as const });
  const SpanIOValue = builder.objectRef<SpanSide>("SpanIOValue").implement({
    fields: (t) => ({
      mimeType: t.field({
        type: MimeType,
        resolve: async ({ span, side }, _given, call) =>
          shownValue((await loadPayload(call, span)).attributes, side).mimeType,
      }),
      truncatedValue: t.string({
        description: "At most 100 characters; lists ask for this one only.",
        resolve: ({ head }) => previewOf(head),
      }),
      value: t.string({
        resolve: async ({ span, side }, _given, call) => shownValue(await loadMember(call, span, side), side).text,
      }),
    }),
  });

  builder.objectFields(types.ref(SPAN), (t) => ({
    attributes: t.string({
      description: "JSON text, nested; vectors of embeddings are replaced by their size.",
      resolve: async (span, _given, call) => attributesText((await loadPayload(call, span)).attributes),
    }),
    metadata: t.string({
      nullable: true,
      resolve: async (span, _given, call) => metadataText(await loadMember(call, span, "metadata")),
    }),
    numDocuments: t.int({
      nullable: true,
      resolve: async (span, _given, call) => documentCount((await loadPayload(call, span)).attributes, span.kind),
    }),
    tokenPromptDetails: t.field({
      type: TokenCountPromptDetails,
      resolve: async (span, _given, call) => (await loadPayload(call, span)).attributes,
    }),
    hasContent: t.boolean({
      description: "It recorded an input or an output.",
      resolve: ({ inputHead, outputHead }) => inputHead !== null || outputHead !== null,
    }),
    input: t.field({ type: SpanIOValue, nullable: true, resolve: (span) => sideOf(span, "input") }),
    output: t.field({ type: SpanIOValue, nullable: true, resolve: (span) => sideOf(span, "output") }),
    inputSaid: t.string({ nullable: true, description: PREVIEW, resolve: (span) => previewOn(span, "input") }),
    outputSaid: t.string({ nullable: true, description: PREVIEW, resolve: (span) => previewOn(span, "output") }),
    events: t.field({
      type: [SpanEvent],
      resolve: async (span, _given, call) => (await loadPayload(call, span)).events.filter(isJsonObject),
    }),
  }));
  builder.objectFields(types.ref(SESSION), (t) => ({
    firstInput: t.field({
      type: SpanIOValue,
      nullable: true,
      resolve: async (session, _given, call) => {
        const span = await call.load(spanReads.findSessionEnds, session.id, "first");
        return span === null ? null : sideOf(span, "input");
      },
    }),
    firstInputSaid: t.string({
      nullable: true,
      description: PREVIEW,
      resolve: async ({ id }, _given, call) =>
        previewOn(await call.load(spanReads.findSessionEnds, id, "first"), "input"),
    }),
    lastOutputSaid: t.string({
      nullable: true,
      description: PREVIEW,
      resolve: async ({ id }, _given, call) =>
        previewOn(await call.load(spanReads.findSessionEnds, id, "last"), "output"),
    }),
    lastOutput: t.field({
      type: SpanIOValue,
      nullable: true,
      resolve: async (session, _given, call) => {
        const span = await call.load(spanReads.findSessionEnds, session.id, "last");
        return span === null ? null : sideOf(span, "output");
      },
    }),
  }));
}

/** Parts of a payload that are shown as objects. */
function payloadTypes({ builder }: GraphqlTypes) {
  const SpanEvent = builder.objectRef<JsonObject>("SpanEvent").implement({
    fields: (t) => ({
      name: t.string({ resolve: ({ name }) => (typeof name === "string" ? name : "") }),
      message: t.string({
        description: "Of an exception; empty otherwise.",
        resolve: (event) => eventMessage(attributesOf(event)),
      }),
      timestamp: t.field({
        type: "DateTime",
        // As the other lists do where none can be read.
        resolve: ({ timestamp }, _given, { nowUs }) => eventInstant(timestamp) ?? nowUs,
      }),
      attributes: t.field({ type: "JSON", resolve: (event) => attributesOf(event) }),
    }),
  });
  const TokenCountPromptDetails = builder.objectRef<JsonObject>("TokenCountPromptDetails").implement({
    fields: (t) => ({
      cacheRead: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "cache_read") }),
      cacheWrite: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "cache_write") }),
      audio: t.int({ nullable: true, resolve: (attributes) => promptDetail(attributes, "audio") }),
    }),
  });
  return { SpanEvent, TokenCountPromptDetails };
}
