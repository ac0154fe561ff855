// The vectors of analysis, each file with its rows.

/** The rows of `analysis-NAME.json`. */
export async function vectorRows<Row>(name: string): Promise<readonly Row[]> {
  const file = Bun.file(new URL(`../vectors/analysis-${name}.json`, import.meta.url));
  return ((await file.json()) as { readonly rows: readonly Row[] }).rows;
}
