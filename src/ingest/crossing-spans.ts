// Spans on their way to another thread: their texts in one buffer and everything else in one table, both moved, instead of a copy of
// twenty fields each. Large texts are moved by themselves: a prompt of a hundred megabytes would be in memory four times on its way to the
// database.
import { freeBytes } from "../kernel/free-bytes.ts";
import { attributeFields, type IncomingLargeValue, type IncomingSpan, spanKinds, spanStatuses } from "../model/span.ts";
import type { SpansMessage } from "./ingest-messages.ts";

/** Fields that attributes say, by how they are carried. */
function fieldsOf<Form extends string>(form: Form): readonly FieldOf<Form>[] {
  const found = Object.entries(attributeFields).filter(([, field]) => field.form === form);
  return found.map(([name]) => name) as FieldOf<Form>[];
}
type FieldOf<Form> = {
  [Name in keyof typeof attributeFields]: (typeof attributeFields)[Name]["form"] extends Form ? Name : never;
}[keyof typeof attributeFields];

/** Texts that spans of one request often share with the one before them, in the order in which they are written. */
const SHARED_TEXTS = [
  ...(["projectName", "traceKey", "parentKey", "name", "statusMessage", "events", "extra"] as const),
  ...fieldsOf("shared text"),
];
const OWN_TEXTS = [...(["spanKey", "shownName", "attributes"] as const), ...fieldsOf("text")];
const COUNTS = fieldsOf("number");
/** Entries of the table that a span takes: where each text ends, numbers, and the codes of kind and status. */
const ROW = SHARED_TEXTS.length + OWN_TEXTS.length + COUNTS.length + 4;

/** In the place of the end of a text. */
const NULL_TEXT = -1;
const SAME_TEXT = -2;

const MOST_BYTES_A_CHARACTER = 3;
/** Texts are written here first: the transferred buffer has no spare capacity. Pages that are never written to take no memory. */
const SCRATCH_BYTES = 12 * 1024 * 1024;
let scratch: Buffer | null = null;

const NO_VALUES: readonly IncomingLargeValue[] = [];

/** The message and what of it is moved. Nothing of `spans` is referred to by it but large values that are bytes already. */
export function crossingSpans(
  spans: readonly IncomingSpan[],
  continues: boolean,
): { readonly message: SpansMessage; readonly moved: ArrayBuffer[] } {
  const table = new Float64Array(spans.length * ROW);
  const texts = textsOf(spans, table);
  const moved: ArrayBuffer[] = [texts.buffer, table.buffer];
  const large = spans.flatMap(({ largeValues }, position) => {
    if (largeValues.length === 0) return [];
    const values = largeValues.map(({ path, text }) => {
      // Never of the runtime's pool, which a small text would share with others.
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      moved.push(bytes.buffer);
      return { path, text: bytes };
    });
    return [{ position, values }];
  });
  return { message: { texts, table, large, continues }, moved };
}

/** UTF-8 of all texts one after the other; fills the table. */
function textsOf(spans: readonly IncomingSpan[], table: Float64Array): Uint8Array<ArrayBuffer> {
  const most = MOST_BYTES_A_CHARACTER * spans.reduce((sum, span) => sum + characters(span), 0);
  const target = most <= SCRATCH_BYTES ? scratchBuffer() : Buffer.allocUnsafeSlow(most);
  let at = 0;
  let entry = 0;
  const write = (text: string | null) => {
    if (text === null) table[entry++] = NULL_TEXT;
    else {
      at += target.write(text, at);
      table[entry++] = at;
    }
  };
  let previous: IncomingSpan | null = null;
  for (const span of spans) {
    for (const name of SHARED_TEXTS) {
      if (previous !== null && previous[name] === span[name]) table[entry++] = SAME_TEXT;
      else write(span[name]);
    }
    for (const name of OWN_TEXTS) write(span[name]);
    table[entry++] = spanKinds.indexOf(span.kind);
    table[entry++] = spanStatuses.indexOf(span.status);
    table[entry++] = span.startUs;
    table[entry++] = span.endUs;
    for (const name of COUNTS) table[entry++] = span[name] ?? Number.NaN;
    previous = span;
  }
  return new Uint8Array(target.subarray(0, at));
}

function scratchBuffer(): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return scratch;
}

function characters(span: IncomingSpan): number {
  let sum = 0;
  for (const name of SHARED_TEXTS) sum += span[name]?.length ?? 0;
  for (const name of OWN_TEXTS) sum += span[name]?.length ?? 0;
  return sum;
}

/** The spans of a message, whose texts are gone then. */
export function arrivedSpans({ texts, table, large }: SpansMessage): IncomingSpan[] {
  const buffer = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength);
  const largeValues = new Map(large.map(({ position, values }) => [position, values]));
  const spans: IncomingSpan[] = [];
  let at = 0;
  let entry = 0;
  const read = (same: string | null): string | null => {
    const end = table[entry++]!;
    if (end === NULL_TEXT) return null;
    if (end === SAME_TEXT) return same;
    const text = buffer.toString("utf8", at, end);
    at = end;
    return text;
  };
  const count = (): number | null => {
    const value = table[entry++]!;
    return Number.isNaN(value) ? null : value;
  };
  let previous: IncomingSpan | null = null;
  for (let position = 0; position < table.length / ROW; position += 1) {
    // In the order of the lists above, those of attributes in the order of their table: what is not null there is not null here.
    const span: IncomingSpan = {
      projectName: read(previous?.projectName ?? null)!,
      traceKey: read(previous?.traceKey ?? null)!,
      parentKey: read(previous?.parentKey ?? null),
      name: read(previous?.name ?? null)!,
      statusMessage: read(previous?.statusMessage ?? null)!,
      events: read(previous?.events ?? null)!,
      extra: read(previous?.extra ?? null),
      sessionKey: read(previous?.sessionKey ?? null),
      userKey: read(previous?.userKey ?? null),
      model: read(previous?.model ?? null),
      spanKey: read(null)!,
      shownName: read(null),
      attributes: read(null)!,
      modelCall: read(null),
      inputHead: read(null),
      outputHead: read(null),
      inputPreview: read(null),
      outputPreview: read(null),
      kind: spanKinds[table[entry++]!]!,
      status: spanStatuses[table[entry++]!]!,
      startUs: table[entry++]!,
      endUs: table[entry++]!,
      promptTokens: count(),
      completionTokens: count(),
      lifetimeUs: count(),
      silentFailure: count(),
      largeValues: largeValues.get(position) ?? NO_VALUES,
    };
    spans.push(span);
    previous = span;
  }
  freeBytes(texts);
  return spans;
}
