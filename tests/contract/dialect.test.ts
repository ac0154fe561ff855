// Every function of the dialect gives the same answers on both databases: the expectations below name no database.

import { beforeAll, expect, test } from "bun:test";
import { type Expression, type RawBuilder, sql } from "kysely";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { findZoneOffsets } from "../../src/kernel/zone-offsets.ts";
import { beginOfBin, binOf, timeScales } from "../../src/storage/time-bins.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const ATTRIBUTES = `{
  "text": "gpt-4", "empty": "", "umlaut": "Ünïcödé", "digits": "12345", "word": "true", "quote": "it's \\"so\\" \\\\ 100%_",
  "one": 1, "oneFloat": 1.0, "half": 1.5, "tiny": 1e-7, "negative": -3, "negativeFloat": -3.0,
  "twenty": 1e20, "huge": 1e300, "big": 9007199254740993, "near": 9007199254740992.0, "largest": 9223372036854775807,
  "smallest": -9223372036854775808, "zero": 0, "zeroFloat": 0.0, "yes": true, "no": false, "none": null,
  "list": ["a", 1, {"deep": 2.0}, ["x", "y"]], "object": {"0": "zero key", "007": "agent", "1": {"2": "both"}, "-1": "minus", "+1": "plus"},
  "a\\"b": {"c": 1}, "a.b": 2, "a\\\\b": 3, "ü\\n": 4, "": {"": 5}, "💥": 6, "it's": 7, "[0]": 8, "$": 9,
  "d": [[[[["deep"]]]]]
}`;

forEachDriver("dialect", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  beforeAll(async () => {
    await sql`insert into span_payloads (span_id, attributes, events)
      values (1, ${store.storage.dialect.json(ATTRIBUTES)}, ${store.storage.dialect.json("[]")})`.execute(database());
  });

  const database = () => store.storage.handle.write(store.context());
  const attributes = sql.ref("attributes") as Expression<unknown>;
  const matches = async (condition: RawBuilder<boolean>) => {
    const { rows } = await sql`select 1 from span_payloads where ${condition}`.execute(database());
    return rows.length === 1;
  };
  const equals = (path: readonly string[], value: Json) =>
    matches(store.storage.dialect.jsonScalarEquals(attributes, path, value));

  /** The keys of `keys` whose value equals `value`. */
  async function found(value: Json, keys: readonly string[]): Promise<string[]> {
    const hits = await Promise.all(keys.map((key) => equals([key], value)));
    return keys.filter((_, position) => hits[position]);
  }

  const scalars = Object.keys(JSON.parse(ATTRIBUTES) as object).filter((key) => /^\w+$/.test(key));

  test.each([
    ["1", ["one", "oneFloat"]],
    ["1.0", ["oneFloat"]],
    ["1.5", ["half"]],
    ["0.0000001", ["tiny"]],
    ["1e-7", ["tiny"]],
    ["-3", ["negative", "negativeFloat"]],
    ["-3.0", ["negativeFloat"]],
    ["1e20", ["twenty"]],
    ["100000000000000000000", ["twenty"]],
    ["1e300", ["huge"]],
    ["9007199254740993", ["big"]],
    ["9007199254740992", ["near"]],
    ["9007199254740992.0", ["near"]],
    ["9223372036854775807", ["largest"]],
    ["-9223372036854775808", ["smallest"]],
    ["9223372036854775806", []],
    ["0", ["zero", "zeroFloat"]],
    ["0.0", ["zeroFloat"]],
    ["-0.0", ["zeroFloat"]],
    ["true", ["yes"]],
    ["false", ["no"]],
    ['"true"', ["word"]],
    ['"12345"', ["digits"]],
    ["12345", []],
    ['"gpt-4"', ["text"]],
    ['"GPT-4"', []],
    ['"gpt"', []],
    ['""', ["empty"]],
    ['"Ünïcödé"', ["umlaut"]],
    [String.raw`"it's \"so\" \\ 100%_"`, ["quote"]],
    ["null", []],
    ["[]", []],
    ["{}", []],
  ])("the scalar %s equals what its type allows", async (text, keys) => {
    expect(await found(parseJson(text), scalars)).toEqual(keys);
  });

  test.each([
    [['a"b', "c"], "1", true],
    [["a.b"], "2", true],
    [["a", "b"], "2", false],
    [["a\\b"], "3", true],
    [["ü\n"], "4", true],
    [["", ""], "5", true],
    [["💥"], "6", true],
    [["it's"], "7", true],
    [["[0]"], "8", true],
    [["$"], "9", true],
    [["object", "0"], '"zero key"', true],
    [["object", "007"], '"agent"', true],
    [["object", "7"], '"agent"', false],
    [["object", "1", "2"], '"both"', true],
    [["object", "-1"], '"minus"', true],
    [["object", "+1"], '"plus"', true],
    [["list", "0"], '"a"', true],
    [["list", "1"], "1", true],
    [["list", "2", "deep"], "2.0", true],
    [["list", "3", "1"], '"y"', true],
    [["list", "9"], '"a"', false],
    [["list", "-1"], '"a"', false],
    [["list", "-4"], '"a"', false],
    [["list", "+1"], "1", false],
    [["list", " 1"], "1", false],
    [["list", "١"], "1", false],
    [["list", "99999999999999999999"], '"a"', false],
    [["d", "0", "0", "0", "0"], '"deep"', false],
    [["d", "0", "0", "0", "0", "0"], '"deep"', false],
    [["text", "0"], '"g"', false],
    [["text", "more"], '"gpt-4"', false],
    [["missing"], '"gpt-4"', false],
    [["missing", "0", "x"], "1", false],
    [["list"], '"a"', false],
    [["nul\0"], "1", false],
  ] as const)("the path %j with %s: %p", async (path, value, expected) => {
    expect(await equals(path, parseJson(value))).toBe(expected);
  });

  test("text is found whatever its case, in any script, and `%`, `_` and quotes stand for themselves", async () => {
    const contains = async (text: string | null, needle: string) => {
      const value = sql<string>`cast(${text} as text)`;
      return matches(store.storage.dialect.containsIgnoringCase(value, needle));
    };
    const answers: boolean[] = await Promise.all([
      contains("Die STRAẞE in ÄÖÜ", "äöü"),
      contains("Прощай, МИР", "мир"),
      contains("прощай", "ПРОЩ"),
      contains("ΟΔΥΣΣΕΎΣ ὁ", "οδυσσεύς"),
      contains("İstanbul", "İSTANBUL"),
      contains("100 % sure_", "% S"),
      contains("100 % sure_", "e_"),
      contains('it\'s "so" \\', '\'S "SO" \\'),
      contains("日本語", "本"),
      contains("anything", ""),
      contains("100 per cent", "%"),
      contains("sure", "_"),
      contains("short", "longer than short"),
      contains(null, "x"),
      contains("nul", "nul\0"),
    ]);
    expect(answers).toEqual([...Array<boolean>(10).fill(true), ...Array<boolean>(5).fill(false)]);
  });

  test("a list of values is one parameter; an empty one matches nothing, whatever the type of the column", async () => {
    const { inList } = store.storage.dialect;
    const id = sql.ref("span_id");
    const text = sql`cast('ü%' as text)`;
    const many = Array.from({ length: 100_000 }, (_, position) => position + 1);
    expect(
      await Promise.all([
        matches(inList(id, [3, 2, 1])),
        matches(inList(id, many)),
        matches(inList(text, ["a", "ü%"])),
        matches(inList(id, [2, 3])),
        matches(inList(id, [])),
        matches(inList(text, [])),
        matches(inList(text, ["", "u%", "ü%\0"])),
      ]),
    ).toEqual([true, true, true, false, false, false, false]);
  });

  test("rows of integers are a table, with nulls, up to the edges of 64 bits", async () => {
    const rows = [
      [1, null, 2 ** 40],
      [2, -5, Number.MIN_SAFE_INTEGER],
      [3, 0, parseJson("9223372036854775807") as never],
    ];
    const table = store.storage.dialect.integerRows(["id", "other", "large"], rows);
    const selected = await sql<{ id: number; other: number | null; large: string }>`
      select id, other, cast(large as text) as large from ${table} as given order by id`.execute(database());
    expect(selected.rows).toEqual([
      { id: 1, other: null, large: String(2 ** 40) },
      { id: 2, other: -5, large: String(Number.MIN_SAFE_INTEGER) },
      { id: 3, other: 0, large: "9223372036854775807" },
    ]);
    const none = store.storage.dialect.integerRows(["id"], []);
    expect((await sql`select id from ${none} as given`.execute(database())).rows).toEqual([]);
  });

  test("a query runs for each of the integers, with its own limit", async () => {
    const of = store.storage.dialect.rowsOfEach(
      [3, 10, 7],
      (value) => sql`select ${value} + span_id as id from span_payloads order by span_id limit 1`,
    );
    const { rows } = await sql<{ id: number }>`select id from ${of} as given order by id`.execute(database());
    expect(rows).toEqual([{ id: 4 }, { id: 8 }, { id: 11 }]);
  });

  test("stored JSON comes back with the kinds and digits of its numbers", async () => {
    const json = store.storage.dialect.jsonText(attributes);
    const { rows } = await sql<{ text: string }>`select ${json} as text from span_payloads`.execute(database());
    const stored = parseJson(rows[0]!.text) as Record<string, unknown>;
    const expected = parseJson(ATTRIBUTES) as Record<string, unknown>;
    for (const key of Object.keys(expected)) expect(stored[key]).toEqual(expected[key]);
    expect(Object.keys(stored).sort()).toEqual(Object.keys(expected).sort());
  });

  const numbers = (values: readonly number[]) =>
    store.storage.dialect.integerRows(
      ["value"],
      values.map((value) => [value]),
    );

  test.each([
    [[], 0.5, null],
    [[7], 0.999, 7],
    [[1, 2, 4, 9], 0.5, 3],
    [[9, 4, 2, 1], 0, 1],
    [[9, 4, 2, 1], 1, 9],
    [[10, 20, 40, 90], 0.9, 75],
    [[1, 2], 0.3, 1.3],
  ] as const)("the quantile of %j at %p is %p", async (values, probability, expected) => {
    const quantile = store.storage.dialect.quantile(sql.ref<number>("value"), probability);
    const { rows } = await sql<{ found: number | null }>`
      select ${quantile} as found from ${numbers(values)} as given`.execute(database());
    expect(rows[0]?.found).toBe(expected);
  });

  test("the bins of instants are those that are worked out here, in every scale and zone", async () => {
    const instants = [
      "1970-01-01",
      "1999-12-31T23:59:59Z",
      "2000-02-29",
      "2024-01-01",
      "2024-02-29T23:30Z",
      "2026-08-31T22:15Z",
      // The clocks change in the middle of Europe, and in Cuba at midnight.
      ...["2026-03-29T00:59:59Z", "2026-03-29T01:00Z", "2026-10-25T00:30Z", "2026-10-25T01:30Z"],
      ...["2026-03-08T05:00Z", "2026-11-01T04:59:59Z", "2026-11-01T05:00Z"],
    ]
      .map((text) => Date.parse(text) * 1000)
      .flatMap((us) => [us + 86_400_000_000, us + 86_400_000_000 + 1, us + 2 * 86_400_000_000 - 1]);
    const range = [Date.parse("1969-01-01") * 1000, Date.parse("2028-01-01") * 1000] as const;
    const named = ["Europe/Berlin", "Australia/Lord_Howe", "America/Havana"].map(
      (name) => findZoneOffsets(name, ...range, 400)!,
    );
    const zones = [...[0, 345, -570].map((offsetMinutes) => ({ offsetMinutes })), ...named];
    for (const scale of timeScales) {
      for (const zone of zones) {
        const bins = { scale, ...zone };
        const { rows } = await sql<{ value: number; bin: number }>`
          select value, ${store.storage.dialect.timeBin(sql.ref("value"), bins)} as bin
          from ${numbers(instants)} as given`.execute(database());
        expect(rows).toEqual(instants.map((value) => ({ value, bin: binOf(value, bins) })));
        for (const { value, bin } of rows) {
          expect(beginOfBin(bin, bins)).toBeLessThanOrEqual(value);
          expect(beginOfBin(bin + 1, bins)).toBeGreaterThan(value);
          expect(binOf(beginOfBin(bin, bins), bins)).toBe(bin);
        }
      }
    }
  });
});
