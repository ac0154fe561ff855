// `spanlight verify`: recomputes sums, counts and links from the spans, looks at every payload, and names each difference.
import { openPrincipal } from "../access/principal.ts";
import { loadConfig } from "../config/load.ts";
import { silentLogger } from "../kernel/logger.ts";
import { verifyFailures } from "../modules/tracing/failures/verify/failures-verify.service.ts";
import { createSpanPayloadsStore } from "../modules/tracing/spans/payload/span-payloads.store.ts";
import { verifyPayloads } from "../modules/tracing/traces/verify/payloads-verify.service.ts";
import { verifyStorage } from "../modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../server/features.ts";
import type { StorageLocation } from "../storage/location.ts";
import { openStorageAlone } from "../storage/open.ts";
import { verifyBlocks } from "../summaries/blocks/blocks-verify.service.ts";
import type { Command } from "./arguments.ts";

/** No verification takes this long; it only must not be stopped as a slow read would be. */
const LONG_MILLISECONDS = 7 * 24 * 3_600_000;

/** Status 0 when everything adds up, 1 when something does not. */
export async function runVerify(command: Extract<Command, { kind: "verify" }>): Promise<number> {
  const { config } = loadConfig(process.env, { ...command.settings, createsWorkingDirectory: false });
  process.stdout.write(`database: ${config.database.printed}\n`);
  return verifyDatabase(config.database.location);
}

/** Prints each difference and a line of what was looked at. Status 0 when everything adds up, 1 when something does not. */
export async function verifyDatabase(location: StorageLocation): Promise<number> {
  const storage = openStorageAlone(location);
  try {
    const context = {
      principal: openPrincipal,
      requestId: "verify",
      deadline: performance.now() + LONG_MILLISECONDS,
      signal: null,
      database: storage.handle,
    };
    const { traces, spans, sessions, ...sums } = await verifyStorage(storage, context, ownedTables);
    const payloads = await verifyPayloads(storage, context);
    const { blocks, ...summaries } = await verifyBlocks(storage, context);
    const failures = await verifyFailures(storage, context, createSpanPayloadsStore(storage.dialect, silentLogger));
    const differences = [...sums.differences, ...payloads, ...summaries.differences, ...failures];
    for (const difference of differences) process.stdout.write(`${difference}\n`);
    process.stdout.write(
      `${traces} traces, ${spans} spans, ${sessions} sessions, ${blocks} blocks of spans: ${differences.length === 0 ? "no differences" : `${differences.length} differences`}\n`,
    );
    return differences.length === 0 ? 0 : 1;
  } finally {
    await storage.close();
  }
}
