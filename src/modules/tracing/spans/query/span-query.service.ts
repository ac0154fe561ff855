// One query of `POST /v1/spans` as sent, read into what is to be computed.
import { parseSpanFilter, type SpanFilter } from "../../../../filter/filter.ts";
import { parseProjection } from "../../../../filter/projection.ts";
import { Failure, fail } from "../../../../kernel/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import type { Members, TableShape } from "./span-query.schema.ts";

export interface SpanTableQuery extends TableShape {
  readonly filter: SpanFilter;
}

const SPAN_ID = "context.span_id";
const aliases: Readonly<Record<string, string>> = { span_id: SPAN_ID, trace_id: "context.trace_id" };
const labelOf = (label: string) => (Object.hasOwn(aliases, label) ? aliases[label]! : label);

/** Throws kind `invalid` that names what cannot be read. */
export function readSpanTableQuery(query: JsonObject): SpanTableQuery {
  const given = (name: string): JsonObject => objectAt(query[name], name);
  const [explode, concat, index] = [given("explode"), given("concat"), given("index")];
  const explodeKey = optionalText(explode.key, "explode.key");
  const concatKey = optionalText(concat.key, "concat.key");
  const primaryKey = explodeKey === null ? null : optionalText(explode.primary_index_key, "explode.primary_index_key");
  const indexKey = primaryKey ?? optionalText(index.key, "index.key") ?? SPAN_ID;
  return asInvalid(() => ({
    filter: parseSpanFilter(optionalText(given("filter").condition, "filter.condition") ?? ""),
    index: { label: labelOf(indexKey), projection: parseProjection(indexKey) },
    select: Object.entries(given("select")).map(([label, value]) => {
      const name = `select.${label}`;
      const key = optionalText(objectAt(value, name).key, `${name}.key`);
      if (key === null) throw invalid(`${name}.key is missing`);
      return { label: labelOf(label), projection: parseProjection(key) };
    }),
    explode:
      explodeKey === null
        ? null
        : {
            projection: parseProjection(explodeKey),
            members: membersOf(explode.kwargs, "explode.kwargs"),
            positionLabel: /^(?:attributes\.)?retrieval\.documents$/.test(explodeKey)
              ? "document_position"
              : "position",
          },
    concat:
      concatKey === null
        ? null
        : {
            label: labelOf(concatKey),
            projection: parseProjection(concatKey),
            members: membersOf(concat.kwargs, "concat.kwargs"),
            separator: typeof concat.separator === "string" ? concat.separator : "\n\n",
          },
    rename: new Map(
      Object.entries(given("rename")).map(([from, to]) => [from, optionalText(to, `rename.${from}`) ?? from]),
    ),
  }));
}

function invalid(message: string): Failure {
  return fail("spans.invalid_query", "invalid", `Invalid query: ${message}`);
}

/** A condition that cannot be used is, in this operation, an input that breaks a rule. */
function asInvalid<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "malformed") throw error;
    throw fail(error.code, "invalid", `Invalid query: ${error.message}`, { cause: error });
  }
}

function objectAt(value: Json | undefined, name: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw invalid(`${name} is not an object`);
  return value;
}

function optionalText(value: Json | undefined, name: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw invalid(`${name} is not a text`);
  return value;
}

function membersOf(value: Json | undefined, name: string): Members {
  return Object.entries(objectAt(value, name)).map(([label, path]) => {
    const text = optionalText(path, `${name}.${label}`);
    if (text === null) throw invalid(`${name}.${label} is missing`);
    return { label: labelOf(label), path: text.split(".") };
  });
}
