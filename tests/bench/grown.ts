// Makes a SQLite file with stored spans many times as large by copying its rows: minutes instead of hours.
import { Database } from "bun:sqlite";
import { endProgress, progress, short } from "./figures.ts";

/** Eight blocks of 4,096 span ids: what is kept by block or by run of blocks is copied with them. */
export const SPANS_A_COPY = 32_768;
const BLOCKS_A_COPY = 8;

/** The rows of the first copy, by table. */
const ROWS: Readonly<Record<string, string>> = {
  traces: "true",
  spans: `id < ${SPANS_A_COPY}`,
  span_payloads: `span_id < ${SPANS_A_COPY}`,
  span_costs: `span_id < ${SPANS_A_COPY}`,
  span_cost_details: `span_id < ${SPANS_A_COPY}`,
  span_blocks: `block < ${BLOCKS_A_COPY}`,
  span_block_bits: `block < ${BLOCKS_A_COPY}`,
  span_block_counts: `block < ${BLOCKS_A_COPY}`,
  span_block_costs: `block < ${BLOCKS_A_COPY}`,
  sorted_blocks: `block < ${BLOCKS_A_COPY}`,
  span_keys: "run < 1",
  span_orders: `block < ${BLOCKS_A_COPY}`,
};

/** Grows the file to that many copies of its first spans; SQLite takes statistics when it has `analyzedCopies`, and never after. */
export function growCopies(path: string, copies: number, analyzedCopies: number): void {
  const began = performance.now();
  const database = new Database(path);
  // From the log, SQLite goes to no journal only by way of another.
  database.run("pragma journal_mode = delete; pragma journal_mode = off; pragma locking_mode = exclusive");
  database.run("pragma synchronous = off");
  database.run("pragma cache_size = -1000000");
  const traces = (database.query("select max(id) as last from traces").get() as { readonly last: number }).last;
  const inserts = Object.entries(ROWS).map(([name, rows]) => {
    const columns = database.query("select name from pragma_table_info(?)").all(name) as { readonly name: string }[];
    const names = columns.map((column) => column.name);
    const values = names.map((column) => copied(name, column, traces));
    return database.query(
      `insert or ignore into ${name} (${names.join(", ")}) select ${values.join(", ")} from ${name}
        where ${name === "traces" ? `id <= ${traces}` : rows}`,
    );
  });
  for (let copy = 1; copy < copies; copy++) {
    if (copy === analyzedCopies) database.run("pragma analysis_limit = 1000; analyze");
    database.transaction(() => {
      for (const insert of inserts) insert.run(copy);
    })();
    progress(`copied ${short(copy * SPANS_A_COPY)} of ${short(copies * SPANS_A_COPY)} spans`);
  }
  database.run("pragma journal_mode = wal");
  database.close();
  endProgress(`copied ${short(copies * SPANS_A_COPY)} spans in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** What a column holds in the copy `?1`. */
function copied(table: string, column: string, traces: number): string {
  if (column === "span_id" || (table === "spans" && column === "id")) return `${column} + ?1 * ${SPANS_A_COPY}`;
  if (column === "trace_id" || (table === "traces" && column === "id")) return `${column} + ?1 * ${traces}`;
  if (column === "trace_key") return `printf('%032x', id + ?1 * ${traces})`;
  if (column === "epoch") return `(id + ?1 * ${SPANS_A_COPY}) >> 16`;
  if (column === "block") return `block + ?1 * ${BLOCKS_A_COPY}`;
  return column === "run" ? "run + ?1" : column;
}
