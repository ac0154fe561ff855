// Query strings (docs/protocol/rest.md#bodies-and-values): lists by repetition of the key, the last value of a scalar counts,
// unknown parameters are ignored.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { missing, readValue } from "../kernel/validation.ts";
import type { Violations } from "../kernel/violations.ts";

/** Reads the query string of `url` by the schema; violations are added and make the result useless. */
export function readQuery<Schema extends TObject>(schema: Schema, url: string, violations: Violations): Static<Schema> {
  const mark = url.indexOf("?");
  const sent = new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
  const query: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(schema.properties)) {
    const texts = sent.getAll(name);
    const last = texts.at(-1);
    if (last !== undefined) {
      query[name] = readValue(parameter, isList(parameter) ? texts : last, ["query", name], violations);
    } else if (parameter.default !== undefined) query[name] = structuredClone(parameter.default);
    else if (schema.required?.includes(name)) violations.add(missing(["query", name], null));
  }
  return query as Static<Schema>;
}

function isList(schema: TSchema): boolean {
  return schema.type === "array";
}
