// `spanlight verify` as operators run it: each kind of damage is named with its row, and one does not hide the others.
import { beforeAll, expect, test } from "bun:test";
import { type RawBuilder, sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { forEachDriver } from "../support/drivers.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { incomingFrom } from "../support/otlp-request.ts";
import { runCommand } from "../support/server.ts";
import { openTestStorage } from "../support/storage.ts";
import { databaseEnvironment } from "../support/stored.ts";

const KIBIBYTE = 1024;

/** As it came from a sender, under a trace and a key of this name. */
function span(name: string, values: Readonly<Record<string, unknown>> = {}): IncomingSpan {
  return { ...incomingFrom({ attributes: otlpAttributes(values) }), traceKey: `t-${name}`, spanKey: name };
}

const long = (kibibytes: number) => "é".repeat((kibibytes * KIBIBYTE) / 2);
const ofSpan = (key: string) => sql`(select id from spans where span_key = ${key})`;

/** A span, what happens to it, and its annotations. */
const damages: readonly {
  readonly name: string;
  readonly span: IncomingSpan;
  readonly change: readonly RawBuilder<unknown>[];
  readonly says: string;
}[] = [
  {
    name: "all pieces of a value are lost",
    span: span("lost", { "input.value": long(600), "output.value": long(100) }),
    change: [sql`delete from large_values where span_id = ${ofSpan("lost")} and path = '["input","value"]'`],
    says: 'span lost: its large value ["input","value"] has lost pieces or parts of them',
  },
  {
    name: "a piece in the middle is lost",
    span: span("torn", { "input.value": long(600), "output.value": long(100) }),
    change: [sql`delete from large_values where span_id = ${ofSpan("torn")} and seq = 1`],
    says: 'span torn: its large value ["input","value"] has lost pieces or parts of them',
  },
  {
    name: "the last piece is lost, and all others are full",
    span: span("short", { "input.value": long(600) }),
    change: [sql`delete from large_values where span_id = ${ofSpan("short")} and seq = 2`],
    says: 'span short: its large value ["input","value"] has lost pieces or parts of them',
  },
  {
    name: "the last piece is cut",
    span: span("cut", { "input.value": long(600) }),
    change: [sql`update large_values set bytes = substr(bytes, 1, 10) where span_id = ${ofSpan("cut")} and seq = 2`],
    says: 'span cut: its large value ["input","value"] has lost pieces or parts of them',
  },
  {
    name: "a value of a version that did not count bytes has lost its first piece",
    span: span("older", { "input.value": long(600) }),
    change: [
      sql`update span_payloads set has_large = 1 where span_id = ${ofSpan("older")}`,
      sql`delete from large_values where span_id = ${ofSpan("older")} and seq = 0`,
    ],
    says: 'span older: its large value ["input","value"] has lost pieces or parts of them',
  },
  {
    name: "the head of a value is stale",
    span: span("stale", { "tool.result": long(100) }),
    change: [
      sql`update large_values set bytes = ${Buffer.from(long(100).replace("é", "ü"))} where span_id = ${ofSpan("stale")}`,
    ],
    says: 'span stale: the head of its large value ["tool","result"] is not its beginning',
  },
  {
    name: "the head of an input is stale",
    span: span("head", { "input.value": "the question" }),
    change: [sql`update spans set input_head = 'another' where span_key = 'head'`],
    says: "span head: its input_head is not the beginning of input.value",
  },
  {
    name: "an output has no head",
    span: span("headless", { "output.value": "the answer" }),
    change: [sql`update spans set output_head = null where span_key = 'headless'`],
    says: "span headless: its output_head is not the beginning of output.value",
  },
  {
    name: "the latency of a span is not what its trace knows",
    span: span("latency"),
    change: [sql`update spans set latency_us = 5000000 where span_key = 'latency'`],
    says: "trace t-latency: end_us is",
  },
  {
    name: "the latency of a trace is not that of its bounds",
    span: span("bounds"),
    change: [sql`update traces set latency_us = latency_us + 1 where trace_key = 't-bounds'`],
    says: "trace t-bounds: latency_us is 1000001, its bounds say 1000000",
  },
  {
    name: "a session ends before its traces do",
    span: { ...span("session"), sessionKey: "chat" },
    change: [sql`update sessions set end_us = end_us - 1 where session_key = 'chat'`],
    says: "session chat: end_us is",
  },
];

const whole = [
  span("whole", { "input.value": long(600), "output.value": long(100), "tool.result": "x".repeat(256 * KIBIBYTE) }),
  span("exact", { "input.value": "x".repeat(512 * KIBIBYTE) }),
  span("plain", { "input.value": "short", "output.value": "x".repeat(4096) }),
];

forEachDriver("verify", (driver) => {
  let url: string;
  const verify = async () => {
    const { exitCode, output } = await runCommand(["verify"], { env: databaseEnvironment({ url }) });
    return { exitCode, lines: output.trim().split("\n").slice(1) };
  };
  const change = async (statements: readonly RawBuilder<unknown>[]) => {
    const store = await openTestStorage(url);
    for (const statement of statements) await statement.execute(store.storage.handle.write(store.context()));
    await store.close();
  };

  beforeAll(async () => {
    url = await driver.createEmptyDatabase();
    const store = await openTestStorage(url);
    await ingestBatch(store.ingest, [...damages.map((damage) => damage.span), ...whole]);
    await store.close();
  });

  test("finds nothing where nothing is wrong, large values of older versions included", async () => {
    await change([sql`update span_payloads set has_large = 1 where span_id = ${ofSpan("exact")}`]);
    expect(await verify()).toEqual({
      exitCode: 0,
      lines: [expect.stringContaining(`${damages.length + whole.length} spans, 1 sessions`)],
    });
  });

  test("names everything that is wrong, once, and nothing else", async () => {
    await change(damages.flatMap((damage) => damage.change));
    const { exitCode, lines } = await verify();
    expect(exitCode).toBe(1);
    for (const { name, says } of damages)
      expect([name, lines.filter((line) => line.startsWith(says)).length]).toEqual([name, 1]);
    // The trace of the span with a wrong latency has a wrong latency too, in the counts of no block.
    const others = lines.filter((line) => !damages.some(({ says }) => line.startsWith(says)));
    expect(others).toEqual([expect.stringContaining(`${damages.length} differences`)]);
  });

  if (driver.name === "sqlite") {
    test("goes on after a payload that the database cannot read, and names it", async () => {
      await change([
        sql`update span_payloads set attributes = x'ffff00' where span_id = ${ofSpan("plain")}`,
        sql`update spans set input_head = 'other' where span_key = 'exact'`,
      ]);
      const { exitCode, lines } = await verify();
      expect(exitCode).toBe(1);
      expect(lines).toContainEqual(expect.stringMatching(/^span plain: its payload cannot be read: .*JSON/));
      for (const { says } of damages) expect(lines).toContainEqual(expect.stringContaining(says));
      expect(lines).toContain("span exact: its input_head is not the beginning of input.value");
    });
  }

  test("a payload that is no JSON object is named", async () => {
    const text = driver.name === "sqlite" ? sql`jsonb('[1]')` : sql`'[1]'::jsonb`;
    await change([sql`update span_payloads set attributes = ${text} where span_id = ${ofSpan("headless")}`]);
    expect((await verify()).lines).toContain("span headless: its attributes are no JSON object");
  });
});
