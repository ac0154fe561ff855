// The shape of the field tables: what a language calls a value, its type, and where it is stored. Data only; compile.ts
// turns a place into SQL.

/** What a row is. */
export type Grain = "span" | "trace" | "session" | "run" | "cost detail" | "annotation";

/** Where a field is stored. Times are microseconds, money is 10^-12 USD: `scale` is the power of ten by which the stored integer
 *  is more than the value. */
export type Place =
  | { readonly in: "column"; readonly column: string; readonly scale: number }
  /** The sum of columns; missing where one is. */
  | { readonly in: "columns"; readonly columns: readonly string[]; readonly scale: number }
  /** A difference of two columns. */
  | { readonly in: "difference"; readonly column: string; readonly from: string; readonly scale: number }
  /** A small integer, the position of one of the names. */
  | { readonly in: "codes"; readonly column: string; readonly names: readonly string[] }
  | { readonly in: "trace key" }
  /** The cost row of a span; 0 without one. */
  | { readonly in: "span cost"; readonly column: "cost" | "prompt_cost" | "completion_cost" }
  /** The cost rows of all spans of a trace or session; 0 without one. */
  | { readonly in: "sum of costs"; readonly column: "prompt_cost" | "completion_cost" }
  /** cost / tokens of a cost detail; missing without tokens. */
  | { readonly in: "cost per token" }
  /** An attribute of a span that is always read as a number. */
  | { readonly in: "attribute"; readonly path: readonly string[] }
  /** Input or output of a root span of a session, by time. */
  | { readonly in: "root text"; readonly value: "input" | "output"; readonly root: "representative" | "last" }
  /** Keys of the groups that failures of it are in; a span has one at most. */
  | { readonly in: "error groups"; readonly of: "span" | "trace" | "session" }
  /** A column of floating point. */
  | { readonly in: "double"; readonly column: string };

export interface Field {
  readonly name: string;
  readonly type: "text" | "number" | "timestamp" | "boolean";
  readonly place: Place;
  /** Literals compared with it are written in upper case first. */
  readonly foldsCase?: true;
  /** Groups of failures, which may have to be settled first (`rollups`). */
  readonly failures?: true;
  /** Sums over child spans, which may have to be recomputed first (`rollups`). */
  readonly rollup?: true;
}

export type FieldTable = readonly Field[];

/** What a comprehension iterates. */
export interface Collection {
  /** As it is called: `spans`, `children`. */
  readonly name: string;
  /** What its elements are. */
  readonly grain: Grain;
  /** Members of an element. */
  readonly fields: FieldTable;
  /** What a comprehension inside may iterate. */
  readonly nested: readonly Collection[];
  /** A comprehension inside may iterate the collection of this name again. */
  readonly iteratedInside?: true;
  /** An element has `parent_span`. */
  readonly hasParent?: true;
}
