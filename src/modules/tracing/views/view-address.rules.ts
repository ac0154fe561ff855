// What a saved view may hold: a list of its project and the parameters of its address, never an address as such. Parameters have
// one order, so that two addresses that ask for the same are the same text.

/** What the address of a list says about the list, in the order in which it is kept. The rest is about what is open over it. */
const parameterNames = ["filter", "search", "sort", "range", "from", "to"] as const;

/** Bytes in UTF-8. */
export const MAX_VIEW_NAME_BYTES = 200;
export const MAX_VIEW_QUERY_BYTES = 8000;

/** The parameters of an address that a view keeps, without the question mark. */
export function viewQuery(address: URLSearchParams): string {
  const kept = parameterNames
    .map((name) => [name, address.get(name) ?? ""] as const)
    .filter(([, value]) => value !== "");
  return new URLSearchParams(kept.map(([name, value]) => [name, value])).toString();
}

/** What is wrong with a name, or null. */
export function viewNameProblem(name: string): string | null {
  if (name.trim() === "") return "must not be empty";
  return byteLength(name.trim()) > MAX_VIEW_NAME_BYTES ? `must not be longer than ${MAX_VIEW_NAME_BYTES} bytes` : null;
}

/** What is wrong with the parameters of a view, or null. */
export function viewQueryProblem(query: string): string | null {
  if (byteLength(query) > MAX_VIEW_QUERY_BYTES) return `must not be longer than ${MAX_VIEW_QUERY_BYTES} bytes`;
  const known: readonly string[] = parameterNames;
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name));
  return unknown === undefined ? null : `${JSON.stringify(unknown)} is not one of ${known.join(", ")}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
