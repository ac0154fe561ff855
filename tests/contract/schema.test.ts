// The tables that the code believes in, those of both databases, and the migrations that make them: all the same.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownedTables } from "../../src/server/features.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { type Owner, tableOfOwner } from "../../src/storage/owned-tables.ts";
import { type DeclaredColumn, declaredTables } from "../support/declared-tables.ts";
import { forEachDriver } from "../support/drivers.ts";
import { type SchemaTable, schemaOf } from "../support/schema.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const folder = join(import.meta.dir, "../../migrations");
const found: Record<string, Record<string, SchemaTable>> = {};

describe("migrations", () => {
  test.each(["sqlite", "postgres"] as const)(
    "every file for %s is carried by the code, under its number and name",
    (name) => {
      const files = readdirSync(join(folder, name)).sort();
      expect(migrations[name].map((step) => `${String(step.number).padStart(4, "0")}_${step.name}.sql`)).toEqual(files);
      expect(migrations[name].map((step) => step.sql)).toEqual(
        files.map((file) => readFileSync(join(folder, name, file), "utf8")),
      );
      expect(migrations[name].map((step) => step.number)).toEqual(files.map((_, position) => position + 1));
    },
  );

  test("both databases have the same steps", () => {
    const steps = (name: "sqlite" | "postgres") => migrations[name].map((step) => [step.number, step.name]);
    expect(steps("sqlite")).toEqual(steps("postgres"));
  });
});

/** What one database has for itself: how it keeps keys and orders of spans, which only its own driver reads. Triggers keep their
 *  rows right, whoever changes or deletes a span. */
const own: Readonly<Record<string, { readonly tables: readonly string[]; readonly columns: readonly string[] }>> = {
  sqlite: { tables: ["sorted_blocks", "span_keys", "span_orders"], columns: [] },
  postgres: { tables: [], columns: ["spans.may_be_root"] },
};
const ownIndexes: readonly string[] = [
  "spans_by_epoch_key",
  "spans_by_latency",
  "spans_by_tokens",
  "spans_by_sum_tokens",
  "spans_by_cost",
  "roots_by_latency",
  "roots_by_tokens",
  "roots_by_sum_tokens",
];

/** The tables that both databases have, without those columns and indexes. */
function shared(name: string): Record<string, SchemaTable> {
  const { tables, columns: ownColumns } = own[name]!;
  const { schema_migrations: _own, ...all } = found[name]!;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([table]) => !tables.includes(table))
      .map(([table, { columns, indexes }]) => [
        table,
        {
          columns: Object.fromEntries(
            Object.entries(columns).filter(([column]) => !ownColumns.includes(`${table}.${column}`)),
          ),
          indexes: indexes.filter((index) => !ownIndexes.some((one) => JSON.stringify(index).includes(one))),
        },
      ]),
  );
}

forEachDriver("schema", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createEmptyDatabase());
    found[driver.name] = await schemaOf(store.storage, store.storage.handle.write(store.context()));
  });
  afterAll(() => store.close());

  test("holds exactly the tables and columns that the code declares", () => {
    const stored = Object.fromEntries(
      Object.entries(shared(driver.name)).map(([table, { columns }]) => [table, Object.keys(columns).sort()]),
    );
    const declared = Object.fromEntries(
      Object.entries(declaredTables()).map(([table, columns]) => [table, Object.keys(columns).sort()]),
    );
    expect(stored).toEqual(declared);
  });

  test("agrees with the declared types of every column", () => {
    const disagreements: string[] = [];
    for (const [table, declared] of Object.entries(declaredTables())) {
      for (const [name, column] of Object.entries(declared)) {
        const stored = found[driver.name]![table]!.columns[name]!;
        if (!agrees(column, stored)) disagreements.push(`${table}.${name}: ${JSON.stringify({ column, stored })}`);
      }
    }
    expect(disagreements).toEqual([]);
  });
});

const OWNER_COLUMNS: Readonly<Record<string, Owner>> = {
  span_id: "span",
  trace_id: "trace",
  session_id: "session",
  project_id: "project",
};

/** Those that are told by another rule, with the reason. */
const otherwise: Readonly<Record<string, string>> = {
  "span_costs.trace_id": "goes with its span, and stays in its trace",
  "failures.trace_id": "the same",
  "cost_recomputations.project_id": "what was asked for, which stays said when the project is gone",
  "spending.project_id": "what was spent, which stays when the project is gone",
  "spending_reservations.project_id": "the same, for as long as a call runs",
  "span_block_counts.project_id": "a summary, made again from the spans of its block when one of them changes",
  "span_block_costs.project_id": "the same",
  "span_block_costs.trace_id": "the same; its spans mark the block when they are deleted",
};

test("what hangs on a span, trace, session or project is declared, once", () => {
  const owners: readonly string[] = Object.values(tableOfOwner);
  const hanging = Object.entries(declaredTables())
    .filter(([table]) => !owners.includes(table))
    .flatMap(([table, columns]) => Object.keys(columns).map((column) => ({ table, column })))
    .filter(({ column }) => column in OWNER_COLUMNS)
    .filter(({ table, column }) => otherwise[`${table}.${column}`] === undefined);
  const declared = ownedTables.map(({ owner, table, column }) => `${table}.${column} of a ${owner}`);
  expect(declared.sort()).toEqual(
    hanging.map(({ table, column }) => `${table}.${column} of a ${OWNER_COLUMNS[column]}`).sort(),
  );
});

test("a table that hangs on a span, trace or session has no project of its own, so that a transfer need not know it", () => {
  const tables = ownedTables.filter(({ owner }) => owner !== "project").map(({ table }) => table);
  expect(tables.filter((table) => declaredTables()[table]?.project_id !== undefined)).toEqual([]);
});

/** A JSON column of SQLite holds bytes; its declared type says nothing of null. */
function agrees(declared: DeclaredColumn, stored: SchemaTable["columns"][string]): boolean {
  const kinds = declared.kind === "json" ? ["json", "bytes"] : [declared.kind];
  const nullable = declared.kind === "json" || declared.nullable === stored.nullable;
  return kinds.includes(stored.kind) && nullable && (!declared.generated || stored.generated);
}

test("both databases have the same tables, columns and indexes", () => {
  if (found.postgres === undefined || found.sqlite === undefined) return;
  const plain = (tables: Record<string, SchemaTable>) =>
    Object.fromEntries(
      Object.entries(tables).map(([name, { columns, indexes }]) => [
        name,
        {
          indexes,
          columns: Object.entries(columns)
            .map(([column, { kind, nullable }]) => [column, kind === "json" ? "bytes" : kind, nullable].join(" "))
            .sort(),
        },
      ]),
    );
  expect(plain(shared("sqlite"))).toEqual(plain(shared("postgres")));
});
