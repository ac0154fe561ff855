// Lists that are sorted by an annotation instead of a column.
import type { Order, PageStart } from "../kernel/list.ts";
import { type AnnotationSort, annotationOrderWord } from "../storage/annotation-order.ts";
import { argumentRefused, readStart } from "./connection.ts";

type Nullish<Value> = Value | null | undefined;

/** The annotation of a sort, null where it names a column or there is no sort. Throws kind `invalid` for both, and for neither. */
export function annotationOf(
  sort: Nullish<{ readonly col?: Nullish<string> }>,
  annotation: Nullish<AnnotationSort>,
): AnnotationSort | null {
  if (!sort) return null;
  if (Boolean(sort.col) === Boolean(annotation)) throw argumentRefused("sort", "name either a column or an annotation");
  return annotation ?? null;
}

/** The word of the order and where the page begins. Throws kind `invalid` for the cursor. */
export function annotationStart(
  list: string,
  sort: AnnotationSort,
  order: Order,
  after: Nullish<string>,
): { readonly word: string; readonly start: PageStart | null } {
  const word = annotationOrderWord(list, sort, order);
  return { word, start: readStart(word, after, sort.attr === "score" ? "double" : "text") };
}
