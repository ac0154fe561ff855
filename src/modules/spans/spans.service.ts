// The use cases of spans: pages of their list, storing those of a REST body, finding one. (Deletion: traces/delete.)
import { Failure } from "../../kernel/failure.ts";
import { findRowId } from "../../kernel/ids.ts";
import { stringifyJson } from "../../kernel/json.ts";
import { type Order, readKeyset, type SortedPage, sortedPage } from "../../kernel/keyset.ts";
import type { CallContext } from "../../storage/storage.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { type IncomingSpan, spanStatuses } from "../traces/span.schema.ts";
import { incomingFromBody, type SpanBody } from "./span-body.rules.ts";
import { type SpanFilterInput, spanFilterOf } from "./span-filter.rules.ts";
import type { SpanListRow, SpanListStore } from "./span-list.store.ts";
import type { SpanLookupStore, SpanPlace } from "./span-lookup.store.ts";
import { readValuePath, valueAtPath } from "./span-payload.rules.ts";
import type { SpanPayloadsStore } from "./span-payloads.store.ts";
import { batchRefused, type InvalidSpan, invalidValuePath, spanNotFound, valueNotFound } from "./spans.errors.ts";
import { SPAN, type Span } from "./spans.schema.ts";

/** A page of spans ends before its limit when their payloads would take more than this: clients follow the cursor, and a page
 *  of the largest spans does not take gigabytes of memory. */
export const MOST_PAGE_BYTES = 32 * 1024 * 1024;

export interface SpanRejection {
  readonly spanKey: string;
  readonly message: string;
}

export interface SpanIntake {
  /** Stores spans; resolves when they are durable, with those that the database refused. */
  submitSpans(spans: readonly IncomingSpan[]): Promise<{ readonly rejections: readonly SpanRejection[] }>;
}

export interface SpansDependencies {
  readonly list: SpanListStore;
  readonly payloads: SpanPayloadsStore;
  readonly lookup: SpanLookupStore;
  readonly projects: ProjectsService;
  readonly intake: SpanIntake;
}

