// Plain words are searched for, conditions are applied.
import { expect, test } from "bun:test";
import { isCondition } from "../../../src/web/domain/filter/is-condition.ts";

test.each([
  ["refund policy", false],
  ["what is in and out", false],
  ["what's up?", false],
  ["(hello", false],
  ["latency_ms > 5", true],
  ["name ==", true],
  ["'refund' in input.value", true],
  ["metadata['tier']", true],
  ["session_id is not None", true],
  ["span_kind in [", true],
])("%p", (written, expected) => expect(isCondition(written)).toBe(expected));
