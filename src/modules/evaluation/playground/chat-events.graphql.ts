// The events of both subscriptions of the playground in GraphQL: of single chats, and of runs over a dataset.
import type { GraphqlCall } from "../../../graphql/call.ts";
import { type GraphqlTypes, getNode, type ObjectFields } from "../../../graphql/types.ts";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { SPAN } from "../../tracing/spans/spans.schema.ts";
import type { SpansService } from "../../tracing/spans/spans.service.ts";
import { TRACE } from "../../tracing/traces/traces.schema.ts";
import type { TracesService } from "../../tracing/traces/traces.service.ts";
import { EXAMPLE } from "../datasets/datasets.schema.ts";
import { LISTED_RUN } from "../experiments/comparison/experiment-runs.graphql.ts";
import { EXPERIMENT } from "../experiments/experiments.schema.ts";

const RUN_ANNOTATION: TypeWord<{ readonly id: number }> = "ExperimentRunAnnotation";

interface Place {
  /** Row id; null outside of datasets. */
  readonly exampleId: number | null;
  /** From 1; null for what concerns all of them. */
  readonly repetition: number | null;
}

interface FunctionCall extends Place {
  readonly name: string;
  readonly arguments: string;
}

/** Ids are row ids, keys those of OpenTelemetry; null for what is not there. */
export type ChatPayload = Place &
  (
    | { readonly type: "text"; readonly content: string }
    | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly arguments: string }
    | { readonly type: "experiment"; readonly experimentId: number }
    | { readonly type: "result"; readonly spanKey: string | null; readonly runId: number | null }
    | {
        readonly type: "error";
        readonly message: string;
        readonly spanKey: string | null;
        readonly runId: number | null;
      }
    | {
        readonly type: "evaluation";
        readonly evaluatorName: string;
        readonly annotationId: number | null;
        readonly error: string | null;
        readonly traceKey: string | null;
      }
  );
type Outcome = Pick<PayloadOf<"result">, "spanKey" | "runId">;
type PayloadOf<Type extends ChatPayload["type"]> = Extract<ChatPayload, { readonly type: Type }>;

const typeNames: Readonly<Record<ChatPayload["type"], string>> = {
  text: "TextChunk",
  tool_call: "ToolCallChunk",
  experiment: "ChatCompletionSubscriptionExperiment",
  result: "ChatCompletionSubscriptionResult",
  error: "ChatCompletionSubscriptionError",
  evaluation: "EvaluationChunk",
};

export interface ChatPayloadServices {
  readonly spans: Pick<SpansService, "findSpanByKey">;
  readonly traces: Pick<TracesService, "findTraceByKey">;
}

/** The type of the events, with all of its kinds. */
export const chatPayloadType = (types: GraphqlTypes, services: ChatPayloadServices) =>
  types.once("ChatCompletionSubscriptionPayload", () => {
    const { builder } = types;
    const Payload = builder.interfaceRef<Place>("ChatCompletionSubscriptionPayload").implement({
      resolveType: (payload) => typeNames[(payload as ChatPayload).type],
      fields: (t) => ({
        datasetExampleId: t.id({
          nullable: true,
          resolve: ({ exampleId }) => (exampleId === null ? null : globalId(EXAMPLE, exampleId)),
        }),
        repetitionNumber: t.int({ nullable: true, description: "From 1.", resolve: ({ repetition }) => repetition }),
      }),
    });
    const event = <Type extends ChatPayload["type"]>(type: Type) =>
      builder.objectRef<PayloadOf<Type> & Place>(typeNames[type]);
    const node = <Row extends { readonly id: number }>(call: GraphqlCall, type: TypeWord<Row>, id: number | null) =>
      id === null ? null : getNode<Row>(types, call, type, id);
    const spanOf = async ({ spanKey }: { readonly spanKey: string | null }, call: GraphqlCall) => {
      const place = spanKey === null ? null : await services.spans.findSpanByKey(call.context, spanKey);
      return place === null ? null : getNode(types, call, SPAN, place.id);
    };

    event("text").implement({
      interfaces: [Payload],
      fields: (t) => ({ content: t.exposeString("content") }),
    });
    const Called = builder.objectRef<FunctionCall>("FunctionCallChunk").implement({
      interfaces: [Payload],
      fields: (t) => ({ name: t.exposeString("name"), arguments: t.exposeString("arguments") }),
    });
    event("tool_call").implement({
      description:
        "A piece of a call, or a whole one. The first piece of an id has the name, later ones have an empty name.",
      interfaces: [Payload],
      fields: (t) => ({
        id: t.exposeString("id"),
        function: t.field({ type: Called, resolve: (payload) => payload }),
      }),
    });
    event("experiment").implement({
      interfaces: [Payload],
      fields: (t) => ({
        experiment: t.field({
          type: types.ref(EXPERIMENT),
          resolve: ({ experimentId }, _given, call) => getNode(types, call, EXPERIMENT, experimentId),
        }),
      }),
    });
    const outcome = <Row extends Outcome>(t: ObjectFields<Row>) => ({
      span: t.field({
        type: types.ref(SPAN),
        nullable: true,
        resolve: (payload, _given, call) => spanOf(payload, call),
      }),
      experimentRun: t.field({
        type: types.ref(LISTED_RUN),
        nullable: true,
        resolve: ({ runId }, _given, call) => node(call, LISTED_RUN, runId),
      }),
    });
    event("result").implement({
      interfaces: [Payload],
      fields: (t) => ({
        ...outcome(t),
      }),
    });
    event("error").implement({
      interfaces: [Payload],
      fields: (t) => ({
        message: t.exposeString("message"),
        ...outcome(t),
      }),
    });
    event("evaluation").implement({
      interfaces: [Payload],
      fields: (t) => ({
        evaluatorName: t.exposeString("evaluatorName"),
        error: t.exposeString("error", { nullable: true }),
        experimentRunEvaluation: t.field({
          type: types.ref(RUN_ANNOTATION),
          nullable: true,
          resolve: ({ annotationId }, _given, call) => node(call, RUN_ANNOTATION, annotationId),
        }),
        trace: t.field({
          type: types.ref(TRACE),
          nullable: true,
          resolve: async ({ traceKey }, _given, call) => {
            const found = traceKey === null ? null : await services.traces.findTraceByKey(call.context, traceKey);
            return found === null ? null : getNode(types, call, TRACE, found.id);
          },
        }),
      }),
    });
    return Payload;
  });
