// The words of a filter language for completion: asked once, when the list is open.
import { useMemo } from "react";
import type { Term, Vocabulary } from "../domain/filter/completion.ts";

export interface ListedTerm extends Term {
  readonly category: string;
  readonly values: readonly string[];
}

interface ListVocabulary extends Vocabulary {
  /** Names of attributes that were seen; also that of all metadata together, where there are any. */
  readonly attributes: readonly string[];
}

const NOTHING: readonly ListedTerm[] = [];

export function useVocabulary(listed: readonly ListedTerm[] | undefined): ListVocabulary {
  const terms = listed ?? NOTHING;
  return useMemo(() => {
    const values = new Map(terms.map((term) => [term.name, term.values]));
    const attributes = terms.filter(({ category }) => category === "attribute").map(({ name }) => name);
    return {
      attributes: attributes.some((name) => name.startsWith("metadata[")) ? ["metadata", ...attributes] : attributes,
      terms: terms.filter(({ category }) => category !== "operator"),
      valuesOf: (field) => values.get(field) ?? [],
    };
  }, [terms]);
}
