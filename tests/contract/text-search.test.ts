// Search without letter case means the same in both databases and in this program, for any script.

import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { postgresDifferences } from "../../src/filter/postgres-sql.ts";
import { sqliteDifferences } from "../../src/filter/sqlite-sql.ts";
import { containsFolded, foldCase } from "../../src/kernel/fold-case.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

/** Letters that fold in unusual ways, beside ordinary ones of several scripts, and signs of patterns. */
const PIECES = [
  ..."aAbiIıİkKKsSſßẞfFﬁﬀﬃlLﬂtTﬅnNŉjJǰ",
  ..."äÄåÅÅéÉμΜµσΣςάΆᾳᾼαΑιΙͅжЖ",
  ..."ևԵՒև本語عربเ हि0%_\\*[] .",
  "e\u0301",
  "i\u0307",
  "\u0307",
  "𐐀",
  "𐐨",
  "Straße",
  "ΟΔΟΣ ",
];
const PAIRS = 1500;

/** The same texts in every run. */
function* generated(): Generator<{ readonly text: string; readonly needle: string }> {
  let state = 20_261_121;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  const word = (length: number) => Array.from({ length }, () => PIECES[below(PIECES.length)]!).join("");
  for (let pair = 0; pair < PAIRS; pair++) {
    const text = word(3 + below(10));
    const at = below(text.length);
    const part = Array.from(text.slice(at, at + 1 + below(5)).toWellFormed());
    const cased = part.map((letter) => (below(2) === 0 ? letter.toUpperCase() : letter.toLowerCase())).join("");
    yield { text, needle: below(4) === 0 ? word(1 + below(2)) : cased };
  }
}

describe("generated texts", () => {
  test("hold matches and others", () => {
    const found = [...generated()].filter(({ text, needle }) => containsFolded(text, foldCase(needle)));
    expect(found.length).toBeWithin(PAIRS / 2, PAIRS - 100);
  });
});

forEachDriver("search of texts", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));

  const differences = driver.name === "sqlite" ? sqliteDifferences : postgresDifferences;

  /** One statement for many pairs: the answer of the dialect and those of the filter language. */
  async function answers(pairs: readonly { readonly text: string; readonly needle: string }[]) {
    const context = store.context();
    const rows = pairs.map(({ text, needle }, at) => {
      const value = sql<string>`cast(${text} as text)`;
      const inDialect = store.storage.dialect.containsIgnoringCase(sql.ref("t"), needle);
      const literal = differences.containsLiteral(sql.ref("t"), needle);
      const both = differences.contains(sql.ref("t"), sql`cast(${needle} as text)`);
      const answer = (condition: typeof inDialect) => sql`case when ${condition} then 1 else 0 end`;
      return sql`select ${sql.lit(at)} as position, ${answer(inDialect)} + 2 * ${answer(literal)} + 4 * ${answer(both)} as answer
        from (select ${value} as t) as given`;
    });
    const query = sql<{ position: number; answer: number }>`${sql.join(rows, sql` union all `)}`;
    const found = await query.execute(context.database.read(context, "short"));
    return found.rows.sort((a, b) => a.position - b.position).map((row) => Number(row.answer));
  }

  test("every generated text is found exactly where its folded form holds that of the needle", async () => {
    const pairs = [...generated()];
    const wrong: string[] = [];
    for (let first = 0; first < pairs.length; first += 250) {
      const chunk = pairs.slice(first, first + 250);
      const found = await answers(chunk);
      chunk.forEach(({ text, needle }, at) => {
        const expected = containsFolded(text, foldCase(needle)) ? 7 : 0;
        if (found[at] !== expected) wrong.push(`${JSON.stringify(needle)} in ${JSON.stringify(text)}: ${found[at]}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test("scripts without letter case are searched too, and an absent text contains nothing", async () => {
    const pairs = [
      { text: "مرحبا بالعالم", needle: "بالعالم" },
      { text: "你好，世界", needle: "世界" },
      { text: "สวัสดีชาวโลก", needle: "ชาว" },
      { text: "नमस्ते दुनिया", needle: "दुनिया" },
      { text: "שלום עולם", needle: "עולם" },
      { text: "你好", needle: "世界" },
    ];
    expect(await answers(pairs)).toEqual([7, 7, 7, 7, 7, 0]);
    const context = store.context();
    const { rows } = await sql<{ answer: unknown }>`
      select ${store.storage.dialect.containsIgnoringCase(sql.ref("t"), "x")} as answer
      from (select cast(null as text) as t) as given`.execute(context.database.read(context, "short"));
    expect(rows).toEqual([{ answer: null }]);
  });
});
