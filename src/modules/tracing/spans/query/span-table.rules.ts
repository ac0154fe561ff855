// The rows that a span has in the table of a query.
import {
  doubleToJson,
  emptyObject,
  isJsonObject,
  type Json,
  type JsonObject,
  stringifyJson,
} from "../../../../kernel/json.ts";
import { flatten } from "../../../../model/attributes/flatten.ts";
import type { Span, SpanRecord, SpanSums } from "../spans.schema.ts";
import { conventionColumns } from "./convention-columns.rules.ts";
import type { Concatenation, Explosion, Projection, TableShape } from "./span-query.schema.ts";
import { type Cell, InstantCell, Table } from "./table.rules.ts";

/** A span with what the query reads of it; what it does not read is empty. */
interface TableSpan extends Pick<Span, "attributes" | "events"> {
  readonly record: SpanRecord;
  readonly traceKey: string;
  readonly sums: SpanSums;
}

const fields: Readonly<Record<string, (span: TableSpan) => Cell>> = {
  span_id: ({ record }) => record.spanKey,
  trace_id: ({ traceKey }) => traceKey,
  parent_id: ({ record }) => record.parentKey,
  name: ({ record }) => record.name,
  span_kind: ({ record }) => record.kind,
  status_code: ({ record }) => record.status,
  status_message: ({ record }) => record.statusMessage,
  start_time: ({ record }) => new InstantCell(record.startUs),
  end_time: ({ record }) => new InstantCell(record.startUs + record.latencyUs),
  // A double even where it is whole: columns of numbers do not change their type with the spans that are found.
  latency_ms: ({ record }) => doubleToJson(record.latencyUs / 1000),
};
const sumFields: Readonly<Record<string, (span: TableSpan) => Cell>> = {
  prompt: ({ sums }) => sums.promptTokens,
  completion: ({ sums }) => sums.completionTokens,
  total: ({ sums }) => sums.promptTokens + sums.completionTokens,
};
const builtIn = new Map<string, (span: TableSpan) => Cell>([
  ...Object.entries(fields),
  ["context.span_id", fields.span_id!],
  ["context.trace_id", fields.trace_id!],
  ...Object.entries(sumFields).flatMap(([part, read]): [string, (span: TableSpan) => Cell][] => [
    [`cumulative_llm_token_count_${part}`, read],
    [`cumulative_token_count.${part}`, read],
  ]),
]);

const wholeColumns = [
  "name",
  "span_kind",
  "parent_id",
  "start_time",
  "end_time",
  "status_code",
  "status_message",
] as const;
const KEYS = ["context.span_id", "context.trace_id"] as const;

/** Every column of every span. */
function isWhole({ select, explode, concat }: TableShape): boolean {
  return select.length === 0 && explode === null && concat === null;
}

export function readsPayloads(query: TableShape): boolean {
  if (isWhole(query) || query.explode !== null || query.concat !== null) return true;
  return projectionsOf(query).some(({ name }) => name === null || !builtIn.has(name));
}

/** A condition on the spans that may have rows; null where every span has one. */
export function conditionOfRows({ explode, concat }: TableShape): string | null {
  const lists = [explode, concat].flatMap((read) => (read === null ? [] : pathsOf(read.projection)));
  if (lists.length === 0) return null;
  return lists
    .map((path) => `attributes${path.map((step) => `[${JSON.stringify(step)}]`).join("")} is not None`)
    .join(" or ");
}

export function readsSums(query: TableShape): boolean {
  return projectionsOf(query).some(({ name }) => name?.startsWith("cumulative_") === true && builtIn.has(name));
}

function projectionsOf({ index, select }: TableShape): Projection[] {
  return [index, ...select].map(({ projection }) => projection);
}

/** What is selected, each label once, and the index only under another name: clients put it back as a column and fail on two. An id has
 *  one label however it is spelled. */
function selectedColumns({ select, index, rename }: TableShape): TableShape["select"] {
  const byLabel = new Map(select.map((column) => [column.label, column]));
  if (!rename.has(index.label)) byLabel.delete(index.label);
  return [...byLabel.values()];
}

