// Bodies of annotations as the thread that reads them keeps them: the main thread takes them in parts.
import type { AnyBulkBody, Asked } from "../../../../kernel/bulk-body.ts";
import { type JsonObject, stringifyJson } from "../../../../kernel/json.ts";
import { countFitting } from "../../../../kernel/list.ts";
import { type AnnotatorKind, NOTE } from "../../../../model/annotation.ts";
import {
  type NewAnnotation,
  NewDocumentAnnotations,
  NewSessionAnnotations,
  NewSpanAnnotations,
  NewTraceAnnotations,
} from "../annotations.schema.ts";

interface AnnotationBody {
  readonly name: string;
  readonly annotator_kind: AnnotatorKind;
  readonly result?: {
    readonly label?: string | null;
    readonly score?: number | null;
    readonly explanation?: string | null;
  } | null;
  readonly metadata?: JsonObject | null;
  readonly identifier: string;
  readonly document_position?: number;
}

interface PendingAnnotations {
  facts(): { readonly count: number; readonly hasReservedName: boolean; readonly hasIdentifier: boolean };
  /** Those from a position on, as many as are good to handle at once; none beyond the last. */
  part(position: number): readonly NewAnnotation[];
}

/** How the bodies of one kind of target are kept. */
export interface AnnotationsBody extends AnyBulkBody {
  readonly keep: (body: never) => PendingAnnotations;
}

/** The annotations of a body as the main thread sees them. */
export type AnnotationBatch = Asked<PendingAnnotations>;

/** Written in one transaction: ingestion has its turn after each. */
const PART_ROWS = 250;
const PART_CHARACTERS = 1024 * 1024;

function bulkBody<Key extends string>(name: string, schema: AnyBulkBody["schema"], key: Key): AnnotationsBody {
  type Item = AnnotationBody & Readonly<Record<Key, string>>;
  const annotation = (item: Item): NewAnnotation => ({
    targetKey: item[key],
    position: item.document_position ?? -1,
    name: item.name,
    identifier: item.identifier,
    annotatorKind: item.annotator_kind,
    label: item.result?.label ?? null,
    score: item.result?.score ?? null,
    explanation: item.result?.explanation ?? null,
    metadata: item.metadata ? stringifyJson(item.metadata) : "{}",
  });
  const weightOf = ({ label, explanation, metadata, name: called, identifier }: NewAnnotation) =>
    called.length + identifier.length + (label?.length ?? 0) + (explanation?.length ?? 0) + metadata.length;

  return {
    name,
    schema,
    keep({ data }: { readonly data: readonly Item[] }) {
      return {
        facts: () => ({
          count: data.length,
          hasReservedName: data.some((item) => item.name === NOTE),
          hasIdentifier: data.some((item) => item.identifier.trim() !== ""),
        }),
        part(position) {
          const part = data.slice(position, position + PART_ROWS).map(annotation);
          return part.slice(0, countFitting(part, PART_CHARACTERS, weightOf));
        },
      };
    },
  };
}

export const spanAnnotationsBody = bulkBody("annotateSpans", NewSpanAnnotations, "span_id");
export const traceAnnotationsBody = bulkBody("annotateTraces", NewTraceAnnotations, "trace_id");
export const sessionAnnotationsBody = bulkBody("annotateSessions", NewSessionAnnotations, "session_id");
export const documentAnnotationsBody = bulkBody("annotateSpanDocuments", NewDocumentAnnotations, "span_id");
