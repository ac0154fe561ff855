// The span of the examples in the OpenAPI document, in both of its forms.
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import type { Span } from "../spans.schema.ts";
import { otlpSpanAnswer } from "./otlp-answer.schema.ts";
import { spanAnswer } from "./span-answer.schema.ts";

const START_US = Date.parse("2026-03-01T10:00:00Z") * 1000;

const span: Span = {
  id: 42,
  traceKey: "0af7651916cd43dd8448eb211c80319c",
  spanKey: "b7ad6b7169203331",
  parentKey: null,
  name: "answer question",
  status: "OK",
  statusMessage: "",
  startUs: START_US,
  endUs: START_US + 1_500_000,
  attributes: parseJson(`{"openinference":{"span":{"kind":"LLM"}},"llm":{"model_name":"gpt-4o",
    "token_count":{"prompt":120,"completion":32}},"input":{"value":"Where is my parcel?"}}`) as JsonObject,
  events: [],
};

export const spanExample = spanAnswer(span, START_US);
export const otlpSpanExample = otlpSpanAnswer(span);
