// Every body in bulk: what the thread that reads them knows.
import type { AnyBulkBody, StreamedBody } from "../kernel/bulk-body.ts";
import {
  documentAnnotationsBody,
  sessionAnnotationsBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
} from "../modules/evaluation/annotations/writing/annotation-bodies.rules.ts";
import { datasetUploadBody } from "../modules/evaluation/datasets/uploads/upload-body.rules.ts";
import { experimentRunBody } from "../modules/evaluation/experiments/runs/experiment-run-body.rules.ts";
import { chatCompletionBody } from "../modules/evaluation/model-proxy/chat-completion-body.rules.ts";
import { playgroundRunBody } from "../modules/evaluation/playground/runs/playground-run-body.rules.ts";
import { newSpansBody } from "../modules/tracing/spans/bodies/new-spans.rules.ts";

export const bulkBodies: readonly AnyBulkBody[] = [
  newSpansBody,
  spanAnnotationsBody,
  traceAnnotationsBody,
  sessionAnnotationsBody,
  documentAnnotationsBody,
  experimentRunBody,
  playgroundRunBody,
  chatCompletionBody,
];

export const streamedBodies: readonly StreamedBody[] = [datasetUploadBody];
