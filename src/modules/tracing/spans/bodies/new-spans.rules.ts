// The spans of a `POST /v1/projects/{p}/spans` as the thread that reads bodies keeps them: they are made there into what ingestion
// takes, and go from there to be stored. The main thread sees their ids.
import { weightOfAll } from "../../../../ingest/span-weight.ts";
import type { Asked, BulkBody } from "../../../../kernel/bulk-body.ts";
import { Failure } from "../../../../kernel/failure.ts";
import type { IncomingSpan } from "../../../../model/span.ts";
import type { InvalidSpan, RefusedSpan } from "../spans.errors.ts";
import { incomingFromBody, type SpanBody } from "./span-body.rules.ts";
import { NewSpans } from "./span-body.schema.ts";

/** What the thread offers. */
export interface SpanStoring {
  /** Stores spans; resolves when they are durable, with those that the database refused. */
  storeSpans(spans: readonly IncomingSpan[]): Promise<{
    readonly rejections: readonly { readonly spanKey: string; readonly message: string }[];
    /** Whether a trace now waits for its sums to be computed. */
    readonly rollupsPending: boolean;
  }>;
}

interface PreparedSpans {
  readonly received: number;
  /** Spans that can be stored. */
  readonly storable: number;
  /** As `weightOfAll`. */
  readonly bytes: number;
  readonly invalid: readonly InvalidSpan[];
}

interface StoredSpans {
  readonly rejected: readonly InvalidSpan[];
  readonly rollupsPending: boolean;
}

interface KeptSpans {
  /** Makes the spans what ingestion takes; to be asked once, and first. */
  prepare(projectName: string): PreparedSpans;
  /** Ids of spans that can be stored, from a position on, as many as are good to handle at once; none beyond the last. */
  ids(position: number): readonly RefusedSpan[];
  /** Stores what can be stored; to be asked once, and last. Fails as `storeSpans` does. */
  store(): Promise<StoredSpans>;
}

/** A batch of spans as the main thread sees it. */
export type SpanBatch = Asked<KeptSpans>;

const IDS_AT_ONCE = 5000;

function keepSpans({ data }: { readonly data: readonly SpanBody[] }, { storeSpans }: SpanStoring): KeptSpans {
  let bodies = data;
  let spans: IncomingSpan[] = [];
  return {
    prepare(projectName) {
      const invalid: InvalidSpan[] = [];
      const received = bodies.length;
      for (const body of bodies) {
        try {
          spans.push(incomingFromBody(body, projectName));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          invalid.push({ span_id: body.context.span_id, trace_id: body.context.trace_id, error: error.message });
        }
      }
      bodies = [];
      const bytes = weightOfAll(spans);
      return { received, storable: spans.length, bytes, invalid };
    },

    ids: (position) =>
      spans
        .slice(position, position + IDS_AT_ONCE)
        .map(({ spanKey, traceKey }) => ({ span_id: spanKey, trace_id: traceKey })),

    async store() {
      const traces = new Map(spans.map(({ spanKey, traceKey }) => [spanKey, traceKey]));
      const storing = storeSpans(spans);
      // They have been copied to where they are stored.
      spans = [];
      const { rejections, rollupsPending } = await storing;
      const rejected = rejections.map(({ spanKey, message }) => ({
        span_id: spanKey,
        trace_id: traces.get(spanKey) ?? "",
        error: message,
      }));
      return { rejected, rollupsPending };
    },
  };
}

export const newSpansBody: BulkBody<typeof NewSpans, KeptSpans, SpanStoring> = {
  name: "createSpans",
  schema: NewSpans,
  keep: keepSpans,
};
