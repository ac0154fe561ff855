// Conditions on the annotations of rows: a label, a band of scores, whether there is an annotation, whether people and programs
// disagree.
import { literalOf } from "../../domain/filter/chips.ts";
import { type Facet, fieldFacet, partFacet } from "../facets.ts";

/** How the language of each list reads annotations of a row; `roots` are those of the root spans of traces. */
const accessors = {
  spans: "annotations",
  traces: "trace_annotations",
  roots: "root_annotations",
  sessions: "session_annotations",
} as const;

export type VerdictList = keyof typeof accessors;

/** `annotations['quality']`. */
export function verdictOf(list: VerdictList, name: string): string {
  return `${accessors[list]}[${literalOf(name)}]`;
}

export function labelFacet(list: VerdictList, name: string): Facet {
  return fieldFacet(`${verdictOf(list, name)}.label`);
}

/** The value of a band for `scoreFacet`; null ends nowhere. */
export function bandOf({ min, max }: { readonly min: number | null; readonly max: number | null }): string {
  return `${min ?? ""}:${max ?? ""}`;
}

export function scoreFacet(list: VerdictList, name: string): Facet {
  const score = `${verdictOf(list, name)}.score`;
  return partFacet((band) => {
    const [min, max] = band.split(":");
    const above = min ? [`${score} >= ${min}`] : [];
    const below = max ? [`${score} < ${max}`] : [];
    const outside = [...(min ? [`${score} < ${min}`] : []), ...(max ? [`${score} >= ${max}`] : [])];
    return {
      included: [...above, ...below],
      excluded: [outside.length === 2 ? `(${outside.join(" or ")})` : outside[0]!],
    };
  });
}

/** `some`: there is an annotation; `disputed`: people and programs disagree. */
export function presenceFacet(list: VerdictList, name: string): Facet {
  const verdict = verdictOf(list, name);
  return partFacet((value) => {
    const condition = value === "disputed" ? `${verdict}.disputed` : verdict;
    return value === "none"
      ? { included: [`not ${condition}`], excluded: [condition] }
      : { included: [condition], excluded: [`not ${condition}`] };
  });
}