export function newTable(query: TableShape): Table {
  const { index, explode, concat, rename } = query;
  const renamed = (name: string) => rename.get(name) ?? name;
  if (isWhole(query)) return new Table([index.label], [...wholeColumns, "events", ...KEYS], renamed);
  const fixed = [
    ...selectedColumns(query).map(({ label }) => label),
    ...(concat === null ? [] : concatLabels(concat)),
    ...(explode?.members ?? []).map(({ label }) => label),
  ];
  return new Table(explode === null ? [index.label] : [index.label, explode.positionLabel], fixed, renamed);
}

/** Whether the span has a row. */
export function addSpan(table: Table, query: TableShape, span: TableSpan): boolean {
  const read = (projection: Projection) => cellOf(projection, span);
  const index = read(query.index.projection);
  if (isWhole(query)) {
    const cells = [...wholeColumns, ...KEYS].map((name) => builtIn.get(name)!(span));
    cells.splice(wholeColumns.length, 0, [...span.events]);
    table.add([index, ...cells], prefixed(conventionColumns(span.attributes)));
    return true;
  }
  const { explode, concat } = query;
  const concatenated = concat === null ? [] : concatenate(concat, read(concat.projection));
  if (concat !== null && concatenated === null && explode === null) return false;
  const own = [
    ...selectedColumns(query).map(({ projection }) => read(projection)),
    ...(concat === null ? [] : (concatenated ?? concatLabels(concat).map(() => null))),
  ];
  if (explode === null) {
    table.add([index, ...own]);
    return true;
  }
  const elements = elementsOf(read(explode.projection));
  for (const { position, element } of elements) addElement(table, explode, [index, position, ...own], element);
  if (elements.length > 0) return true;
  // Joined by span from both sides: what is concatenated stays without elements, too.
  if (concat === null || concatenated === null) return false;
  table.add([index, null, ...own, ...explode.members.map(() => null)]);
  return true;
}

function prefixed(columns: JsonObject): JsonObject {
  const named = emptyObject();
  for (const key of Object.keys(columns)) named[`attributes.${key}`] = columns[key]!;
  return named;
}

function addElement(table: Table, { members }: Explosion, cells: readonly Cell[], element: JsonObject): void {
  if (members.length === 0) table.add(cells, flatten(element));
  else table.add([...cells, ...members.map(({ path }) => valueAtPath(element, path))]);
}

function elementsOf(cell: Cell): { readonly position: number; readonly element: JsonObject }[] {
  if (!Array.isArray(cell)) return [];
  return cell.flatMap((element, position) => (isJsonObject(element) ? [{ position, element }] : []));
}

function concatLabels({ label, members }: Concatenation): string[] {
  return members.length === 0 ? [label] : members.map((member) => member.label);
}

/** One text a label; null for a value that is not a list of elements. */
function concatenate({ members, separator }: Concatenation, cell: Cell): Cell[] | null {
  if (!Array.isArray(cell) || cell.length === 0) return null;
  const joined = (values: readonly Json[]): Cell => {
    const texts = values.filter((value) => value !== null).map(textOf);
    return texts.length === 0 ? null : texts.join(separator);
  };
  if (members.length === 0) return [joined(cell.filter((value) => !isJsonObject(value) && !Array.isArray(value)))];
  return members.map(({ path }) => joined(cell.map((element) => valueAtPath(element, path))));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

function cellOf({ name, path }: Projection, span: TableSpan): Cell {
  const read = name === null ? undefined : builtIn.get(name);
  if (read !== undefined) return read(span);
  return pathsOf({ name, path }).reduce<Json>((value, each) => value ?? valueAtPath(span.attributes, each), null);
}

/** Where the value may be, the first place first. Data frames call their columns `attributes.…`: such a name is taken for the attribute. */
function pathsOf({ name, path }: Projection): (readonly (string | number)[])[] {
  return name !== null && path[0] === "attributes" && path.length > 1 ? [path, path.slice(1)] : [path];
}

/** Null where the path leads nowhere. */
function valueAtPath(from: Json, path: readonly (string | number)[]): Json {
  let value: Json | undefined = path.length === 0 ? null : from;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isJsonObject(value) && typeof step === "string" && Object.hasOwn(value, step)) value = value[step];
    else return null;
  }
  return value ?? null;
}
