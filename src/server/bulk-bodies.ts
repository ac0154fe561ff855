// Every body in bulk: what the thread that reads them knows.
import type { AnyBulkBody } from "../kernel/bulk-body.ts";
import { newSpansBody } from "../modules/spans/new-spans.rules.ts";

export const bulkBodies: readonly AnyBulkBody[] = [newSpansBody];
