// What crosses between threads on the way to the database: large texts are moved, and stored as they were.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { arrivedSpans, crossingSpans } from "../../src/ingest/crossing-spans.ts";
import type { SpansMessage } from "../../src/ingest/ingest-messages.ts";
import { weightOfAll } from "../../src/ingest/span-weight.ts";
import {
  attributeFields,
  type IncomingSpan,
  MAX_TOKENS_PER_SPAN,
  type SpanColumns,
  spanKinds,
  spanStatuses,
} from "../../src/model/span.ts";
import { largeBytes, piecesOf } from "../../src/storage/large-value.ts";
import { incomingSpan } from "../support/spans.ts";

const text = "größe 🙂 ".repeat(100_000);
const bytes = Buffer.from(text, "utf8");
const span = incomingSpan({ largeValues: [{ path: '["a"]', text }] });

test("large texts leave their thread as bytes, and arrive whole", () => {
  const { message, moved } = crossingSpans([span, incomingSpan()], true);
  const arrived = structuredClone(message, { transfer: moved }) as SpansMessage;
  const [value] = arrivedSpans(arrived)[0]!.largeValues;
  expect(Buffer.from(value!.text as Uint8Array)).toEqual(bytes);
  expect(arrived.continues).toBe(true);
  // They are gone from here, and the span that was given is as it was.
  expect(message.large[0]!.values[0]!.text).toHaveLength(0);
  expect(message.texts).toHaveLength(0);
  expect(span.largeValues[0]!.text).toBe(text);
});

test("bytes are stored in the same pieces as the text, and weigh as much as they take", () => {
  const arrived = arrivedSpans(crossingSpans([span], false).message);
  const [value] = arrived[0]!.largeValues;
  const pieces = [...piecesOf(value!)];
  expect(pieces.map(({ path, seq }) => [path, seq])).toEqual(
    [...piecesOf(span.largeValues[0]!)].map(({ path, seq }) => [path, seq]),
  );
  expect(Buffer.concat(pieces.map((piece) => piece.bytes))).toEqual(bytes);
  expect([largeBytes([value!]), largeBytes(span.largeValues)]).toEqual([bytes.length, bytes.length]);
  expect(weightOfAll(arrived)).toBeGreaterThan(bytes.length);
});

test("spans arrive as they were sent", () => {
  const content = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "a", "\ufeffa", "é", "🙂", "\u0001"));
  const optional = fc.option(content);
  const count = fc.option(fc.integer({ min: -MAX_TOKENS_PER_SPAN, max: MAX_TOKENS_PER_SPAN }));
  const instant = fc.maxSafeNat();
  const forms = { kind: fc.constantFrom(...spanKinds), "shared text": optional, text: optional, number: count };
  const ofAttributes = Object.entries(attributeFields).map(([name, { form }]) => [name, forms[form]]);
  const generated: fc.Arbitrary<IncomingSpan> = fc.record({
    ...(Object.fromEntries(ofAttributes) as { [Name in keyof SpanColumns]: fc.Arbitrary<SpanColumns[Name]> }),
    projectName: content,
    shownName: optional,
    traceKey: content,
    spanKey: content,
    parentKey: optional,
    name: content,
    status: fc.constantFrom(...spanStatuses),
    statusMessage: content,
    startUs: instant,
    endUs: instant,
    attributes: content,
    events: content,
    extra: optional,
    largeValues: fc.constantFrom([], [{ path: '["a"]', text: new Uint8Array([1, 2]) }]),
  });
  fc.assert(
    fc.property(fc.array(generated, { maxLength: 6 }), (spans) => {
      // Bytes of a large value stay here when nothing is moved.
      expect(arrivedSpans(structuredClone(crossingSpans(spans, false).message))).toEqual(spans);
    }),
  );
});

test("more text than is written at once arrives, too", () => {
  const long = incomingSpan({ attributes: "é".repeat(5_000_000), extra: null });
  const next = incomingSpan();
  const arrived = arrivedSpans(crossingSpans([long, next], false).message);
  expect(arrived[0]!.attributes === long.attributes).toBe(true);
  expect(arrived[1]).toEqual(next);
});
