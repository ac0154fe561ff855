// What the database holds, over GraphQL on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

/** 100 kB that do not compress. */
const randomText = () => crypto.getRandomValues(new Uint8Array(50_000)).toHex();

forEachDriver("what the database holds", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), {
      variables: { SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: "2.5" },
    }),
  );
  beforeAll(async () => {
    const attributes = JSON.stringify({ input: { value: randomText() }, output: { value: randomText() } });
    await ingestBatch(api.stored.ingest, [incomingSpan({ attributes })]);
  });

  test("is listed by kind, the largest first, and payloads are in it", async () => {
    const { dbContents } = await askData<{ dbContents: { kind: string; numBytes: number }[] }>(
      api,
      "{ dbContents { kind numBytes } }",
    );
    const bytes = dbContents.map(({ numBytes }) => numBytes);
    expect(bytes).toEqual(bytes.toSorted((one, other) => other - one));
    const of = (kind: string) => dbContents.find((each) => each.kind === kind)?.numBytes ?? 0;
    expect(of("PAYLOADS") + of("LARGE_VALUES")).toBeGreaterThan(150_000);
    expect(of("TRACES")).toBeGreaterThan(0);
    expect(of("INDEXES")).toBeGreaterThan(0);
    // What keeps the pages of a file in order belongs to no table.
    const used = await api.stored.storage.usedBytes();
    expect(Math.abs(bytes.reduce((sum, each) => sum + each, -of("FREE")) - used) / used).toBeLessThan(0.05);
  });

  test("is listed by table, beside what was allotted", async () => {
    const answer = await askData<{ dbTableStats: { tableName: string; numBytes: number }[] }>(
      api,
      "{ dbStorageCapacityBytes dbTableStats { tableName numBytes } }",
    );
    expect(answer).toMatchObject({ dbStorageCapacityBytes: 2.5 * 1024 ** 3 });
    const names = answer.dbTableStats.map(({ tableName }) => tableName);
    if (driver.name === "sqlite") expect(names).toEqual(["SQLite"]);
    else expect(names).toEqual(expect.arrayContaining(["spans", "span_payloads", "retention_policies"]));
    const total = answer.dbTableStats.reduce((sum, { numBytes }) => sum + numBytes, 0);
    expect(total / (await api.stored.storage.usedBytes())).toBeCloseTo(1, 1);
  });
});
