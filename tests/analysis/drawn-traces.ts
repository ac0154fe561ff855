// Generated traces: small times, so that ends and starts often coincide, and children that run beyond their parents.
import fc from "fast-check";

export interface DrawnSpan {
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly kind: string;
  readonly name: string;
  readonly startUs: number;
  readonly endUs: number;
  readonly cost: number | null;
  readonly tokens: number | null;
  readonly failed: boolean;
}

/** Traces of up to `most` spans in the order of the draw, whose parents come before them. */
export function traces({ roots = 1, most = 14 }: { readonly roots?: number; readonly most?: number } = {}) {
  const span = fc.record({
    parent: fc.nat(1000),
    kind: fc.constantFrom("AGENT", "LLM", "TOOL", "CHAIN"),
    name: fc.constantFrom("a", "b", "c"),
    startUs: fc.nat(30),
    lengthUs: fc.nat(20),
    cost: fc.option(fc.nat(100)),
    tokens: fc.option(fc.nat(100)),
    failed: fc.boolean(),
  });
  return fc.array(span, { minLength: 1, maxLength: most }).map((drawn): readonly DrawnSpan[] =>
    drawn.map(({ parent, lengthUs, ...each }, at) => {
      // The first is a root; of later ones a few are, where there may be several.
      const isRoot = at === 0 || (roots > 1 && parent % 7 === 0 && at < roots);
      return {
        ...each,
        spanKey: `s${at}`,
        parentKey: isRoot ? null : `s${parent % at}`,
        endUs: each.startUs + lengthUs,
      };
    }),
  );
}
