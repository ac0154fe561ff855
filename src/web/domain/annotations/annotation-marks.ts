// The annotations of one thing as marks that fit into a row: one a name. No React here.
import { type Annotation, goodness, type Question, verdictText } from "./verdicts.ts";

export interface AnnotationMark {
  readonly name: string;
  /** The mean of what is known; null where nothing tells good from bad. */
  readonly goodness: number | null;
  /** What all say; else the mean score, or nothing. */
  readonly value: string;
  /** All values with their authors. */
  readonly hint: string;
}

/** By name. `programOf` names who is no person. */
export function annotationMarks(
  annotations: readonly Annotation[],
  questions: readonly Question[],
  programOf: (kind: Annotation["annotatorKind"]) => string,
): readonly AnnotationMark[] {
  const byName = [...Map.groupBy(annotations, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, named]) => {
    const question = questions.find((each) => each.name === name);
    const texts = new Set(named.map(verdictText));
    const mean = meanOf(named.flatMap(({ score }) => score ?? []));
    const each = named.map((one) => {
      const who = one.user?.username ?? programOf(one.annotatorKind);
      return `${verdictText(one) || one.explanation || ""} (${who})`.trim();
    });
    return {
      name,
      goodness: meanOf(named.flatMap((one) => goodness(question, one) ?? [])),
      value:
        texts.size === 1
          ? [...texts][0]!
          : mean === null
            ? ""
            : verdictText({ ...named[0]!, label: null, score: mean }),
      hint: `${name}: ${each.join(", ")}`,
    };
  });
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
