// Which columns of a file make what of an example, and how the rows of one are made of them.
import {
  emptyObject,
  isJsonObject,
  type Json,
  type JsonObject,
  parseSentJson,
  stringifyJson,
} from "../../../../../kernel/json.ts";
import { storableText } from "../../../../../kernel/validation-scalars.ts";
import { exampleNameOf, hashedContent } from "../../dataset-content.rules.ts";
import { uploadRefused } from "../../datasets.errors.ts";
import { requireShort, splitNames, uploadedJson } from "../upload-json.rules.ts";
import { requireFewMembers, tooManyColumns, type UploadLimits } from "../upload-limits.rules.ts";
import type { UploadRow } from "../upload-parts.rules.ts";

const buckets = ["input", "output", "metadata"] as const;
type Bucket = (typeof buckets)[number];

/** What the fields of a form select. */
export interface SelectedColumns {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly metadata: readonly string[];
  readonly flatten: readonly string[];
  readonly split: string | null;
  /** Deprecated: several columns of one name each. */
  readonly splits: readonly string[];
  readonly spanId: string | null;
  readonly exampleId: string | null;
}

/** A row of a file: the value of a column, undefined where it has none. */
export type Cells = (column: string) => Json | undefined;

/** Makes rows; keeps what must hold for all of them. `place` names the row in a refusal. */
type RowMaker = (cells: Cells, place: string) => UploadRow;

/** Columns that must be in the header of a file. */
export function neededColumns(selected: SelectedColumns): string[] {
  const { input, output, metadata, splits, split, spanId, exampleId } = selected;
  const single = [split, spanId, exampleId].flatMap((column) => column ?? []);
  return [...new Set([...input, ...output, ...metadata, ...splits, ...single])];
}

/** Throws kind `invalid` for a column that is there twice or is missing, `too_large` for too many. `place` is where they are named. */
export function requireColumns(
  place: string,
  names: readonly string[],
  needed: readonly string[],
  { maxColumns }: UploadLimits,
): void {
  if (names.length > maxColumns) throw tooManyColumns(place, maxColumns);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw uploadRefused(`${place}: the column ${repeated} is there twice`);
  const missing = needed.filter((column) => !names.includes(column));
  if (missing.length > 0) throw uploadRefused(`${place}: there is no column ${missing.join(", ")}`);
}

/** `isText`: every value is a text, as in CSV, and means something else where it looks so. */
export function createRowMaker(selected: SelectedColumns, isText: boolean, limits: UploadLimits): RowMaker {
  const members: Record<Bucket, Map<string, string>> = { input: new Map(), output: new Map(), metadata: new Map() };
  const isDotted =
    isText &&
    selected.flatten.length === 0 &&
    buckets.some((bucket) => selected[bucket].some((key) => /^(input|output|metadata)\./.test(key)));
  const flattened = new Set(selected.flatten);

  function spread(cells: Cells, column: string, bucket: Bucket, into: JsonObject, place: string): void {
    const value = objectIn(cells(column), isText, `${place}, column ${column}`, limits);
    if (value === null) throw uploadRefused(`${place}, column ${column}: has no object to spread`);
    for (const [key, member] of Object.entries(value)) {
      if (isText && member === "") continue;
      const owner = members[bucket].get(key) ?? column;
      members[bucket].set(key, owner);
      if (owner !== column || (selected[bucket].includes(key) && !flattened.has(key))) {
        throw uploadRefused(`${place}, column ${column}: its member ${key} is in the ${bucket} already`);
      }
      into[key] = member;
    }
  }

  function bucketOf(cells: Cells, bucket: Bucket, place: string): JsonObject {
    const made = emptyObject();
    for (const column of selected[bucket]) {
      if (flattened.has(column)) {
        spread(cells, column, bucket, made, place);
        continue;
      }
      const value = cells(column);
      if (value === undefined || (isText && (value as string).trim() === "")) continue;
      if (!isDotted) made[column] = value;
      else putAt(made, pathOf(column, bucket), jsonLike(value as string, place, limits), `${place}, column ${column}`);
    }
    return made;
  }

  return (cells, place) => {
    for (const column of selected.flatten) objectIn(cells(column), isText, `${place}, column ${column}`, limits);
    const [input, output, metadata] = buckets.map((bucket) => bucketOf(cells, bucket, place));
    const idIn = (column: string | null) => (column === null ? null : idText(cells(column)));
    const exampleId = idIn(selected.exampleId);
    return {
      ...hashedContent(input!, output!, metadata!),
      ...exampleNameOf(exampleId === null ? null : requireShort(exampleId, `${place}, column ${selected.exampleId}`)),
      spanKey: idIn(selected.spanId),
      splits: splitsIn(selected, cells, isText, place, limits),
    };
  };
}

/** The object in a cell; null where there is none. Throws kind `invalid` for anything else. */
function objectIn(value: Json | undefined, isText: boolean, place: string, limits: UploadLimits): JsonObject | null {
  if (value === undefined || value === null) return null;
  const found = isText ? parsedCell(value as string, place, limits) : value;
  if (found === null) return null;
  if (!isJsonObject(found)) throw uploadRefused(`${place}: is no JSON object, and is to be spread`);
  return found;
}

function parsedCell(text: string, place: string, { maxRowMembers }: UploadLimits): Json {
  requireFewMembers(text, maxRowMembers, place);
  return uploadedJson(text, place, () => "is no JSON object, and is to be spread");
}

/** `input.a.b` of the input is the member b of a; other columns keep their whole name. */
function pathOf(column: string, bucket: Bucket): string[] {
  return column.startsWith(`${bucket}.`) ? column.slice(bucket.length + 1).split(".") : [column];
}

function putAt(into: JsonObject, path: readonly string[], value: Json, place: string): void {
  let at = into;
  for (const key of path.slice(0, -1)) {
    const inner = at[key] ?? emptyObject();
    at[key] = inner;
    if (!isJsonObject(inner)) throw uploadRefused(`${place}: another column has a value where this one goes through`);
    at = inner;
  }
  const last = path.at(-1)!;
  if (at[last] !== undefined) throw uploadRefused(`${place}: another column goes through where this one has its value`);
  at[last] = value;
}

const JSON_LIKE = /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/;

function jsonLike(text: string, place: string, { maxRowMembers }: UploadLimits): Json {
  if (!JSON_LIKE.test(text)) return text;
  requireFewMembers(text, maxRowMembers, place);
  try {
    return parseSentJson(text);
  } catch {
    return text;
  }
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : stringifyJson(value);
}

/** Text as it stands; null for a blank and for what data frames write for nothing. */
function idText(value: Json | undefined): string | null {
  const text = textOf(value);
  return text === null || text.trim() === "" || text.toLowerCase() === "nan" ? null : storableText(text);
}

function splitsIn(
  { split, splits }: SelectedColumns,
  cells: Cells,
  isText: boolean,
  place: string,
  limits: UploadLimits,
): string[] {
  const single = splits.flatMap((column) => textOf(cells(column)) ?? []);
  const names = split === null ? [] : listedSplits(cells(split), isText, place, limits);
  return splitNames([...single, ...names], `${place}, splits`);
}

function listedSplits(value: Json | undefined, isText: boolean, place: string, limits: UploadLimits): string[] {
  const found = isText && typeof value === "string" ? jsonLike(value, place, limits) : value;
  if (Array.isArray(found)) return found.flatMap((name) => textOf(name) ?? []);
  return [textOf(value) ?? ""];
}
