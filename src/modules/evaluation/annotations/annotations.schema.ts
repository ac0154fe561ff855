// Annotations as services hand them around, the bodies that write them, and what the API answers.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { HistogramBin } from "../../../kernel/histogram.ts";
import { globalId } from "../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../kernel/json.ts";
import { MAX_PAGE_ROWS } from "../../../kernel/list.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { AnyObject, BoundedText, Instant, InstantText, Nullable, TrimmedText, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import type { AnnotationSource, AnnotatorKind } from "../../../model/annotation.ts";
import { MAX_KEY_BYTES } from "../../../model/span.ts";

/** What an annotation says. */
interface AnnotationContent {
  /** Of the document, from 0 on; -1 for other targets. */
  readonly position: number;
  readonly name: string;
  readonly identifier: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** JSON text of an object. */
  readonly metadata: string;
}

/** A row of annotations of any target. Instants are microseconds UTC. */
export interface AnnotationRecord extends AnnotationContent {
  readonly id: number;
  /** Row id of the span, trace or session. */
  readonly ownerId: number;
  readonly source: AnnotationSource;
  readonly userId: number | null;
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** The content of an annotation, before its target is resolved to a row. */
export interface NewAnnotation extends AnnotationContent {
  /** External id of the span, trace or session. */
  readonly targetKey: string;
}

interface LabelCount {
  /** Of long labels the first 200 characters. */
  readonly label: string;
  /** Rows that have it. */
  readonly count: number;
  /** Of all that is labelled: what was labelled often does not weigh more. */
  readonly fraction: number;
}

interface ScoreBand {
  /** From here on; null in the first band. */
  readonly min: number | null;
  /** Below this; null in the last band. */
  readonly max: number | null;
  readonly count: number;
}

/** The annotations of one name on the rows of a list. Counts are of rows. */
export interface AnnotationFigures {
  readonly name: string;
  readonly count: number;
  readonly labelledCount: number;
  readonly scoredCount: number;
  /** Mean over the rows of the mean of each. */
  readonly meanScore: number | null;
  /** Most frequent first. */
  readonly labels: readonly LabelCount[];
  /** In order, those that hold scores; none where all scores are alike. */
  readonly scores: readonly ScoreBand[];
  /** People and programs disagree. */
  readonly disputedCount: number;
}

/** Scores of one name. */
export interface ScoreHistogram {
  readonly name: string;
  /** With how many of the scores people gave. */
  readonly bins: readonly (HistogramBin & { readonly humanCount: number })[];
}

/** What annotations of one name say together. */
export interface AnnotationSummary {
  readonly name: string;
  /** Of those with a label or a score. */
  readonly count: number;
  readonly scoreCount: number;
  readonly labelCount: number;
  readonly meanScore: number | null;
  /** Of the scores that people gave, and of those of programs. */
  readonly humanMeanScore: number | null;
  readonly programMeanScore: number | null;
  /** By label; of a project they add up to less than 1 where something has a score alone. */
  readonly labels: readonly { readonly label: string; readonly fraction: number }[];
}

const kinds = ["LLM", "CODE", "HUMAN"] as const;

/** Name and identifier are keys of an index. */
const key = (description: string) => BoundedText(MAX_KEY_BYTES, { description });

const members = {
  name: key("What is judged, e.g. `correctness`. `note` is reserved for notes."),
  annotator_kind: Words(kinds),
  result: Type.Optional(
    Nullable(
      Type.Object({
        label: Type.Optional(Nullable(Type.String())),
        score: Type.Optional(Nullable(Type.Number())),
        explanation: Type.Optional(Nullable(Type.String())),
      }),
    ),
  ),
  metadata: Type.Optional(Nullable(AnyObject())),
  identifier: BoundedText(MAX_KEY_BYTES, {
    default: "",
    description: "Tells several annotations of one name apart; the same one again replaces the annotation.",
  }),
};

const several = <Item extends TSchema>(item: Item) => Type.Object({ data: Type.Array(item) });

export const NewSpanAnnotations = several(Type.Object({ span_id: Type.String(), ...members }));
export const NewTraceAnnotations = several(Type.Object({ trace_id: Type.String(), ...members }));
export const NewSessionAnnotations = several(Type.Object({ session_id: Type.String(), ...members }));
export const NewDocumentAnnotations = several(
  Type.Object({
    span_id: Type.String(),
    document_position: Type.Integer({ description: "Of the document among those that the span retrieved, from 0 on." }),
    ...members,
  }),
);

export const WriteQuery = Type.Object({
  sync: Type.Boolean({
    default: false,
    description:
      "True answers with the ids, and 404 for unknown targets. False answers at once what is stored all the same: an annotation whose target has not arrived is applied when it does, within 24 hours.",
  }),
});

export const WrittenAnnotations = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) });

