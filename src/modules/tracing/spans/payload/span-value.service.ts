// One value of a span, whole, in parts: of what is stored separately a few pieces are in memory at a time.
import { freeBytes } from "../../../../kernel/free-bytes.ts";
import { type Json, parseJson, stringifyJson } from "../../../../kernel/json.ts";
import {
  areWholeLargeValues,
  restoreLargeValues,
  type StoredPieces,
} from "../../../../model/attributes/large-values.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { valueDamaged, valueNotFound } from "../spans.errors.ts";
import type { ValuePath } from "./span-payload.rules.ts";
import type { SpanPayloadsStore } from "./span-payloads.store.ts";

/** Text as it is, or JSON text, in the order in which it is read. */
type SpanValue = AsyncGenerator<string | Uint8Array>;

interface ValuePlace {
  readonly id: number;
  /** As the caller named the span. */
  readonly identifier: string;
  readonly path: ValuePath;
}

/** Throws kind `not_found` for a value that is not there, `internal` for one that has lost parts, before anything is read of it. */
export async function readSpanValue(
  payloads: SpanPayloadsStore,
  context: CallContext,
  { id, identifier, path }: ValuePlace,
): Promise<SpanValue> {
  const found = await payloads.findValue(context, id, path);
  if (found === null || found.text === null) throw valueNotFound(JSON.stringify(path));
  const stored = path[0] === "attributes" && found.largeBytes !== 0 ? await payloads.listLargeTexts(context, id) : [];
  if (path[0] === "attributes" && !areWholeLargeValues(found.largeBytes, stored)) {
    const heads = (await payloads.readHeads(context, [id], 1)).get(id);
    const damaged = heads?.damaged.filter((large) => leadsTo(path, large)) ?? [];
    if (damaged.length > 0) throw valueDamaged(identifier, damaged);
  }
  const walk = (large: StoredPieces) => payloads.walkLargeText(context, id, large);
  const whole = stored.find((large) => large.path === JSON.stringify(path.slice(1)));
  if (whole !== undefined) return walk(whole);
  const inside = stored.filter((large) => leadsTo(path, large.path));
  return valueText(parseJson(found.text), path.length - 1, inside, walk);
}

/** Whether the value at a path is or holds a large value of the attributes. */
function leadsTo([owner, ...steps]: ValuePath, large: string): boolean {
  const place = JSON.parse(large) as ValuePath;
  return owner === "attributes" && steps.every((step, position) => step === place[position]);
}

/** `depth` is the number of steps from the attributes to the value, which holds the heads of the texts `inside` it. */
async function* valueText(
  value: Json,
  depth: number,
  inside: readonly StoredPieces[],
  walk: (large: StoredPieces) => AsyncGenerator<Uint8Array>,
): SpanValue {
  if (inside.length === 0) {
    yield typeof value === "string" ? value : stringifyJson(value);
    return;
  }
  const holder = { value };
  let mark = "large value ";
  for (const text = stringifyJson(value); text.includes(mark); ) mark += "_";
  const marked = inside.map(({ path }, position) => ({
    path: JSON.stringify(["value", ...(JSON.parse(path) as ValuePath).slice(depth)]),
    text: `${mark}${position} `,
  }));
  restoreLargeValues(holder, marked);
  const [first, ...parts] = stringifyJson(holder.value).split(mark);
  yield first!;
  for (const part of parts) {
    const end = part.indexOf(" ");
    yield* jsonContent(walk(inside[Number(part.slice(0, end))]!));
    yield part.slice(end + 1);
  }
}

/** What stands between the quotes of a JSON text. */
async function* jsonContent(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    freeBytes(piece);
    yield JSON.stringify(text).slice(1, -1);
  }
  yield JSON.stringify(decoder.decode()).slice(1, -1);
}
