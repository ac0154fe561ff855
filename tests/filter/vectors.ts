// The vectors of the three languages, with what this release leaves to a later one.
import additions from "../vectors/additions.json" with { type: "json" };
import rootScope from "../vectors/root-scope.json" with { type: "json" };
import sessions from "../vectors/session-filters.json" with { type: "json" };
import spans from "../vectors/span-filters.json" with { type: "json" };
import traces from "../vectors/trace-filters.json" with { type: "json" };

export interface FilterVector {
  readonly condition: string;
  readonly expect: {
    readonly names?: readonly string[];
    readonly all?: boolean;
    readonly error?: string;
    readonly character?: number;
    /** Last two digits of span ids, in the data set of the additions. */
    readonly spans?: readonly string[];
  };
  /** Any sensible result passes. */
  readonly free?: unknown;
}

export const spanVectors = spans.vectors as readonly FilterVector[];
export const traceVectors = traces.vectors as readonly FilterVector[];
export const sessionVectors = sessions.vectors as readonly FilterVector[];
export const rootScopeVectors: readonly { condition: string; expect: boolean }[] = rootScope.vectors;
export const additionVectors = additions.groups.find(({ group }) => group === "span-filters")!
  .vectors as unknown as readonly FilterVector[];

/** Rows that differ from a vector on purpose, with the rule that wins over it. */
export const corrections: Readonly<Record<string, readonly string[]>> = {
  // Latency is exact (decisions, Times; protocol-additions 11): 1500.25 ms is no 1500.3, as the vector of `latency_ms == 1500.3`
  // has it, too. This one was measured where latency was rounded to 0.1 ms.
  "latency_ms in [1500.3, 80]": ["evalu"],
  // Text search folds case fully (decisions, Filter semantics): `ẞ` finds `ss`; the reference folds to lower case only.
  "'STRAẞE' in input.value": ["Chain ROOT"],
  // filters 3.1 gives these names the type number, and section 4 joins two texts or two attributes only: their sum is a sum, as
  // their difference is one in filters 13.1. The reference joins their digits, 70 and 50 to 7050.
  "llm.token_count.prompt + llm.token_count.completion == 120": ["llm-call"],
};
