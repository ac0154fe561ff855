// Which of many spans have to be asked for `graph.node.*`: reading attributes takes longer than all the rest, and most programs do not name
// the nodes of their graphs. A few of the newest spans of each kind and name show whether theirs does.
import type { NodeNames } from "../graph/trace-graph.schema.ts";

interface NamedStep {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
}

/** Spans of each kind and name that are read first, and kinds and names of which some are. */
const SAMPLE = { spans: 3, names: 2000 };

export class NamingSpans {
  /** By kind and name: whether its spans name nodes. */
  private readonly names = new Map<string, boolean>();

  /** The names that these spans give to nodes. Spans are to come newest first. */
  async among<Step extends NamedStep>(
    steps: readonly Step[],
    readNames: (ids: readonly number[]) => Promise<ReadonlyMap<number, NodeNames>>,
  ): Promise<ReadonlyMap<number, NodeNames>> {
    const byName = Map.groupBy(steps, ({ kind, name }) => `${kind}:${name}`);
    const unknown = [...byName]
      .filter(([name]) => !this.names.has(name))
      .slice(0, Math.max(0, SAMPLE.names - this.names.size));
    const sampled = await readNames(unknown.flatMap(([, some]) => some.slice(0, SAMPLE.spans).map(({ id }) => id)));
    for (const [name, some] of unknown) {
      this.names.set(
        name,
        some.slice(0, SAMPLE.spans).some(({ id }) => sampled.get(id)?.some((each) => each !== null) === true),
      );
    }
    const naming = [...byName].filter(([name]) => this.names.get(name) === true);
    return naming.length === 0 ? new Map() : readNames(naming.flatMap(([, all]) => all.map(({ id }) => id)));
  }
}
