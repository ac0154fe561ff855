// The share of a label among those that were given: annotations and experiments speak of it.
import type { GraphqlTypes } from "./types.ts";

interface LabelFraction {
  readonly label: string;
  /** From 0 to 1. */
  readonly fraction: number;
}

export function labelFractionType(types: GraphqlTypes) {
  return types.once("LabelFraction", () =>
    types.builder.objectRef<LabelFraction>("LabelFraction").implement({
      fields: (t) => ({ label: t.exposeString("label"), fraction: t.exposeFloat("fraction") }),
    }),
  );
}
