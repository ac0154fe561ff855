// What a transfer from one database to another has in hand: tables as both databases have them, and their rows as values that either can
// take.
import type { AppliedMigration } from "../migrate.ts";

export type CopiedKind = "integer" | "real" | "text" | "bytes" | "json";

export interface CopiedColumn {
  readonly name: string;
  readonly kind: CopiedKind;
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  /** Columns of the primary key, in its order; of a table without one, its first column. */
  readonly key: readonly CopiedColumn[];
  readonly isKeyUnique: boolean;
  /** Names of the tables that its foreign keys lead to. */
  readonly references: readonly string[];
}

/** Integers and JSON are text: money exceeds 2^53. */
export type CopiedValue = string | number | Uint8Array | null;
/** In the order of the columns. */
export type CopiedRow = readonly CopiedValue[];

export interface CopySource {
  readonly tables: readonly CopiedTable[];
  readonly applied: readonly AppliedMigration[];
  /** The next rows behind a key, in the order of the primary key. */
  rows(table: CopiedTable, after: CopiedRow | null, limit: number): Promise<CopiedRow[]>;
  /** The highest id that each table has ever given: none is given twice. */
  lastIds(): Promise<ReadonlyMap<string, string>>;
  /** Figures of all rows that differ where a row is missing, doubled or changed; see `figuresOf`. */
  figures(table: CopiedTable): Promise<string>;
  close(): Promise<void>;
}

export interface CopyProgress {
  readonly table: string;
  /** Key of the last row that is there, as JSON; null before the first. */
  readonly lastKey: string | null;
  readonly isComplete: boolean;
}

export interface CopyTarget {
  readonly tables: readonly CopiedTable[];
  readonly applied: readonly AppliedMigration[];
  /** Of a transfer that has not ended; null where none was begun. */
  progress(): Promise<readonly CopyProgress[] | null>;
  /** Keeps servers out, and deletes what migrations have put in. */
  begin(tables: readonly CopiedTable[]): Promise<void>;
  /** Inserts the rows and keeps the key of the last one, in one transaction. */
  insert(table: CopiedTable, rows: readonly CopiedRow[], progress: CopyProgress): Promise<void>;
  figures(table: CopiedTable): Promise<string>;
  /** Builds what only this database keeps, and lets servers in. */
  finish(lastIds: ReadonlyMap<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** Columns of JSON: `jsonb` of PostgreSQL, the binary form of SQLite. */
const jsonColumns = new Set(["span_payloads.attributes", "span_payloads.events", "span_payloads.extra"]);
/** By the names of types in either catalog, in lower case. */
export const kindsOfTypes: Readonly<Record<string, CopiedKind>> = {
  integer: "integer",
  bigint: "integer",
  real: "real",
  "double precision": "real",
  text: "text",
  blob: "bytes",
  bytea: "bytes",
  jsonb: "json",
};

export interface CatalogColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Place in the primary key, from 1; 0 for none. */
  readonly place: number;
}

/** The tables of a catalog, without the list of migrations. */
export function tablesOf(
  columns: readonly CatalogColumn[],
  references: readonly { readonly table: string; readonly target: string }[],
): CopiedTable[] {
  return [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([name]) => name !== "schema_migrations" && name !== PROGRESS_TABLE)
    .map(([name, rows]) => {
      const columnOf = ({ column, type }: CatalogColumn): CopiedColumn => ({
        name: column,
        kind: jsonColumns.has(`${name}.${column}`) ? "json" : kindsOfTypes[type]!,
      });
      const primary = rows.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
      const key = primary.length > 0 ? primary : rows.slice(0, 1);
      return {
        name,
        columns: rows.map(columnOf),
        key: key.map(columnOf),
        isKeyUnique: primary.length > 0,
        references: references.filter(({ table }) => table === name).map(({ target }) => target),
      };
    });
}

export const PROGRESS_TABLE = "transfer_progress";

/** Kept by PostgreSQL alone, and worked out for a file: spans without a parent that is stored. */
export const rootColumn = {
  table: "spans",
  column: "may_be_root",
  expression: `cast((parent_key is null or not exists (select 1 from spans as parent
    where parent.trace_id = spans.trace_id and parent.span_key = spans.parent_key)) as text)`,
} as const;

const isRootColumn = (table: string, column: string) => table === rootColumn.table && column === rootColumn.column;

/** What of the tables can be copied: those that both databases have, with the columns that both have. */
export function sharedTables(source: readonly CopiedTable[], target: readonly CopiedTable[]): CopiedTable[] {
  return target.flatMap((table) => {
    const given = source.find(({ name }) => name === table.name);
    if (given === undefined) return [];
    const isGiven = ({ name }: CopiedColumn) =>
      isRootColumn(table.name, name) || given.columns.some((column) => column.name === name);
    return [{ ...table, columns: table.columns.filter(isGiven) }];
  });
}

const figures: Readonly<Record<CopiedKind, (column: string) => string>> = {
  // No sum of remainders is too large for a column.
  integer: (column) => `coalesce(sum(${column} % 1000003), 0)`,
  text: (column) => `coalesce(sum(length(${column})), 0)`,
  bytes: (column) => `coalesce(sum(length(${column})), 0)`,
  // Written in another form by each database.
  real: (column) => `count(${column})`,
  json: (column) => `count(${column})`,
};

/** One row with a column `figures`, the same in both databases: rows, and of each column a sum of its numbers or lengths. */
export function figuresOf({ name, columns }: CopiedTable): string {
  const parts = columns
    .filter((column) => !isRootColumn(name, column.name))
    .map((column) => `cast(${figures[column.kind](`"${column.name}"`)} as text)`);
  return `select ${["cast(count(*) as text)", ...parts].join(" || ' ' || ")} as figures from "${name}"`;
}
