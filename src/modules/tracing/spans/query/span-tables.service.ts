// The tables of `POST /v1/spans`. Spans are read page by page and payloads by megabytes; what is kept is the text of the rows,
// up to MOST_TABLE_BYTES: no part of a data frame may be missing, so a larger one is refused by name.
import { allOf, type Filter, parseSpanFilter, type SpanFilter } from "../../../../filter/filter.ts";
import type { Settled, SumsOf } from "../../../../filter/settled.ts";
import { fail } from "../../../../kernel/failure.ts";
import { emptyObject } from "../../../../kernel/json.ts";
import { type PageStart, type PlacedPage, startAt } from "../../../../kernel/list.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { ProjectsService } from "../../projects/projects.service.ts";
import type { SpanListStore } from "../list/span-list.store.ts";
import type { SpanPagesStore } from "../list/span-pages.store.ts";
import type { SpanPayload, SpanPayloadsStore } from "../payload/span-payloads.store.ts";
import type { SpanRowsStore } from "../rows/span-rows.store.ts";
import type { SpanRecord, SpanSums } from "../spans.schema.ts";
import type { SpanTableQuery } from "./span-query.service.ts";
import { addSpan, conditionOfRows, newTable, readsPayloads, readsSums } from "./span-table.rules.ts";
import type { Table } from "./table.rules.ts";

/** All tables of a request together. */
const MOST_TABLE_BYTES = 64 * 1024 * 1024;
/** Payloads that are parsed at a time. */
const PAYLOAD_BYTES = 8 * 1024 * 1024;
const PAGE_ROWS = 1000;

interface SpanTablesRequest {
  /** Null: the default project. */
  readonly projectName: string | null;
  readonly queries: readonly SpanTableQuery[];
  /** Microseconds; null is unbounded. */
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Spans of each query at most; those without a row are not counted. */
  readonly limit: number;
  /** `orphans` also takes spans whose parent is not stored. */
  readonly roots: "none" | "strict" | "orphans";
}

export interface SpanTablesService {
  /** The document of each query in pieces; of an unknown project, without rows. Newest start first, then row id descending.
   *  Throws kind `too_large`. */
  readTables(context: CallContext, request: SpanTablesRequest): Promise<Buffer[][]>;
}

interface SpanTablesDependencies {
  readonly pages: SpanPagesStore;
  readonly rows: SpanRowsStore;
  readonly list: SpanListStore;
  readonly payloads: SpanPayloadsStore;
  readonly rollups: RollupsService;
  readonly projects: ProjectsService;
  readonly defaultProjectName: string;
}

const noPayload: SpanPayload = { attributes: emptyObject(), events: [], damaged: [] };
const noSums: SpanSums = { errors: 0, promptTokens: 0, completionTokens: 0 };

export function createSpanTablesService(dependencies: SpanTablesDependencies): SpanTablesService {
  const { pages, rows, list, payloads, rollups, projects, defaultProjectName } = dependencies;

  /** Adds at most `most` spans, and returns how many there were. `settledSums`: null when the query reads none. */
  async function addSpans(
    context: CallContext,
    table: Table,
    query: SpanTableQuery,
    settledSums: Settled<SumsOf> | null,
    records: readonly SpanRecord[],
    most: number,
  ): Promise<number> {
    let added = 0;
    const ids = records.map(({ id }) => id);
    const [traceKeys, sums] = await Promise.all([
      list.traceKeys(
        context,
        records.map(({ traceId }) => traceId),
      ),
      settledSums === null ? new Map<number, SpanSums>() : rows.readSums(context, settledSums, ids),
    ]);
    const needsPayloads = readsPayloads(query);
    for (let first = 0; first < ids.length; ) {
      const rest = ids.slice(first);
      const count = needsPayloads ? await payloads.countFitting(context, rest, PAYLOAD_BYTES) : rest.length;
      const contents = needsPayloads ? await payloads.read(context, rest.slice(0, count)) : null;
      for (const record of records.slice(first, first + count)) {
        const traceKey = traceKeys.get(record.traceId);
        const payload = contents === null ? noPayload : contents.get(record.id);
        // Deleted since the rows were read.
        if (traceKey === undefined || payload === undefined) continue;
        if (addSpan(table, query, { record, traceKey, sums: sums.get(record.id) ?? noSums, ...payload })) added += 1;
        if (table.bytes > MOST_TABLE_BYTES) throw tooLarge();
        if (added === most) return added;
      }
      first += count;
    }
    return added;
  }

  async function readTable(context: CallContext, projectId: number, request: SpanTablesRequest, query: SpanTableQuery) {
    const table = newTable(query);
    const of = { projectIds: [projectId] };
    const rowsCondition = conditionOfRows(query);
    const chosen = narrowed(query.filter, request.roots);
    const withRows = rowsCondition === null ? chosen : allOf(parseSpanFilter(rowsCondition), chosen);
    const filter = await rollups.settledFilter(context, of, withRows);
    const settledSums = readsSums(query) ? await rollups.settled(context, of, of) : null;
    const { startUs, endUs } = request;
    const scope = { projectId, startUs, endUs, roots: "none", filter, traceFilter: null } as const;
    let start: PageStart | null = null;
    for (let left = request.limit; left > 0; ) {
      const limit = rowsCondition === null ? Math.min(left, PAGE_ROWS) : PAGE_ROWS;
      const asked = { sort: "startTime", order: "desc", start, limit } as const;
      const { items, next }: PlacedPage<SpanRecord> = await pages.listOfProject(context, scope, asked);
      left -= await addSpans(context, table, query, settledSums, items, left);
      if (next === null) break;
      start = startAt(next);
    }
    return table;
  }

  return {
    async readTables(context, request) {
      const project = await projects.findProjectByName(context, request.projectName ?? defaultProjectName);
      const tables: Table[] = [];
      for (const query of request.queries) {
        tables.push(project === null ? newTable(query) : await readTable(context, project.id, request, query));
        if (tables.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_TABLE_BYTES) throw tooLarge();
      }
      return tables.map((table) => table.toJson());
    },
  };
}

const rootConditions = {
  strict: parseSpanFilter("parent_id is None"),
  orphans: parseSpanFilter("parent_span is None"),
};

function narrowed(filter: SpanFilter, roots: SpanTablesRequest["roots"]): Filter {
  if (roots === "none") return filter;
  return filter.matchesAll ? rootConditions[roots] : allOf(rootConditions[roots], filter);
}

function tooLarge() {
  const mebibytes = MOST_TABLE_BYTES / 1024 / 1024;
  return fail(
    "spans.table_too_large",
    "too_large",
    `The tables would take more than ${mebibytes} MiB: lower \`limit\`, narrow the time range or select fewer columns`,
  );
}
