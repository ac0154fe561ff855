// The tables of annotations, as Kysely sees them.
import type { Generated } from "kysely";
import type { AnnotationSource, AnnotationTarget, AnnotatorKind } from "../../../model/annotation.ts";
import type { Real } from "../../../storage/column-types.ts";

interface AnnotationsTable {
  id: Generated<number>;
  name: string;
  identifier: string;
  annotator_kind: AnnotatorKind;
  label: string | null;
  /** The beginning of the label (`labelHead`), for its index. */
  label_head: string | null;
  score: Real | null;
  explanation: string | null;
  /** JSON of an object. */
  metadata: string;
  source: AnnotationSource;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

interface SpanAnnotationsTable extends AnnotationsTable {
  span_id: number;
}

interface TraceAnnotationsTable extends AnnotationsTable {
  trace_id: number;
}

interface SessionAnnotationsTable extends AnnotationsTable {
  session_id: number;
}

interface DocumentAnnotationsTable extends AnnotationsTable {
  span_id: number;
  /** Of the document in the list that the span retrieved, from 0 on. */
  position: number;
}

interface PendingAnnotationsTable {
  id: Generated<number>;
  target: AnnotationTarget;
  /** External id of the span, trace or session. */
  target_key: string;
  /** JSON of the annotation. */
  body: string;
  received_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    span_annotations: SpanAnnotationsTable;
    trace_annotations: TraceAnnotationsTable;
    session_annotations: SessionAnnotationsTable;
    document_annotations: DocumentAnnotationsTable;
    pending_annotations: PendingAnnotationsTable;
  }
}
