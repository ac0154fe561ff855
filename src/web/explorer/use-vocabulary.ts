// The words of a filter language for completion: asked once, when the list is open.
import { useMemo } from "react";
import type { Term, Vocabulary } from "../domain/filter/completion.ts";

interface ListedTerm extends Term {
  readonly category: string;
  readonly values: readonly string[];
}

const NOTHING: readonly ListedTerm[] = [];

export function useVocabulary(listed: readonly ListedTerm[] | undefined): Vocabulary {
  const terms = listed ?? NOTHING;
  return useMemo(() => {
    const values = new Map(terms.map((term) => [term.name, term.values]));
    return {
      terms: terms.filter(({ category }) => category !== "operator"),
      valuesOf: (field) => values.get(field) ?? [],
    };
  }, [terms]);
}
