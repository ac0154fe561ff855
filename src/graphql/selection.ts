// How much a selection asks for: levels below it, and fields with those of its fragments.
import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";

interface Extent {
  readonly depth: number;
  readonly fields: number;
}

const EMPTY: Extent = { depth: 0, fields: 0 };

/** Measures selections; every fragment once, so that fragments of fragments cannot multiply the work. One that contains itself
 *  counts as empty there: validation refuses it. */
export function measureSelections(
  findFragment: (name: string) => FragmentDefinitionNode | undefined,
): (selection: SelectionSetNode) => Extent {
  const known = new Map<string, Extent>();

  function ofFragment(name: string): Extent {
    const found = known.get(name);
    if (found !== undefined) return found;
    known.set(name, EMPTY);
    const definition = findFragment(name);
    const extent = definition === undefined ? EMPTY : ofSelection(definition.selectionSet);
    known.set(name, extent);
    return extent;
  }

  function ofSelection({ selections }: SelectionSetNode): Extent {
    let [depth, fields] = [0, 0];
    for (const selection of selections) {
      let inner = EMPTY;
      if (selection.kind === Kind.FRAGMENT_SPREAD) inner = ofFragment(selection.name.value);
      else if (selection.selectionSet !== undefined) inner = ofSelection(selection.selectionSet);
      const isField = selection.kind === Kind.FIELD;
      depth = Math.max(depth, inner.depth + (isField && selection.selectionSet !== undefined ? 1 : 0));
      fields += inner.fields + (isField ? 1 : 0);
    }
    return { depth, fields };
  }

  return ofSelection;
}

const measured = new WeakMap<object, number>();

/** Fields that are selected below the field which is being resolved. */
export function fieldsBelow({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const [first] = fieldNodes;
  if (first === undefined) return 0;
  const found = measured.get(first);
  if (found !== undefined) return found;
  const measure = measureSelections((name) => fragments[name]);
  const fields = fieldNodes.reduce(
    (sum, { selectionSet }) => sum + (selectionSet ? measure(selectionSet).fields : 0),
    0,
  );
  measured.set(first, fields);
  return fields;
}
