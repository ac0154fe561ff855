// `spanlight transfer`: copies everything from one database into another, from SQLite to PostgreSQL or back.
import { loadConfig } from "../config/load.ts";
import { fail } from "../kernel/failure.ts";
import { transferStorage } from "../storage/transfer/storage-transfer.ts";
import type { Command } from "./arguments.ts";
import { verifyDatabase } from "./verify.ts";

/** Status 0 when the target holds the same rows as the source and everything adds up, 1 when it does not. */
export async function runTransfer({ settings, from, to }: Extract<Command, { kind: "transfer" }>): Promise<number> {
  const [source, target] = [from, to].map(
    (databaseUrl) =>
      loadConfig(process.env, { ...settings, databaseUrl, createsWorkingDirectory: false }).config.database,
  ) as [Database, Database];
  process.stdout.write(`from: ${source.printed}\nto: ${target.printed}\n`);
  if (source.location.kind === "sqlite" && source.location.temporary) throw inMemory("source");
  if (target.location.kind === "sqlite" && target.location.temporary) throw inMemory("target");
  if (source.printed === target.printed)
    throw fail("transfer.same_database", "invalid", "The source and the target are the same database");
  const began = performance.now();
  const { rows, differences } = await transferStorage(source.location, target.location, {
    onTable: (table, count) => process.stdout.write(`${table}: ${count} rows\n`),
  });
  for (const difference of differences) process.stdout.write(`${difference}\n`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${rows} rows copied in ${seconds} s, ${differences.length} tables differ from the source\n`);
  if (differences.length > 0) {
    process.stdout.write("The source was changed since the transfer began: begin again with a new target\n");
    return 1;
  }
  return verifyDatabase(target.location);
}

type Database = ReturnType<typeof loadConfig>["config"]["database"];

function inMemory(side: "source" | "target") {
  return fail(
    "transfer.temporary",
    "unsupported",
    `The ${side} is a database in memory, which belongs to its server alone`,
  );
}
