// What a database holds after a fault, read directly and through `spanlight verify`, and held against what was acknowledged.
import { expect } from "bun:test";
import { sql } from "kysely";
import { openStorageAlone } from "../../src/storage/open.ts";
import type { SentBatch } from "./load.ts";
import { runCommand } from "./server.ts";
import { contextOf, locationOf } from "./storage.ts";

export interface DatabaseUnderTest {
  /** In the form of `SERVICE_SQL_DATABASE_URL`. */
  readonly url: string;
  /** `SERVICE_SQL_DATABASE_SCHEMA` */
  readonly schema?: string;
}

/** The settings that name the database. */
export function databaseEnvironment({ url, schema }: DatabaseUnderTest): Record<string, string> {
  return { SERVICE_SQL_DATABASE_URL: url, ...(schema === undefined ? {} : { SERVICE_SQL_DATABASE_SCHEMA: schema }) };
}

/** `trace key/span key` of every stored span. */
export async function storedSpans({ url, schema }: DatabaseUnderTest): Promise<string[]> {
  const location = locationOf(url);
  const storage = openStorageAlone(location.kind === "postgres" ? { ...location, schema: schema ?? null } : location);
  try {
    const context = contextOf(storage);
    const { rows } = await sql<{ key: string }>`
      select t.trace_key || '/' || s.span_key as key from spans s join traces t on t.id = s.trace_id`.execute(
      storage.handle.read(context, "short"),
    );
    return rows.map((row) => row.key);
  } finally {
    await storage.close();
  }
}

/** Every acknowledged span is stored, none twice, nothing that was never sent, and all sums, counts and links agree with the
 *  spans. Resolves with the number of stored spans. */
export async function expectNothingLost(database: DatabaseUnderTest, batches: readonly SentBatch[]): Promise<number> {
  const stored = await storedSpans(database);
  const distinct = new Set(stored);
  expect(stored.length - distinct.size, "spans stored twice").toBe(0);
  const acknowledged = batches.filter((batch) => batch.acknowledged).flatMap((batch) => batch.spans);
  expect(
    acknowledged.filter((span) => !distinct.has(span)),
    "acknowledged spans that are not stored",
  ).toEqual([]);
  const sent = new Set(batches.flatMap((batch) => batch.spans));
  expect(
    stored.filter((span) => !sent.has(span)),
    "stored spans that nobody sent",
  ).toEqual([]);
  await expectVerified(database);
  return stored.length;
}

/** `spanlight verify` finds no difference. */
export async function expectVerified(database: DatabaseUnderTest): Promise<void> {
  const { exitCode, output } = await runCommand(["verify"], { env: databaseEnvironment(database) });
  expect(output).toContain("no differences");
  expect(exitCode).toBe(0);
}

/** What one request brought into one trace is stored whole or not at all: it is one transaction. */
export async function expectNoHalves(database: DatabaseUnderTest, batches: readonly SentBatch[]): Promise<void> {
  const stored = new Set(await storedSpans(database));
  const halves = batches.flatMap(({ spans }) =>
    [...Map.groupBy(spans, (span) => span.split("/")[0]!)]
      .filter(([, part]) => part.some((span) => stored.has(span)) && !part.every((span) => stored.has(span)))
      .map(([trace]) => trace),
  );
  expect(halves, "traces with a half of a request").toEqual([]);
}
