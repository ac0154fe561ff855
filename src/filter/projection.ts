// The keys of a tabular query: the names and paths of the span language without anything around them.
import { checkedPath, pathOf, subscripts } from "./attribute-path.ts";
import { parseCondition } from "./parser.ts";
import { refuse } from "./refusal.ts";
import { dottedNames } from "./syntax.ts";

interface ParsedProjection {
  /** As written with dots, to look it up among the built-in names; null for subscripts. */
  readonly name: string | null;
  /** The path into the attributes, when it is not a built-in name. */
  readonly path: readonly (string | number)[];
}

/** A name, a dotted path, `attributes[…]` or `metadata[…]`. Throws `filter.invalid`. */
export function parseProjection(text: string): ParsedProjection {
  const parsed = parseCondition(text);
  if (parsed === null) throw refuse("invalid projection: the key is empty");
  const names = dottedNames(parsed.root);
  if (names !== null && names[0] !== "parent_span") return { name: names.join("."), path: checkedPath(names) };
  const chain = subscripts(parsed.root);
  if (chain === null || (chain.name !== "attributes" && chain.name !== "metadata"))
    throw refuse(`invalid projection: ${text}`);
  return { name: null, path: pathOf(parsed.root, chain.name, chain.keys, parsed.source) };
}
