// `spanlight verify`: examines every span that may have failed again, counts every group again, and names each difference.
import { silentLogger } from "../../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { createExaminedSpansStore } from "../settlement/examined-spans.store.ts";
import { createFailedSpans, type SpanPayloads } from "../settlement/failed-spans.service.ts";
import { createGroupCountsStore } from "../settlement/group-counts.store.ts";
import { createPendingFailuresStore } from "../settlement/pending-failures.store.ts";
import { createSettlementService } from "../settlement/settlement.service.ts";
import { createSettlementStore } from "../settlement/settlement.store.ts";
import { createFailuresVerifyStore } from "./failures-verify.store.ts";

const counted = ["spanCount", "traceCount", "sessionCount", "userCount"] as const;
const bounds = ["firstUs", "lastUs"] as const;

/** Settles what is pending, then compares: one line a difference, each naming its span or group. Nothing else may write meanwhile. */
export async function verifyFailures(
  storage: Storage,
  context: CallContext,
  payloads: SpanPayloads,
): Promise<readonly string[]> {
  const store = createSettlementStore(storage.dialect);
  const counts = createGroupCountsStore(storage.dialect);
  const stored = createFailuresVerifyStore(storage.dialect);
  const failed = createFailedSpans(createExaminedSpansStore(storage.dialect), payloads);
  const pending = createPendingFailuresStore(storage.dialect);
  const settlement = createSettlementService({
    ...{ storage, pending, store, counts, failed },
    ...{ isReadOnly: false, log: silentLogger },
  });
  while (await settlement.examineOlder(context));
  await settlement.settle(context);

  const differences: string[] = [];
  for (let page = await stored.listSpans(context, 0); page.length > 0; ) {
    const ids = page.map(({ id }) => id);
    const found = new Map((await failed(context, ids)).map((span) => [span.id, span]));
    for (const { id, spanKey, ...row } of page) {
      const span = found.get(id);
      const is = row.fingerprint === null ? null : printed({ ...row, fingerprint: row.fingerprint });
      const should = span === undefined ? null : printed({ ...span, fingerprint: span.failure.fingerprint });
      if (is !== should) differences.push(`span ${spanKey}: its failure is ${is}, recomputed ${should}`);
    }
    page = await stored.listSpans(context, page.at(-1)!.id);
  }
  for (const spanKey of await stored.listWrongPassing(context))
    differences.push(`span ${spanKey}: whether it only passes a failure on is wrong`);
  const right = new Map((await counts.count(context, null)).map((each) => [each.groupId, each]));
  for (const group of await stored.listCounts(context)) {
    const should = right.get(group.groupId);
    // The bounds of a group without spans say nothing.
    for (const name of should === undefined ? counted : [...counted, ...bounds]) {
      const recomputed = Number(should?.[name] ?? 0);
      if (group[name] !== recomputed)
        differences.push(`failure group ${group.key}: ${name} is ${group[name]}, recomputed ${recomputed}`);
    }
  }
  return differences;
}

function printed(row: {
  readonly fingerprint: string;
  readonly projectId: number | null;
  readonly version: string | null;
  readonly environment: string | null;
}): string {
  return [row.fingerprint, `project ${row.projectId}`, row.version, row.environment].join(", ");
}
