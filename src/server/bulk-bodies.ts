// Every body in bulk: what the thread that reads them knows.
import type { AnyBulkBody } from "../kernel/bulk-body.ts";
import {
  documentAnnotationsBody,
  sessionAnnotationsBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
} from "../modules/annotations/annotation-bodies.rules.ts";
import { newSpansBody } from "../modules/spans/new-spans.rules.ts";

export const bulkBodies: readonly AnyBulkBody[] = [
  newSpansBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
  sessionAnnotationsBody,
  documentAnnotationsBody,
];
