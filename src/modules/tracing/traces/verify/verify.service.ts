// `spanlight verify`: recomputes every sum, count and link from the spans and names each difference.

import { recompute } from "../../../../model/summaries/rollups/rollup-recompute.ts";
import type { OwnedTable } from "../../../../storage/owned-tables.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { createRollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import { createRollupsStore, type SumRow } from "../../../../summaries/rollups/rollups.store.ts";
import { createVerifyStore, sessionTotalNames, totalNames } from "./verify.store.ts";

interface VerifyReport {
  readonly traces: number;
  readonly spans: number;
  readonly sessions: number;
  /** One line a difference, each naming its row; none means that everything adds up. */
  readonly differences: readonly string[];
}

/** Counts only ever fall by deletion, bounds never narrow: a stored bound may be wider than its spans, never narrower. */
const BOUNDS = new Set(["start_us", "end_us"]);

/** Settles what is pending, then compares; `ownedTables` are those of all features. Nothing else may write meanwhile, or the report names what changed. */
export async function verifyStorage(
  storage: Storage,
  context: CallContext,
  ownedTables: readonly OwnedTable[],
): Promise<VerifyReport> {
  const rollups = createRollupsService(storage);
  while ((await rollups.settlePending(context, 100)) > 0);
  const store = createVerifyStore({ dialect: storage.dialect, ownedTables });
  const sums = createRollupsStore(storage);
  const differences: string[] = [];
  let traces = 0;
  let spans = 0;
  let sessions = 0;

  for (let page = await store.listTraces(context, 0); page.length > 0; ) {
    for (const trace of page) {
      const name = `trace ${trace.trace_key}`;
      if (trace.foundProject === null) differences.push(`${name}: its project ${trace.project_id} does not exist`);
      if (trace.session_id !== null && trace.foundSession === null)
        differences.push(`${name}: its session ${trace.session_id} does not exist`);
      const counted = await store.spanTotals(context, trace.id);
      differences.push(...compare(name, { ...trace, strays: 0 }, counted, totalNames));
      if (trace.costText !== counted.costText)
        differences.push(`${name}: cost is ${trace.costText}, its spans say ${counted.costText}`);
      if (trace.latency_us !== trace.end_us - trace.start_us)
        differences.push(`${name}: latency_us is ${trace.latency_us}, its bounds say ${trace.end_us - trace.start_us}`);
      differences.push(...compareSums(name, await sums.readSums(context, trace.id)));
      traces++;
      spans += trace.span_count;
    }
    page = await store.listTraces(context, page.at(-1)!.id);
  }
  for (let page = await store.listSessions(context, 0); page.length > 0; ) {
    for (const session of page) {
      const name = `session ${session.session_key}`;
      const counted = await store.sessionTotals(context, session.id);
      differences.push(...compare(name, session, counted, sessionTotalNames));
      if (session.costText !== counted.costText)
        differences.push(`${name}: cost is ${session.costText}, its traces say ${counted.costText}`);
      sessions++;
    }
    page = await store.listSessions(context, page.at(-1)!.id);
  }
  for (const [what, count] of Object.entries(await store.countFaults(context))) {
    if (count > 0) differences.push(`${count} ${what}`);
  }
  return { traces, spans, sessions, differences };
}

function compare<Name extends string>(
  name: string,
  stored: Readonly<Record<Name, number>>,
  counted: Readonly<Record<Name, number | null>>,
  columns: readonly Name[],
): string[] {
  return columns.flatMap((column) => {
    const is = stored[column];
    const should = counted[column] === null ? null : Number(counted[column]);
    // A trace before its first span and a session after its last trace have counts of zero and bounds of their own.
    const agrees = BOUNDS.has(column)
      ? should === null || (column === "start_us" ? is <= should : is >= should)
      : is === (should ?? 0);
    return agrees ? [] : [`${name}: ${column} is ${is}, recomputed ${should}`];
  });
}

/** A cycle all of whose sums are zero may still be unmarked: no count has reached it (rollup-fold.ts). */
function compareSums(name: string, rows: readonly SumRow[]): string[] {
  const { sums, repeats } = recompute(rows);
  return rows.flatMap((row) => {
    if (row.repeatsChild !== repeats.has(row.id))
      return [
        `${name}: span ${row.spanKey} ${row.repeatsChild ? "is" : "is not"} left out as the repetition of a child`,
      ];
    const should = sums.get(row.id)!;
    const agrees =
      row.sums.errors === should.errors &&
      row.sums.prompt === should.prompt &&
      row.sums.completion === should.completion;
    return agrees
      ? []
      : [`${name}: span ${row.spanKey} sums to ${JSON.stringify(row.sums)}, recomputed ${JSON.stringify(should)}`];
  });
}
