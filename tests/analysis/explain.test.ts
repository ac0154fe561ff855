// What explains a selection: the vectors, exact arithmetic, and generated items with a planted cause.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { explain } from "../../src/analysis/explain/explanation.ts";
import { falseDiscoveryRates, fisherUpperTail } from "../../src/analysis/explain/significance.ts";
import { type ItemValue, ValueTally } from "../../src/analysis/explain/value-tally.ts";
import { drawFrom } from "../../src/demo-data/draw.ts";
import { vectorRows } from "./vectors.ts";

interface ExplainRow {
  readonly items: readonly ({ readonly selected: boolean } & Readonly<Record<string, string | boolean>>)[];
  readonly cause: string | null;
  readonly values: readonly Readonly<
    Record<"selected_with" | "selected_without" | "rest_with" | "rest_without" | "lift" | "p" | "q", number> & {
      key: string;
      value: string;
    }
  >[];
  readonly significant: readonly string[];
}

test("the vectors of explanations", async () => {
  const rows = await vectorRows<ExplainRow>("explain");
  expect(rows.length).toBe(20);
  for (const row of rows) {
    const tally = new ValueTally();
    for (const { selected, ...values } of row.items) tally.add(selected, Object.entries(values) as [string, string][]);
    const { values } = explain(tally);
    const byName = new Map(values.map((each) => [`${each.key}=${each.value}`, each]));
    expect([...byName.keys()].sort()).toEqual(row.values.map(({ key, value }) => `${key}=${value}`).sort());
    for (const each of row.values) {
      const found = byName.get(`${each.key}=${each.value}`)!;
      expect([found.selectedWith, found.selectedWithout, found.restWith, found.restWithout]).toEqual([
        each.selected_with,
        each.selected_without,
        each.rest_with,
        each.rest_without,
      ]);
      for (const name of ["lift", "p", "q"] as const) expect(Math.abs(found[name] - each[name])).toBeLessThan(1e-9);
      // The small ones are right, too, not only small.
      expect(Math.abs(found.p / each.p - 1)).toBeLessThan(1e-9);
    }
    const significant = values.filter(({ isSignificant }) => isSignificant).map(({ key, value }) => `${key}=${value}`);
    expect(significant.sort()).toEqual([...row.significant].sort());
  }
});

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let at = 0; at < k; at++) result = (result * BigInt(n - at)) / BigInt(at + 1);
  return k < 0 || k > n ? 0n : result;
}

describe("significance", () => {
  test("is that of exact fractions", () => {
    const table = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(60), fc.nat(200));
    fc.assert(
      fc.property(table, ([a, b, c, d]) => {
        const [selected, withValue, all] = [a + b, a + c, a + b + c + d];
        let tail = 0n;
        for (let x = a; x <= Math.min(selected, withValue); x++)
          tail += choose(withValue, x) * choose(all - withValue, selected - x);
        const total = choose(all, selected);
        const exact = Number((tail * 10n ** 40n) / total) / 1e40;
        const { p, logP } = fisherUpperTail(a, selected, withValue, all);
        if (exact > 1e-20) expect(Math.abs(p / exact - 1)).toBeLessThan(1e-10);
        else expect(p).toBeLessThan(1.1e-20);
        expect(p).toBeLessThanOrEqual(1);
        expect(Math.abs(Math.exp(logP) - p)).toBeLessThan(1e-12);
      }),
      { numRuns: 1000 },
    );
  });

  test("has a logarithm where the probability is too small for a number", () => {
    const { p, logP } = fisherUpperTail(5000, 5000, 5000, 50_000);
    expect(p).toBe(0);
    // 1 / (50,000 over 5,000)
    expect(logP).toBeCloseTo(-16_249.024, 2);
    expect(fisherUpperTail(0, 10, 0, 100)).toEqual({ p: 1, logP: 0 });
    expect(fisherUpperTail(10, 10, 100, 100)).toEqual({ p: 1, logP: 0 });
  });

  test("is corrected as the definition says", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (ps) => {
        const expected = ps.map((p) => {
          const later = ps.filter((each) => each >= p);
          return Math.min(1, ...later.map((each) => (each * ps.length) / ps.filter((other) => other <= each).length));
        });
        falseDiscoveryRates(ps).forEach((rate, at) => void expect(rate).toBeCloseTo(expected[at]!, 12));
      }),
    );
  });
});

function tallyOf(items: readonly (readonly [boolean, Readonly<Record<string, ItemValue>>])[]): ValueTally {
  const tally = new ValueTally();
  for (const [isSelected, values] of items) tally.add(isSelected, Object.entries(values));
  return tally;
}

