// The calls that each agent of a trace makes itself, in order of their start.
import type { Forest, TreeSpan } from "../forest.ts";

export interface CallingAgent {
  /** The span of kind AGENT, or the root of a tree. */
  readonly at: number;
  /** Calls of tools, and of models. One inside another of the same kind is the same call, recorded twice. */
  readonly tools: readonly number[];
  readonly models: readonly number[];
}

interface Calls {
  readonly at: number;
  readonly tools: number[];
  readonly models: number[];
}

export function agentsOf(
  spans: readonly (TreeSpan & { readonly kind: string })[],
  forest: Forest,
): readonly CallingAgent[] {
  const { preorder, parents } = forest;
  const agents = new Map<number, Calls>();
  const owners = new Int32Array(spans.length);
  /** Whether a call of that kind is around the span, inside its agent. */
  const inTool = new Uint8Array(spans.length);
  const inModel = new Uint8Array(spans.length);
  for (const at of preorder) {
    const parent = parents[at]!;
    const { kind } = spans[at]!;
    const isAgent = parent < 0 || kind === "AGENT";
    owners[at] = isAgent ? at : owners[parent]!;
    if (isAgent) agents.set(at, { at, tools: [], models: [] });
    if (parent >= 0) {
      const owner = agents.get(owners[parent]!)!;
      if (kind === "TOOL" && inTool[parent] === 0) owner.tools.push(at);
      if (kind === "LLM" && inModel[parent] === 0) owner.models.push(at);
    }
    inTool[at] = kind === "TOOL" || (!isAgent && inTool[parent] === 1) ? 1 : 0;
    inModel[at] = kind === "LLM" || (!isAgent && inModel[parent] === 1) ? 1 : 0;
  }
  const byStart = (one: number, other: number) => spans[one]!.startUs - spans[other]!.startUs || one - other;
  for (const { tools, models } of agents.values()) {
    tools.sort(byStart);
    models.sort(byStart);
  }
  return [...agents.values()];
}