export interface SpanPageRequest {
  readonly sort: "id" | "start_time";
  readonly order: Order;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface SpansService {
  /** Throws kind `not_found` for the project, then `invalid` for a filter or a cursor. */
  listSpans(
    context: CallContext,
    projectIdentifier: string,
    filter: SpanFilterInput,
    page: SpanPageRequest,
  ): Promise<SortedPage<Span>>;
  /** All or nothing: throws kind `malformed` with a document when a span id is stored anywhere, or a span cannot be stored.
   *  A project is named by its id, or by a name that need not exist yet. Resolves with the number of spans stored. */
  createSpans(context: CallContext, projectIdentifier: string, spans: readonly SpanBody[]): Promise<number>;
  /** The newest span with the external id. */
  findSpanByKey(context: CallContext, spanKey: string): Promise<SpanPlace | null>;
  /** By global id or external id. Throws kind `not_found`. */
  getSpanPlace(context: CallContext, identifier: string): Promise<SpanPlace>;
  /** A value of a span, whole: a text as it is, anything else as JSON text. Throws kind `not_found` for the span or the value,
   *  `invalid` for a path that is no JSON list of keys and positions. */
  readValue(context: CallContext, identifier: string, path: string): Promise<string>;
}

export function createSpansService(dependencies: SpansDependencies): SpansService {
  const { list, payloads, lookup, projects, intake } = dependencies;

  async function getSpanPlace(context: CallContext, identifier: string): Promise<SpanPlace> {
    const id = findRowId(SPAN, identifier);
    const found = id === null ? await lookup.findNewest(context, identifier) : await lookup.findById(context, id);
    if (found === null) throw spanNotFound(identifier);
    return found;
  }

  async function complete(context: CallContext, rows: readonly SpanListRow[]): Promise<Span[]> {
    const ids = rows.map((row) => row.id);
    const [traceKeys, contents] = await Promise.all([
      list.traceKeys(
        context,
        rows.map((row) => row.trace_id),
      ),
      payloads.read(context, ids),
    ]);
    return rows.flatMap((row) => {
      const traceKey = traceKeys.get(row.trace_id);
      const content = contents.get(row.id);
      // Deleted since the rows were read.
      if (traceKey === undefined || content === undefined) return [];
      return [
        {
          id: row.id,
          traceKey,
          spanKey: row.span_key,
          parentKey: row.parent_key,
          name: row.name,
          status: spanStatuses[row.status]!,
          statusMessage: row.status_message,
          startUs: row.start_us,
          endUs: row.start_us + row.latency_us,
          ...content,
        },
      ];
    });
  }

  /** A global id must belong to a project; any other text is a name. */
  async function projectName(context: CallContext, identifier: string): Promise<string> {
    if (findRowId(PROJECT, identifier) === null) return identifier;
    return (await projects.getProject(context, identifier)).name;
  }

  return {
    async listSpans(context, projectIdentifier, input, { sort, order, limit, cursor }) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const filter = spanFilterOf(input);
      const form = { type: SPAN, sort: sort === "id" ? null : sort };
      const from = readKeyset(form, cursor);
      if (filter.matchesNothing) return { items: [], nextCursor: null };
      const rows = await list.list(context, { projectId, filter, sort, order, from, limit: limit + 1 });
      const ids = rows.slice(0, limit).map((row) => row.id);
      const fitting = await payloads.countFitting(context, ids, MOST_PAGE_BYTES);
      const page = sortedPage(rows, fitting, form, (row) => ({ value: row.start_us, rowId: row.id }));
      return { items: await complete(context, page.items), nextCursor: page.nextCursor };
    },

    async createSpans(context, projectIdentifier, bodies) {
      const name = await projectName(context, projectIdentifier);
      const idsOf = ({ context: ids }: SpanBody) => ({ span_id: ids.span_id, trace_id: ids.trace_id });
      const spans: IncomingSpan[] = [];
      const invalid: InvalidSpan[] = [];
      for (const body of bodies) {
        try {
          spans.push(incomingFromBody(body, name));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          invalid.push({ ...idsOf(body), error: error.message });
        }
      }
      const taken = await lookup.findTaken(
        context,
        spans.map((span) => span.spanKey),
      );
      const duplicates = bodies.filter((body) => taken.has(body.context.span_id)).map(idsOf);
      const received = bodies.length;
      if (invalid.length > 0 || duplicates.length > 0) throw batchRefused({ received, queued: 0, duplicates, invalid });
      if (spans.length === 0) return 0;
      const { rejections } = await intake.submitSpans(spans);
      if (rejections.length === 0) return received;
      const queued = received - rejections.length;
      throw batchRefused({ received, queued, duplicates, invalid: rejectedSpans(bodies, rejections) });
    },

    findSpanByKey: (context, spanKey) => lookup.findNewest(context, spanKey),

    getSpanPlace,

    async readValue(context, identifier, path) {
      const steps = readValuePath(path);
      if (steps === null) throw invalidValuePath(path);
      const { id } = await getSpanPlace(context, identifier);
      const large = steps[0] === "attributes" ? JSON.stringify(steps.slice(1)) : null;
      const text = large === null ? null : await payloads.findLargeText(context, id, large);
      if (text !== null) return text;
      const payload = (await payloads.read(context, [id])).get(id);
      const value = payload === undefined ? undefined : valueAtPath(payload, steps);
      if (value === undefined) throw valueNotFound(path);
      return typeof value === "string" ? value : stringifyJson(value);
    },
  };
}

function rejectedSpans(bodies: readonly SpanBody[], rejections: readonly SpanRejection[]): InvalidSpan[] {
  const traces = new Map(bodies.map(({ context }) => [context.span_id, context.trace_id]));
  return rejections.map(({ spanKey, message }) => ({
    span_id: spanKey,
    trace_id: traces.get(spanKey) ?? "",
    error: message,
  }));
}