describe("a planted cause", () => {
  /** Items whose selection depends on one value; others depend on it loosely, or on nothing. */
  function planted(seed: number) {
    const draw = drawFrom(seed);
    const whole = (most: number) => Math.floor(draw.between(0, most));
    const key = draw.pick(["model", "version", "tool", "region", "length"]);
    const [strength, noise] = [draw.between(0.35, 0.95), draw.between(0.01, 0.1)];
    const items = Array.from({ length: 400 + whole(800) }, () => {
      const version = `2.${whole(6)}`;
      const values: Record<string, ItemValue> = {
        model: draw.pick(["gpt-4o", "gpt-4o-mini", "claude", "gemini"]),
        version,
        // Mostly the version says which build it is.
        build: draw.between(0, 1) < 0.7 ? `build ${version}` : `build ${whole(40)}`,
        tool: ["search", "lookup", "mail", "pay", "read"].filter(() => draw.between(0, 1) < 0.4),
        region: draw.pick(["eu", "us", "ap"]),
        user: `u${whole(300)}`,
        length: whole(8000),
        trace: draw.hex(8),
        constant: "same",
      };
      const isCause = {
        model: values.model === "claude",
        version: version === "2.3",
        tool: (values.tool as string[]).includes("pay"),
        region: values.region === "ap",
        length: (values.length as number) >= 7000,
      }[key]!;
      return [draw.between(0, 1) < (isCause ? strength : noise), values] as const;
    });
    return { key, items };
  }

  test("is the first of all in 95 % of the sets, and what it has nothing to do with is not significant", () => {
    let first = 0;
    let falsely = 0;
    const sets = 60;
    fc.assert(
      fc.property(fc.integer({ max: 1e9 }), (from) => {
        [first, falsely] = [0, 0];
        for (let seed = from; seed < from + sets; seed++) {
          const { key, items } = planted(seed);
          const { values, tooRare, notDistinguishing } = explain(tallyOf(items));
          const expected: Record<string, string> = { model: "claude", version: "2.3", tool: "pay", region: "ap" };
          const [strongest] = values;
          if (strongest!.key === key && (key === "length" || strongest!.value === expected[key])) first++;
          falsely += values.filter((each) => each.isSignificant && each.key === "user").length;
          expect(tooRare).toContain("trace");
          expect(notDistinguishing).toContain("constant");
        }
        expect(first).toBeGreaterThanOrEqual(sets * 0.95);
        expect(falsely).toBeLessThanOrEqual(sets * 0.1);
      }),
      { numRuns: 1 },
    );
  });
});

describe("what is counted", () => {
  test("a value of several is counted once an item, and one that is absent not at all", () => {
    const tally = tallyOf([
      [true, { tool: ["a", "b", "a"], model: null }],
      [false, { tool: ["a"] }],
    ]);
    expect(tally.counts().map(({ value, selectedWith, restWith }) => [value, selectedWith, restWith])).toEqual([
      ["a", 1, 1],
      ["b", 1, 0],
    ]);
  });

  test("numbers lie in ranges that hold every one of them once, and as many as equal ones allow", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(40)), { minLength: 1, maxLength: 200 }), (drawn) => {
        const counts = tallyOf(drawn.map(([isSelected, n]) => [isSelected, { n }])).counts();
        for (const { range, selectedWith, restWith } of counts) {
          const inside = drawn.filter(([, n]) => n >= range!.min && (range!.max === null || n < range!.max));
          expect([selectedWith, restWith]).toEqual([
            inside.filter(([is]) => is).length,
            inside.filter(([is]) => !is).length,
          ]);
        }
        expect(counts.reduce((sum, { selectedWith, restWith }) => sum + selectedWith + restWith, 0)).toBe(drawn.length);
      }),
    );
  });

  test("counts of a database give what the items give", () => {
    const items = Array.from({ length: 40 }, (_, at) => [at < 12, { k: at % 3 === 0 || at < 9 ? "x" : "y" }] as const);
    const one = tallyOf(items);
    const counted = new ValueTally();
    counted.addCounted(12, 28, one.counts());
    expect(explain(counted)).toEqual(explain(one));
  });

  test("too few items explain nothing", () => {
    const items = Array.from({ length: 100 }, (_, at) => [at < 4, { k: at < 6 ? "x" : "y" }] as const);
    const { isTooFew, values } = explain(tallyOf(items));
    expect(isTooFew).toBe(true);
    expect(values.some(({ isSignificant }) => isSignificant)).toBe(false);
    expect(explain(new ValueTally())).toMatchObject({ isTooFew: true, values: [] });
  });

  test("an attribute with more values than are counted is named", () => {
    const tally = new ValueTally();
    for (let at = 0; at < 20_010; at++)
      tally.add(at % 2 === 0, [
        ["id", String(at)],
        ["k", "x"],
      ]);
    expect(explain(tally).incomplete).toEqual(["id"]);
    expect(tally.counts().length).toBe(20_001);
  });
});
