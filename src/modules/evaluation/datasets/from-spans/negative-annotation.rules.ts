// Whether a person judged something as bad: what was judged so is not taken as an expected output.
import { type AnnotatorKind, NOTE } from "../../../../model/annotation.ts";
import type { AnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";

export interface JudgedAnnotation {
  readonly name: string;
  readonly annotatorKind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
}

/** Labels that mean the same in every project, in lower case. A configuration that knows the label decides otherwise. */
const negativeLabels: ReadonlySet<string> = new Set([
  ...["incorrect", "wrong", "bad", "poor", "negative", "no", "false", "fail", "failed", "rejected"],
  ...["unhelpful", "irrelevant", "hallucinated", "unsafe", "toxic", "thumbs down", "thumbs_down", "thumbs-down"],
]);

/** By the scores of its configuration, the worse half; without one by the label, or a score of 0 or less. */
export function isNegative(annotation: JudgedAnnotation, config: AnnotationConfig | undefined): boolean {
  const { annotatorKind, name, label } = annotation;
  if (annotatorKind !== "HUMAN" || name === NOTE) return false;
  const direction = config?.optimizationDirection ?? "NONE";
  const choice = config?.type === "CATEGORICAL" ? config.values.find((each) => each.label === label) : undefined;
  const score = annotation.score ?? choice?.score ?? null;
  const bounds = config === undefined ? null : boundsOf(config);
  if (score !== null && bounds !== null && direction !== "NONE") {
    const middle = (bounds.lowest + bounds.highest) / 2;
    return direction === "MAXIMIZE" ? score < middle : score > middle;
  }
  if (choice === undefined && label !== null && negativeLabels.has(label.trim().toLowerCase())) return true;
  const isHigherBetter = config === undefined || direction === "MAXIMIZE";
  return isHigherBetter && score !== null && score <= 0;
}

function boundsOf(config: AnnotationConfig): { readonly lowest: number; readonly highest: number } | null {
  if (config.type === "CATEGORICAL") {
    const scores = config.values.flatMap(({ score }) => score ?? []);
    const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
    return lowest < highest ? { lowest, highest } : null;
  }
  const { lowerBound: lowest, upperBound: highest } = config;
  return lowest === null || highest === null ? null : { lowest, highest };
}
