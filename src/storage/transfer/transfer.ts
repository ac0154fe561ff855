// Copies a database into an empty one, of the same kind or the other: every table, ids kept. It can be stopped at any point and goes on where
// it was.
import { fail } from "../../kernel/failure.ts";
import {
  type CopiedRow,
  type CopiedTable,
  type CopyProgress,
  type CopySource,
  type CopyTarget,
  sharedTables,
} from "./copied-tables.ts";

/** Rows of leases belong to servers that run. */
const notCopied = new Set(["leases"]);
/** A batch is about this large; pieces of large values are at most 256 KiB each. */
const BATCH_BYTES = 4 * 1024 * 1024;
const FIRST_ROWS = 100;
const FEWEST_ROWS = 2;
const MOST_ROWS = 5000;

export interface TransferListener {
  onTable(table: string, rows: number): void;
}

export interface TransferOutcome {
  /** Those of this run. */
  readonly rows: number;
  /** A line for each table whose rows are not the same on both sides. */
  readonly differences: readonly string[];
}

/** Copies all tables, compares both sides, and lets servers have the target. `seeded`: rows that migrations put into an empty database, by table.
 *  Fails with `transfer.target_not_empty`, before it changes anything. */
export async function transfer(
  source: CopySource,
  target: CopyTarget,
  seeded: ReadonlyMap<string, number>,
  listener: TransferListener,
): Promise<TransferOutcome> {
  const tables = inOrderOfReferences(sharedTables(source.tables, target.tables));
  let known = await target.progress();
  if (known === null) {
    await requireEmpty(target, tables, seeded);
    await target.begin(tables);
    known = [];
  }
  const done = new Map(known.map((progress) => [progress.table, progress]));
  let rows = 0;
  for (const table of tables) {
    if (notCopied.has(table.name)) continue;
    const copied = await copyTable(source, target, table, done.get(table.name) ?? null);
    rows += copied;
    if (copied > 0) listener.onTable(table.name, copied);
  }
  const differences: string[] = [];
  for (const table of tables) {
    if (notCopied.has(table.name)) continue;
    const [there, here] = [await source.figures(table), await target.figures(table)];
    if (there !== here)
      differences.push(`${table.name}: ${rowsOf(there)} rows in the source, ${rowsOf(here)} in the target`);
  }
  if (differences.length === 0) await target.finish(await source.lastIds());
  return { rows, differences };
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: CopiedTable,
  begun: CopyProgress | null,
): Promise<number> {
  if (begun?.isComplete === true) return 0;
  const places = table.key.map(({ name }) => table.columns.findIndex((column) => column.name === name));
  let after = JSON.parse(begun?.lastKey ?? "null") as CopiedRow | null;
  let limit = FIRST_ROWS;
  let copied = 0;
  let writing: Promise<void> = Promise.resolve();
  for (let isComplete = false; !isComplete; ) {
    // The next rows are read while the last ones are written.
    const [found] = await Promise.all([source.rows(table, after, limit), writing]);
    isComplete = found.length < limit;
    const rows = isComplete || table.isKeyUnique ? found : withoutLastKey(found, places[0]!);
    if (rows.length > 0) after = places.map((place) => rows.at(-1)![place]!);
    writing = target.insert(table, rows, { table: table.name, lastKey: JSON.stringify(after), isComplete });
    copied += rows.length;
    limit = rows.length === 0 ? limit * 2 : rowsOfBatch(rows);
  }
  await writing;
  return copied;
}

/** Rows that share the last key may go on behind the limit. */
function withoutLastKey(rows: readonly CopiedRow[], place: number): readonly CopiedRow[] {
  const last = rows.at(-1)![place];
  return rows.slice(0, rows.findLastIndex((row) => row[place] !== last) + 1);
}

function rowsOfBatch(rows: readonly CopiedRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length;
  return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, Math.floor(BATCH_BYTES / Math.max(1, bytes))));
}

function sizeOf(row: CopiedRow): number {
  return row.reduce<number>(
    (sum, value) => sum + (value === null ? 1 : typeof value === "number" ? 8 : value.length),
    0,
  );
}

async function requireEmpty(
  target: CopyTarget,
  tables: readonly CopiedTable[],
  seeded: ReadonlyMap<string, number>,
): Promise<void> {
  const full: string[] = [];
  for (const table of tables) {
    const rows = rowsOf(await target.figures(table));
    if (rows > (seeded.get(table.name) ?? 0)) full.push(`${table.name} (${rows})`);
  }
  if (full.length === 0) return;
  throw fail(
    "transfer.target_not_empty",
    "conflict",
    `The target is not empty: ${full.join(", ")}. Give the transfer a new database`,
  );
}

/** The first of the figures. */
export function rowsOf(figures: string): number {
  return Number(figures.split(" ", 1)[0]);
}

/** Tables that others refer to come first. */
function inOrderOfReferences(tables: readonly CopiedTable[]): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  const visited = new Set<string>();
  const visit = (table: CopiedTable) => {
    if (visited.has(table.name)) return;
    visited.add(table.name);
    for (const name of table.references) {
      const target = tables.find((each) => each.name === name);
      if (target !== undefined) visit(target);
    }
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}
