import { expect, test } from "bun:test";
import { isUnsampled, readTraceparent } from "../../src/kernel/traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a caller's span is read with whether it is recorded", () => {
  expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(readTraceparent(` 00-${TRACE}-${SPAN}-00 `)?.isSampled).toBe(false);
  // Other flags are none of ours; later versions may say more.
  expect(readTraceparent(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
  expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
  expect(readTraceparent(`01-${TRACE}-${SPAN}-01-more`)?.traceId).toBe(TRACE);
});

test("an invalid header is ignored, and says nothing about being recorded", () => {
  const wrong = [
    null,
    undefined,
    "",
    "00",
    `ff-${TRACE}-${SPAN}-00`,
    `00-${TRACE}-${SPAN}-00-more`,
    `00-${"0".repeat(32)}-${SPAN}-00`,
    `00-${TRACE}-${"0".repeat(16)}-00`,
    `00-${TRACE.toUpperCase()}-${SPAN}-00`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-0`,
    `00-${TRACE}${TRACE}-${SPAN}-00`,
  ];
  for (const text of wrong) expect({ text, read: readTraceparent(text) }).toEqual({ text, read: null });
  for (const text of wrong) expect(isUnsampled(text)).toBe(false);
  expect(isUnsampled(`00-${TRACE}-${SPAN}-00`)).toBe(true);
  expect(isUnsampled(`00-${TRACE}-${SPAN}-01`)).toBe(false);
});
