// The tables as `src/storage/tables.ts` and the `*.tables.ts` of the features declare them, read from their text: types leave nothing behind at run time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { traceCounts } from "../../src/model/summaries/rollups/rollup-totals.ts";
import { sessionCounts } from "../../src/model/summaries/rollups/session-rollup.ts";
import { spanColumns } from "../../src/storage/span-columns.ts";
import type { ColumnKind } from "./schema.ts";

export interface DeclaredColumn {
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** The database gives a value when none is inserted. */
  readonly generated: boolean;
}

const SOURCE = join(import.meta.dir, "../../src");
const SOURCES = ["storage/tables.ts", ...new Bun.Glob("**/*.tables.ts").scanSync(SOURCE)].map((file) =>
  join(SOURCE, file),
);
/** `Tables` stands in each file. */
const INTERFACE = /^ *(?:export )?interface (\w+)(?: extends ([\w<> ]+?))? \{\n([^}]*)\}/gm;
const MEMBER = /^ {2,4}(\w+): (.+);$/gm;

/** Members that come from a list, by what an interface extends. */
const listed: [string, [string, string][]][] = [
  ...Object.entries({ traceCounts, sessionCounts }).map(([name, counts]): [string, [string, string][]] => [
    `Counted<typeof ${name}>`,
    Object.values(counts).map(({ column }) => [column, "Generated<number>"]),
  ]),
  [
    "SpanColumnValues",
    Object.entries(spanColumns).map(([column, { type }]) => [
      column,
      { text: "string", "text?": "string | null", integer: "number", "integer?": "number | null" }[type],
    ]),
  ],
];

/** Columns by table. */
export function declaredTables(): Record<string, Record<string, DeclaredColumn>> {
  const members = new Map<string, [string, string][]>(listed);
  const text = SOURCES.map((source) => readFileSync(source, "utf8")).join("\n");
  for (const [, name, base, body] of text.matchAll(INTERFACE)) {
    const own = [...body!.matchAll(MEMBER)].map(([, column, type]): [string, string] => [column!, type!]);
    members.set(name!, [...(members.get(base ?? name!) ?? []), ...own]);
  }
  const tables = members.get("Tables") ?? [];
  return Object.fromEntries(
    tables.map(([table, type]) => [
      table,
      Object.fromEntries((members.get(type) ?? []).map(([column, declared]) => [column, columnOf(declared)])),
    ]),
  );
}

function columnOf(declared: string): DeclaredColumn {
  const inner = declared.replace(/^(?:Generated|GeneratedAlways)<(.*)>$/, "$1");
  const plain = inner.replace(" | null", "");
  const kind = KINDS[plain];
  if (kind === undefined) throw new Error(`a table has a type that this test does not know: ${declared}`);
  return { kind, nullable: inner.endsWith("| null"), generated: inner !== declared || plain === "Money" };
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  number: "integer",
  Money: "integer",
  string: "text",
  UserRole: "text",
  AuthMethod: "text",
  CustomProviderSdk: "text",
  PasswordChange: "text",
  AnnotatorKind: "text",
  AnnotationSource: "text",
  AnnotationTarget: "text",
  AnnotationConfigType: "text",
  OptimizationDirection: "text",
  BetterDirection: "text",
  RevisionKind: "text",
  ViewTab: "text",
  RecomputationStatus: "text",
  EvaluatorKind: "text",
  ModelProvider: "text",
  TemplateType: "text",
  TemplateFormat: "text",
  Real: "real",
  Uint8Array: "bytes",
  StoredJson: "json",
};
