// How the columns of a file map to parts of an example: guessed from their names, changed by hand, and sent to the server.
import type { Json } from "../../../../kernel/json.ts";
import type { FirstRows } from "./first-rows.ts";

export const parts = ["input", "output", "metadata", "split", "id", "none"] as const;
export type Part = (typeof parts)[number];
export type Mapping = ReadonlyMap<string, Part>;

/** Only one column can be these. */
const single: ReadonlySet<Part> = new Set(["split", "id"]);

const names: readonly (readonly [Part, RegExp])[] = [
  ["id", /^(id|example_?id|external_?id|own id)$/i],
  ["split", /^splits?$/i],
  ["none", /^(node_id|span_id)$/i],
  ["input", /^(input(\..+|s)?|questions?|prompts?|query|messages)$/i],
  ["output", /^(outputs?|output\..+|expected|answers?|labels?|reference|ideal|completion|target)$/i],
];

export function guessMapping({ columns }: FirstRows): Mapping {
  const taken = new Set<Part>();
  const guessed = columns.map((column): [string, Part] => {
    const part = names.find(([, pattern]) => pattern.test(column))?.[0] ?? "metadata";
    const free = single.has(part) && taken.has(part) ? "metadata" : part;
    taken.add(free);
    return [column, free];
  });
  // Without any, the first that says something is the question.
  const first = guessed.find(([, part]) => part === "metadata");
  if (!taken.has("input") && first !== undefined) first[1] = "input";
  return new Map(guessed);
}

/** The column becomes the part; one that was it and cannot be it too is left out. */
export function moveColumn(mapping: Mapping, column: string, part: Part): Mapping {
  return new Map(
    [...mapping].map(([each, was]) => {
      if (each === column) return [each, part];
      return single.has(part) && was === part ? [each, "none" as const] : [each, was];
    }),
  );
}

export const columnsOf = (mapping: Mapping, part: Part): string[] =>
  [...mapping].flatMap(([column, each]) => (each === part ? [column] : []));

const isObject = (value: Json | undefined) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Columns of exports, which hold the whole part: their members become its members. */
function spreadColumns(mapping: Mapping, { type, rows }: FirstRows): string[] {
  if (type === "text/csv") return [];
  return (["input", "output", "metadata"] as const).filter(
    (part) => mapping.get(part) === part && rows.every((row) => isObject(row[part])),
  );
}

/** A row as the example that it becomes. */
export function previewOf(mapping: Mapping, first: FirstRows, row: FirstRows["rows"][number]) {
  const spread = new Set(spreadColumns(mapping, first));
  const shown = (part: "input" | "output" | "metadata") =>
    Object.fromEntries(
      columnsOf(mapping, part).flatMap((column) => {
        const value = row[column];
        if (value === undefined) return [];
        if (spread.has(column)) return Object.entries(value as object);
        return [[column.startsWith(`${part}.`) ? column.slice(part.length + 1) : column, value]];
      }),
    );
  const [split, id] = [columnsOf(mapping, "split")[0], columnsOf(mapping, "id")[0]];
  return {
    input: shown("input"),
    output: shown("output"),
    metadata: shown("metadata"),
    split: split === undefined ? undefined : row[split],
    id: id === undefined ? undefined : row[id],
  };
}

/** The upload as form data: the file is the last part, so that the server reads it as it arrives. */
export function formOf(
  file: File,
  first: FirstRows,
  mapping: Mapping,
  about: { readonly name: string; readonly action: "create" | "append" | "update" },
): FormData {
  const form = new FormData();
  form.set("name", about.name);
  form.set("action", about.action);
  for (const part of ["input", "output", "metadata"] as const) {
    for (const column of columnsOf(mapping, part)) form.append(`${part}_keys[]`, column);
  }
  for (const column of spreadColumns(mapping, first)) form.append("flatten_keys[]", column);
  for (const column of columnsOf(mapping, "split")) form.set("split_key", column);
  for (const column of columnsOf(mapping, "id")) form.set("example_id_key", column);
  form.set("file", new File([file], file.name, { type: first.type }));
  return form;
}
