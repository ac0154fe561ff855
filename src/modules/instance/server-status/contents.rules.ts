// Which kind of contents each table of the database holds, as it is shown.

/** A table with its indexes. */
export interface TableSize {
  readonly table: string;
  /** Without its indexes; with what of its rows is stored apart. */
  readonly bytes: number;
  readonly indexBytes: number;
}

export const contentsKinds = [
  "PAYLOADS",
  "LARGE_VALUES",
  "TRACES",
  "SEARCH",
  "ANNOTATIONS",
  "DATASETS",
  "OTHER",
  "INDEXES",
  "FREE",
] as const;
type ContentsKind = (typeof contentsKinds)[number];

export interface Contents {
  readonly kind: ContentsKind;
  readonly bytes: number;
}

/** The first that fits. */
const kindsOfTables: readonly (readonly [RegExp, ContentsKind])[] = [
  [/^span_payloads$/, "PAYLOADS"],
  [/^(large_values|span_messages|message_fills|pending_messages)$/, "LARGE_VALUES"],
  [/^(span_block|sorted_blocks|span_orders|span_keys)/, "SEARCH"],
  [
    /^(projects|sessions|traces|spans|span_costs|span_cost_details|pending_rollups|pending_failures)$|^failure/,
    "TRACES",
  ],
  [/annotation/, "ANNOTATIONS"],
  [/^(dataset|experiment)/, "DATASETS"],
];

/** The largest first, without kinds that hold nothing. */
export function contentsOf(tables: readonly TableSize[], freeBytes: number): Contents[] {
  const totals = new Map<ContentsKind, number>([["FREE", freeBytes]]);
  const add = (kind: ContentsKind, bytes: number) => totals.set(kind, (totals.get(kind) ?? 0) + bytes);
  for (const { table, bytes, indexBytes } of tables) {
    add(kindsOfTables.find(([pattern]) => pattern.test(table))?.[1] ?? "OTHER", bytes);
    add("INDEXES", indexBytes);
  }
  return [...totals]
    .map(([kind, bytes]) => ({ kind, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((one, other) => other.bytes - one.bytes);
}
