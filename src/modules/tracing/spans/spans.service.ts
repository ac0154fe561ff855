// The use cases of spans: pages of their list, storing those of a REST body, finding one. (Deletion: tracing/deletion.)
import type { SpanIntake } from "../../../ingest/receiver.ts";
import { identified } from "../../../kernel/ids.ts";
import {
  beginningOf,
  emptyPage,
  type Order,
  type Page,
  type RestRequest,
  readRestCursor,
  restCursors,
  startAt,
} from "../../../kernel/list.ts";
import { spanStatuses } from "../../../model/span.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import type { SpanBatch } from "./bodies/new-spans.rules.ts";
import { spanList } from "./list/span-list.rules.ts";
import type { SpanListRequest, SpanListStore } from "./list/span-list.store.ts";
import { readValuePath } from "./payload/span-payload.rules.ts";
import type { SpanPayloadsStore } from "./payload/span-payloads.store.ts";
import { readSpanValue } from "./payload/span-value.service.ts";
import type { ListedSpan } from "./rows/span-columns.store.ts";
import { type SpanFilterInput, spanFilterOf } from "./span-filter.rules.ts";
import type { SpanLookupStore, SpanPlace } from "./span-lookup.store.ts";
import { batchRefused, invalidValuePath, type RefusedSpan, spanNotFound } from "./spans.errors.ts";
import { SPAN, type Span } from "./spans.schema.ts";

/** A page of spans ends before its limit when their payloads would take more than this: clients follow the cursor, and a page
 *  of the largest spans does not take gigabytes of memory. */
const MOST_PAGE_BYTES = 32 * 1024 * 1024;

interface SpansDependencies {
  readonly list: SpanListStore;
  readonly payloads: SpanPayloadsStore;
  readonly lookup: SpanLookupStore;
  readonly projects: ProjectsService;
  readonly intake: SpanIntake;
}

/** What REST asks for. */
interface RestSpanList extends RestRequest {
  readonly sort: SpanListRequest["sort"];
  readonly order: Order;
}

export interface SpansService {
  /** Throws kind `not_found` for the project, then `invalid` for a filter or a cursor. */
  listSpans(
    context: CallContext,
    projectIdentifier: string,
    filter: SpanFilterInput,
    page: RestSpanList,
  ): Promise<Page<Span>>;
  /** All or nothing: throws kind `malformed` with a document when a span id is stored anywhere, or a span cannot be stored.
   *  A project is named by its id, or by a name that need not exist yet. Resolves with the numbers of spans sent and stored. */
  createSpans(
    context: CallContext,
    projectIdentifier: string,
    batch: SpanBatch,
  ): Promise<{ readonly received: number; readonly queued: number }>;
  /** The newest span with the external id. */
  findSpanByKey(context: CallContext, spanKey: string): Promise<SpanPlace | null>;
  /** By global id or external id. Throws kind `not_found`. */
  getSpanPlace(context: CallContext, identifier: string): Promise<SpanPlace>;
  /** A value of a span, whole, in parts: a text as it is, anything else as JSON text. Throws kind `not_found` for the span or the value,
   *  `invalid` for a path that is not a JSON list of keys and positions. */
  readValue(context: CallContext, identifier: string, path: string): Promise<AsyncGenerator<string | Uint8Array>>;
}

export function createSpansService(dependencies: SpansDependencies): SpansService {
  const { list, payloads, lookup, projects, intake } = dependencies;

  async function getSpanPlace(context: CallContext, identifier: string): Promise<SpanPlace> {
    const named = identified(SPAN, identifier);
    const found =
      "id" in named ? await lookup.findById(context, named.id) : await lookup.findNewest(context, named.key);
    if (found === null) throw spanNotFound(identifier);
    return found;
  }

  async function complete(context: CallContext, rows: readonly ListedSpan[]): Promise<Span[]> {
    const ids = rows.map((row) => row.id);
    const [traceKeys, contents] = await Promise.all([
      list.traceKeys(
        context,
        rows.map((row) => row.traceId),
      ),
      payloads.read(context, ids),
    ]);
    return rows.flatMap((row) => {
      const traceKey = traceKeys.get(row.traceId);
      const content = contents.get(row.id);
      // Deleted since the rows were read.
      if (traceKey === undefined || content === undefined) return [];
      return [
        {
          id: row.id,
          traceKey,
          spanKey: row.spanKey,
          parentKey: row.parentKey,
          name: row.name,
          status: spanStatuses[row.status]!,
          statusMessage: row.statusMessage,
          startUs: row.startUs,
          endUs: row.startUs + row.latencyUs,
          ...content,
        },
      ];
    });
  }

  /** A global id must belong to a project; any other text is a name. */
  async function projectName(context: CallContext, identifier: string): Promise<string> {
    const named = identified(PROJECT, identifier);
    if ("key" in named) return named.key;
    return (await projects.getProject(context, identifier)).name;
  }

  return {
    async listSpans(context, projectIdentifier, input, { sort, order, limit, cursor }) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const filter = spanFilterOf(input);
      const start = startAt(readRestCursor(restCursors(spanList, sort), cursor));
      if (filter.matchesNothing) return emptyPage;
      const page = await list.list(context, { projectId, filter }, { sort, order, start, limit });
      const ids = page.items.map((row) => row.id);
      const fitting = beginningOf(page, await payloads.countFitting(context, ids, MOST_PAGE_BYTES));
      return { items: await complete(context, fitting.items), next: fitting.next };
    },

    async createSpans(context, projectIdentifier, batch) {
      const name = await projectName(context, projectIdentifier);
      const { received, storable, bytes, invalid } = await batch.prepare(name);
      const duplicates: RefusedSpan[] = [];
      for (let position = 0; position < storable; ) {
        const ids = await batch.ids(position);
        const keys = ids.map(({ span_id }) => span_id);
        const taken = await lookup.findTaken(context, keys);
        duplicates.push(...ids.filter(({ span_id }) => taken.has(span_id)));
        position += ids.length;
      }
      if (invalid.length > 0 || duplicates.length > 0) throw batchRefused({ received, queued: 0, duplicates, invalid });
      if (storable === 0) return { received, queued: 0 };
      const { rejected } = await intake.storing(bytes, () => batch.store());
      const queued = received - rejected.length;
      if (rejected.length > 0) throw batchRefused({ received, queued, duplicates, invalid: rejected });
      return { received, queued };
    },

    findSpanByKey: (context, spanKey) => lookup.findNewest(context, spanKey),

    getSpanPlace,

    async readValue(context, identifier, path) {
      const steps = readValuePath(path);
      if (steps === null) throw invalidValuePath(path);
      const { id } = await getSpanPlace(context, identifier);
      return readSpanValue(payloads, context, { id, identifier, path: steps });
    },
  };
}
