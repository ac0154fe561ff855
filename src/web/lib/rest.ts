// Addresses of the REST API in links of the pages.

type Query = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** The text behind the path, with its question mark; empty without parameters. */
export function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as readonly string[]) : [String(value)])
      parameters.append(name, each);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
