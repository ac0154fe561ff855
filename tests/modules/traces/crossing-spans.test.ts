// What crosses between threads on the way to the database: large texts are moved, and stored as they were.
import { expect, test } from "bun:test";
import { crossingSpans } from "../../../src/ingest/crossing-spans.ts";
import type { SpansMessage } from "../../../src/ingest/ingest-messages.ts";
import { weightOfAll } from "../../../src/ingest/span-weight.ts";
import { largeBytes, piecesOf } from "../../../src/storage/large-value.ts";
import { incomingSpan } from "../../support/spans.ts";

const text = "größe 🙂 ".repeat(100_000);
const bytes = Buffer.from(text, "utf8");
const span = incomingSpan({ largeValues: [{ path: '["a"]', text }] });

test("large texts leave their thread as bytes, and arrive whole", () => {
  const { message, moved } = crossingSpans([span, incomingSpan()], true);
  const arrived = structuredClone(message, { transfer: moved }) as SpansMessage;
  const [value] = arrived.spans[0]!.largeValues;
  expect(Buffer.from(value!.text as Uint8Array)).toEqual(bytes);
  expect(arrived.continues).toBe(true);
  // They are gone from here, and the span that was given is as it was.
  expect(message.spans[0]!.largeValues[0]!.text).toHaveLength(0);
  expect(span.largeValues[0]!.text).toBe(text);
});

test("bytes are stored in the same pieces as the text, and weigh as much as they take", () => {
  const { message } = crossingSpans([span], false);
  const [value] = message.spans[0]!.largeValues;
  const pieces = [...piecesOf(value!)];
  expect(pieces.map(({ path, seq }) => [path, seq])).toEqual(
    [...piecesOf(span.largeValues[0]!)].map(({ path, seq }) => [path, seq]),
  );
  expect(Buffer.concat(pieces.map((piece) => piece.bytes))).toEqual(bytes);
  expect([largeBytes([value!]), largeBytes(span.largeValues)]).toEqual([bytes.length, bytes.length]);
  expect(weightOfAll(message.spans)).toBeGreaterThan(bytes.length);
});
