// Paths into the attributes of a span, from subscripts and dotted names.
import { MAX_PATH_STEPS } from "./limits.ts";
import { refuse } from "./refusal.ts";
import { printed, type Syntax } from "./syntax.ts";
import type { AttributePath } from "./tree.ts";

/** The chain of subscripts down to a name: `attributes['a'][0]`. Null for anything else. */
export function subscripts(node: Syntax): { readonly name: string; readonly keys: readonly Syntax[] } | null {
  const keys: Syntax[] = [];
  let rest: Syntax = node;
  for (; rest.kind === "subscript"; rest = rest.object) keys.unshift(rest.key);
  return rest.kind === "name" && keys.length > 0 ? { name: rest.name, keys } : null;
}

/** The steps of `output[…]` and other documents: text and integer constants and lists of them. */
export function documentPath(node: Syntax, keys: readonly Syntax[], source: string): AttributePath {
  const steps = stepsOf(keys);
  if (steps === null) throw refuse(`invalid expression: ${printed(node, source)}`);
  return checkedPath(steps);
}

function stepsOf(keys: readonly Syntax[]): AttributePath | null {
  const steps = keys.flatMap((key) => (key.kind === "list" && key.items.length > 0 ? key.items : [key])).map(stepOf);
  return steps.some((step) => step === null) ? null : (steps as (string | number)[]);
}

/** The steps of `attributes[…]` or `metadata[…]`: text and integer constants and lists of them, the first a text. */
export function pathOf(node: Syntax, name: string, keys: readonly Syntax[], source: string): AttributePath {
  const steps = stepsOf(keys);
  if (steps === null || typeof steps[0] !== "string") throw refuse(`invalid expression: ${printed(node, source)}`);
  return checkedPath([...(name === "metadata" ? ["metadata"] : []), ...steps]);
}

function stepOf(key: Syntax): string | number | null {
  if (key.kind === "text") return key.value;
  if (key.kind !== "number" || !/^(?:\d+|0[xXoObB].+)$/.test(key.text)) return null;
  return Number(BigInt(key.text));
}

export function checkedPath(path: AttributePath): AttributePath {
  if (path.length <= MAX_PATH_STEPS) return path;
  throw refuse(`attribute path has too many steps: ${path.length}, at most ${MAX_PATH_STEPS}`);
}

/** Where a wire key may be stored: `a.b` as b inside a, or as one key; the first that has a value counts. A path with a
 *  position is taken literally. */
export function wirePaths(path: AttributePath): readonly AttributePath[] {
  if (path.some((step) => typeof step === "number")) return [path];
  const parts = path.join(".").split(".");
  checkedPath(parts);
  const paths = [parts];
  for (let kept = parts.length - 2; kept >= 0; kept -= 1)
    paths.push([...parts.slice(0, kept), parts.slice(kept).join(".")]);
  return paths;
}
