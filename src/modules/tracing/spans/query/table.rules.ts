// A table as the JSON that pandas reads ("table" orient), written row by row: only the text of the rows is kept. A row without a value says
// null: pandas makes None of that, and of a missing member NaN, which counts as true and cannot be iterated.
import { emptyObject, isRawNumber, type Json, stringifyJson } from "../../../../kernel/json.ts";

/** Microseconds UTC. */
export class InstantCell {
  constructor(readonly microseconds: number) {}
}
export type Cell = Json | InstantCell;

interface Column {
  /** `<position>_<name>`: names may repeat, keys of a row may not. */
  readonly key: string;
  readonly seen: Set<"instant" | "integer" | "number" | "boolean" | "other">;
  /** Rows in which it has a value. */
  values: number;
}

interface Row {
  /** Without its closing brace. */
  readonly start: Buffer;
  /** Keys of the found columns that it has. Rows with the same ones share the set. */
  readonly has: ReadonlySet<string>;
}

export class Table {
  private readonly columns: Column[] = [];
  private readonly found = new Map<string, Column>();
  private readonly rows: Row[] = [];
  private readonly shapes = new Map<string, ReadonlySet<string>>();
  private readonly indexWidth: number;
  private writtenBytes = 0;
  /** Of nulls: in a row that has no found column, and in all rows for those that they have. */
  private nullBytes = 0;
  private sparedBytes = 0;

  /** `renamed` gives the final name of a column that is not of the index. */
  constructor(
    index: readonly string[],
    fixed: readonly string[],
    private readonly renamed: (name: string) => string = (name) => name,
  ) {
    this.indexWidth = index.length;
    for (const name of index) this.addColumn(name);
    for (const name of fixed) this.addColumn(renamed(name));
  }

  private addColumn(name: string): Column {
    const column: Column = { key: `${this.columns.length}_${name}`, seen: new Set(), values: 0 };
    this.columns.push(column);
    return column;
  }

  /** Bytes of the rows so far, with their nulls. */
  get bytes(): number {
    return this.writtenBytes + this.rows.length * this.nullBytes - this.sparedBytes;
  }

  private findColumn(name: string): Column {
    const known = this.found.get(name);
    if (known !== undefined) return known;
    const column = this.addColumn(this.renamed(name));
    this.found.set(name, column);
    this.nullBytes += nullText(column.key).length;
    return column;
  }

  /** `cells` are those of the index, then of the fixed columns; `others` belong to columns that come up with their first value. */
  add(cells: readonly Cell[], others: Readonly<Record<string, Json>> = {}): void {
    const row = emptyObject();
    for (const [position, cell] of cells.entries()) set(row, this.columns[position]!, cell);
    const has: string[] = [];
    for (const name of Object.keys(others)) {
      const column = this.findColumn(name);
      set(row, column, others[name]!);
      has.push(column.key);
      this.sparedBytes += nullText(column.key).length;
    }
    const text = Buffer.from(stringifyJson(row));
    this.writtenBytes += text.length;
    const shape = JSON.stringify(has);
    const shared = this.shapes.get(shape) ?? new Set(has);
    this.shapes.set(shape, shared);
    this.rows.push({ start: text.subarray(0, -1), has: shared });
  }

  /** The document in pieces. */
  toJson(): Buffer[] {
    const fields = this.columns.map((column) => ({ name: column.key, ...typeOf(column, this.rows.length) }));
    const primaryKey = this.columns.slice(0, this.indexWidth).map(({ key }) => key);
    const schema = JSON.stringify({ fields, primaryKey, pandas_version: "1.4.0" });
    const comma = Buffer.from(",");
    const nulls = [...this.found.values()].map(({ key }) => ({ key, text: nullText(key) }));
    const endings = new Map<ReadonlySet<string>, Buffer>();
    for (const has of this.shapes.values()) {
      const absent = nulls.filter(({ key }) => !has.has(key)).map(({ text }) => text);
      endings.set(has, Buffer.concat([...absent, Buffer.from("}")]));
    }
    const rows = this.rows.flatMap(({ start, has }, position) => {
      const row = [start, endings.get(has)!];
      return position === 0 ? row : [comma, ...row];
    });
    return [Buffer.from(`{"schema":${schema},"data":[`), ...rows, Buffer.from("]}")];
  }
}

/** A row has its index before, so that a comma comes first. */
function nullText(key: string): Buffer {
  return Buffer.from(`,${JSON.stringify(key)}:null`);
}

function set(row: Record<string, Json>, column: Column, cell: Cell): void {
  if (cell instanceof InstantCell) row[column.key] = nanosecondText(cell.microseconds);
  else row[column.key] = cell;
  if (cell === null) return;
  column.values += 1;
  column.seen.add(kindOf(cell));
}

function kindOf(cell: Cell): "instant" | "integer" | "number" | "boolean" | "other" {
  if (cell instanceof InstantCell) return "instant";
  if (typeof cell === "boolean") return "boolean";
  if (typeof cell === "number") return Number.isInteger(cell) ? "integer" : "number";
  if (isRawNumber(cell)) return /^-?\d+$/.test(cell.rawJSON) ? "integer" : "number";
  return "other";
}

function typeOf({ seen, values }: Column, rows: number): { type: string; tz?: string } {
  const only = seen.size === 1 ? [...seen][0] : null;
  if (only === "instant") return { type: "datetime", tz: "UTC" };
  if (only === "integer" && values === rows) return { type: "integer" };
  if (only === "boolean" && values === rows) return { type: "boolean" };
  const numeric = [...seen].every((kind) => kind === "integer" || kind === "number");
  return { type: values > 0 && numeric ? "number" : "string" };
}

function nanosecondText(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(microseconds - milliseconds * 1000).padStart(3, "0");
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}000Z`;
}
