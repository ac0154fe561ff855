// Every body in bulk: what the thread that reads them knows.
import type { AnyBulkBody, StreamedBody } from "../kernel/bulk-body.ts";
import {
  documentAnnotationsBody,
  sessionAnnotationsBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
} from "../modules/annotations/annotation-bodies.rules.ts";
import { datasetUploadBody } from "../modules/datasets/upload-body.rules.ts";
import { experimentRunBody } from "../modules/experiments/experiment-run-body.rules.ts";
import { newSpansBody } from "../modules/spans/new-spans.rules.ts";

export const bulkBodies: readonly AnyBulkBody[] = [
  newSpansBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
  sessionAnnotationsBody,
  documentAnnotationsBody,
  experimentRunBody,
];

export const streamedBodies: readonly StreamedBody[] = [datasetUploadBody];