/** Ids and identifiers of one question at most. */
export const MOST_WANTED = 1000;
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const listed = {
  identifier: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: "Identifiers of annotations." })),
  include_annotation_names: texts("Only annotations of these names."),
  exclude_annotation_names: texts("No annotations of these names; `note` leaves notes out."),
  cursor: cursorParameter,
  limit: limitParameter({ default: 10, maximum: MAX_PAGE_ROWS }),
};

export const SpanAnnotationQuery = Type.Object({
  span_ids: texts("Ids of spans, as sent by the exporter."),
  ...listed,
});
export const TraceAnnotationQuery = Type.Object({
  trace_ids: texts("Ids of traces, as sent by the exporter."),
  ...listed,
});
export const SessionAnnotationQuery = Type.Object({ session_ids: texts("The senders' ids of sessions."), ...listed });

export const DeletionQuery = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1 })),
  identifier: Type.Optional(Type.String({ minLength: 1 })),
  annotator_kind: Type.Optional(Words(kinds)),
  start_time: Type.Optional(Instant({ description: "Made at or after this time." })),
  end_time: Type.Optional(Instant({ description: "Made before this time." })),
  delete_all: Type.Boolean({ default: false, description: "True where no period is to be named." }),
});
export type DeletionQuery = Static<typeof DeletionQuery>;

const trimmed = TrimmedText({ description: "Trimmed." });
const note = {
  note: trimmed,
  identifier: BoundedText(MAX_KEY_BYTES, {
    default: "",
    description: "The same one again replaces the note; without one every call adds a note.",
  }),
};
export const NewSpanNote = Type.Object({ data: Type.Object({ span_id: trimmed, ...note }) });
export const NewTraceNote = Type.Object({ data: Type.Object({ trace_id: trimmed, ...note }) });
export const NewSessionNote = Type.Object({ data: Type.Object({ session_id: trimmed, ...note }) });
export const WrittenNote = Type.Object({ data: Type.Object({ id: Type.String() }) });

const answered = {
  id: Type.String(),
  name: Type.String(),
  annotator_kind: Words(kinds),
  result: Type.Object({
    label: Nullable(Type.String()),
    score: Nullable(Type.Number()),
    explanation: Nullable(Type.String()),
  }),
  metadata: AnyObject(),
  identifier: Type.String(),
  source: Words(["API", "APP"], { description: "`APP` is what was annotated on the pages." }),
  user_id: Nullable(Type.String()),
  created_at: InstantText(),
  updated_at: InstantText(),
};
export const SpanAnnotationPage = pageOf(
  Type.Object({ span_id: Type.String(), ...answered }, { $id: "SpanAnnotation" }),
);
export const TraceAnnotationPage = pageOf(
  Type.Object({ trace_id: Type.String(), ...answered }, { $id: "TraceAnnotation" }),
);
export const SessionAnnotationPage = pageOf(
  Type.Object({ session_id: Type.String(), ...answered }, { $id: "SessionAnnotation" }),
);

/** The members that annotations of every target share. */
export function annotationBody(type: string, annotation: AnnotationRecord) {
  return {
    id: globalId(type, annotation.id),
    name: annotation.name,
    annotator_kind: annotation.annotatorKind,
    result: { label: annotation.label, score: annotation.score, explanation: annotation.explanation },
    metadata: parseJson(annotation.metadata) as JsonObject,
    identifier: annotation.identifier,
    source: annotation.source,
    user_id: annotation.userId === null ? null : globalId("User", annotation.userId),
    created_at: formatInstant(annotation.createdUs),
    updated_at: formatInstant(annotation.updatedUs),
  };
}
