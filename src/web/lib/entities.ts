// What the pages show and change, and how a query is known to show it: by the fields and types that its document names. A change
// says what it changes (`changes: ["secrets"]`); every query that shows it is asked again, on whichever page it stands.
import { pageEntities } from "../declared-pages.ts";
import type { introspection } from "./graphql-schema.d.ts";

/** Things that several fields and types show: those of pages, and those that belong to none. Anything else is known by its own field
 *  of Query. */
const namedAlso = {
  ...pageEntities,
  annotations: [
    ...["spanAnnotations", "traceAnnotations", "sessionAnnotations", "documentEvaluations"],
    ...["spanAnnotationMetricsTimeSeries", "traceAnnotationMetricsTimeSeries", "sessionAnnotationMetricsTimeSeries"],
    ...["spanAnnotationScoreHistograms", "traceAnnotationScoreHistograms", "sessionAnnotationScoreHistograms"],
    "annotationSummaries",
  ],
  savedViews: ["startView"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type FieldOfQuery = keyof introspection["types"]["Query"]["fields"] & string;

export type Entity = keyof typeof namedAlso | FieldOfQuery;

/** What is changed: entities, or `everything` where it is what the user may see at all. */
export type Changes = readonly Entity[] | "everything";

/** The words of a document, by which what it shows is known. */
export type Shown = ReadonlySet<string>;

export function shownIn(documentText: string): Shown {
  return new Set(documentText.match(/\w+/g));
}

/** A query that does not say what it shows may show anything. */
export function isTouched(shown: Shown | undefined, changes: Changes): boolean {
  if (changes === "everything") return true;
  return changes.some((entity) => shown === undefined || shows(shown, entity));
}

function shows(shown: Shown, entity: Entity): boolean {
  const also: readonly string[] = entity in namedAlso ? namedAlso[entity as keyof typeof namedAlso] : [];
  return [entity, ...also].some((word) => shown.has(word));
}
