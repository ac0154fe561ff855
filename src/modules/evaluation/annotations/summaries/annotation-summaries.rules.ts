// What the annotations of one span, trace or session say together: plain means and shares.
import type { AnnotationRecord, AnnotationSummary } from "../annotations.schema.ts";

/** By name, of those with a label or a score. */
export function summariesOf(annotations: readonly AnnotationRecord[]): AnnotationSummary[] {
  const valued = annotations.filter(({ label, score }) => label !== null || score !== null);
  const names = [...Map.groupBy(valued, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return names.map(([name, ofName]) => {
    const scored = ofName.flatMap(({ score, annotatorKind }) => (score === null ? [] : [{ score, annotatorKind }]));
    const labels = ofName.flatMap(({ label }) => (label === null ? [] : [label]));
    const shares = [...Map.groupBy(labels, (label) => label)].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      name,
      count: ofName.length,
      scoreCount: scored.length,
      labelCount: labels.length,
      meanScore: meanOf(scored),
      humanMeanScore: meanOf(scored.filter(({ annotatorKind }) => annotatorKind === "HUMAN")),
      programMeanScore: meanOf(scored.filter(({ annotatorKind }) => annotatorKind !== "HUMAN")),
      labels: shares.map(([label, same]) => ({ label, fraction: same.length / labels.length })),
    };
  });
}

function meanOf(scored: readonly { readonly score: number }[]): number | null {
  return scored.length === 0 ? null : scored.reduce((sum, { score }) => sum + score, 0) / scored.length;
}
