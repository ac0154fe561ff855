// Bodies in bulk: their thread knows every route that declares one, takes no more than it may, and tells violations as the main
// thread would.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createBulkReader } from "../../src/api/bulk-reader.ts";
import { bulkHandlers } from "../../src/api/bulk-thread.ts";
import type { Asked, BulkBody } from "../../src/kernel/bulk-body.ts";
import { fail } from "../../src/kernel/failure.ts";
import { LINK_CLOSED, type Link } from "../../src/kernel/link.ts";
import { Violations } from "../../src/kernel/violations.ts";
import { bulkBodies } from "../../src/server/bulk-bodies.ts";
import { linkWithin } from "../support/bulk-reader.ts";
import { declaredModules } from "../support/declared-routes.ts";
import { failureOf } from "../support/failures.ts";

const Numbers = Type.Object({ data: Type.Array(Type.Number()) });
interface KeptNumbers {
  sum(factor: number): number;
}
const numbersBody: BulkBody<typeof Numbers, KeptNumbers, null> = {
  name: "addNumbers",
  schema: Numbers,
  keep: ({ data }) => ({ sum: (factor) => factor * data.reduce((sum, number) => sum + number, 0) }),
};

function readerOf() {
  const link: Link = linkWithin(bulkHandlers([numbersBody], [], () => null));
  const reader = createBulkReader({ thread: async () => link, maxBytes: 1000 });
  const violations = new Violations();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const read = (text: string) => reader.read(numbersBody, bytes(text), "application/json", violations);
  return { link, violations, read };
}

test("the thread knows the bodies of all routes that declare one", () => {
  const declared = declaredModules().flatMap(({ routes }) => routes.flatMap(({ bulk }) => bulk ?? []));
  expect(declared.map(({ name }) => name).sort()).toEqual(bulkBodies.map(({ name }) => name).sort());
  expect(new Set(declared)).toEqual(new Set(bulkBodies));
  for (const { routes } of declaredModules()) {
    for (const { bulk, operationId } of routes) if (bulk !== undefined) expect(bulk.name).toBe(operationId);
  }
});

describe("a body in bulk", () => {
  test("is asked about, until it is let go of", async () => {
    const { read } = readerOf();
    const kept = await read('{"data":[1,2.5,"3"]}');
    const body = kept!.body as Asked<KeptNumbers>;
    expect(await body.sum(2)).toBe(13);
    kept!.release();
    expect((await failureOf(body.sum(2))).code).toBe("bulk.unknown_question");
  });

  test("shows its violations with raw numbers as they were sent, and counts those that are not shown", async () => {
    const { read, violations } = readerOf();
    expect(await read(`{"data":[[1.0],${'"x",'.repeat(499)}"x"]}`)).toBeNull();
    expect(violations.total).toBe(501);
    expect(violations.list()).toHaveLength(100);
    expect(JSON.stringify(violations.list()[0]!.input)).toBe("[1.0]");
  });

  test("that is no JSON says where", async () => {
    const { read } = readerOf();
    const refusal = await failureOf(read('{"data":[1,}'));
    expect(refusal.details.violations).toMatchObject([{ type: "json_invalid", loc: ["body", 11] }]);
  });

  test("of a thread that has ended is no longer answered", async () => {
    const { read, link } = readerOf();
    const kept = await read('{"data":[1,2,3]}');
    const body = kept!.body as Asked<KeptNumbers>;
    link.break(fail(LINK_CLOSED, "unavailable", "ended"));
    expect((await failureOf(body.sum(1))).code).toBe(LINK_CLOSED);
    kept!.release();
    expect((await failureOf(read('{"data":[1,2,3]}'))).code).toBe(LINK_CLOSED);
  });
});
