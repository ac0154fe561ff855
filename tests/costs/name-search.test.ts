// Patterns that people write and names that senders send: together they take a bounded count of steps, and what they keep is bounded.
import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { compileNamePattern, MAX_STEPS_PER_NAME } from "../../src/costs/name-pattern.ts";
import type { PatternProblem } from "../../src/costs/name-search.ts";
import { createPriceList, type PricedModel } from "../../src/costs/price-list.ts";

const NOW_US = Date.parse("2026-11-23T00:00:00Z") * 1000;
const model = (id: number, namePattern: string, more: Partial<PricedModel> = {}): PricedModel => ({
  ...{ id, name: `model ${id}`, namePattern, provider: null, startUs: null, isBuiltIn: false, prices: [] },
  ...more,
});
/** As many states as a pattern may have, each of them entered at every character of `a`. */
const expensive = (letter: string) => `(?:(?:a?){120}){2}[bc]{3}${letter}N$`;
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567";
const LONG = "a".repeat(1000);

function listOf(models: readonly PricedModel[]) {
  const problems: PatternProblem[] = [];
  const list = createPriceList(models, 1, { onProblem: (problem) => problems.push(problem) });
  /** Steps that a name takes, beside the model that is found. */
  const search = (name: string, left = Number.MAX_SAFE_INTEGER) => {
    const budget = { left };
    const found = list.findModel(name, null, NOW_US, budget);
    return { id: found?.id ?? null, steps: left - budget.left };
  };
  return { list, problems, search };
}

describe("sixty expensive patterns", () => {
  const { list, problems, search } = listOf([...letters].map((letter, id) => model(id, expensive(letter))));

  test("one name takes the steps of a name, once, and the patterns that took them are named", () => {
    const { id, steps } = search(LONG);
    expect(id).toBeNull();
    expect(steps).toBeGreaterThan(MAX_STEPS_PER_NAME);
    expect(steps).toBeLessThan(MAX_STEPS_PER_NAME + 1000);
    expect(list.isTooExpensive(LONG)).toBe(true);
    expect(problems[0]).toMatchObject({ modelName: "model 0", namePattern: expensive("a") });
    expect(problems[0]!.problem).toStartWith("too expensive: a name has no price");
    expect(problems.length).toBeLessThanOrEqual(3);
    const reported = problems.length;
    expect(search(LONG).steps).toBe(0);
    expect(search(`${LONG}b`).steps).toBe(0);
    expect(search(`b${LONG}`).steps).toBeGreaterThan(0);
    expect(problems.length).toBe(reported);
  });

  test("names that share a budget end with it, and have their turn later", () => {
    const names = Array.from({ length: 50 }, (_, at) => `${at} ${LONG}`);
    const budget = { left: 5 * MAX_STEPS_PER_NAME };
    for (const name of names) expect(list.findModel(name, null, NOW_US, budget)).toBeNull();
    expect(budget.left).toBeGreaterThan(-1000);
    expect(search(names[0]!).steps).toBe(0);
    expect(search(names[49]!).steps).toBeGreaterThan(0);
  });

  test("a name that they are done with in time has its price", () => {
    const both = listOf([
      model(1, "^gpt"),
      model(2, "acme-7b"),
      ...[...letters].map((one, id) => model(id + 3, `^x${expensive(one)}`)),
    ]);
    expect(both.search("gpt-5").id).toBe(1);
    expect(both.search("openai/acme-7b-instruct").id).toBe(2);
    expect(both.problems).toEqual([]);
  });
});

test("a thousand patterns of a common form are far from the budget", () => {
  const { search } = listOf([
    ...Array.from({ length: 1000 }, (_, id) => model(id, `acme-${id}b`)),
    model(1000, "(?i)^my-.*-model$"),
  ]);
  const { id, steps } = search("my-rather-long-name-of-a-fine-tuned-model");
  expect(id).toBe(1000);
  expect(steps).toBeLessThan(MAX_STEPS_PER_NAME / 2);
});

describe("patterns that are too large", () => {
  test.each(["^(?:(?:a?){500}){4}[bc]{3}qN$", "((((){1000}){1000}){1000}){1000}", `^${"a".repeat(520)}$`])(
    "%s is refused",
    (pattern) => {
      expect(() => compileNamePattern(pattern)).toThrow("has more than 512 states");
    },
  );

  test("stored ones are skipped and reported once, and the others price on", () => {
    const { search, problems } = listOf([
      model(1, "(?:a{400}){4}"),
      model(2, "(?:a{400}){4}"),
      model(3, "(?=a)"),
      model(4, "acme"),
    ]);
    expect(search("acme").id).toBe(4);
    expect(problems.map(({ modelName, problem }) => [modelName, problem.slice(0, 8)])).toEqual([
      ["model 1", "skipped:"],
      ["model 3", "skipped:"],
    ]);
  });

  test("a set counts by its members", () => {
    const set = `[${Array.from({ length: 900 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("")}]`;
    const { search } = listOf([model(1, `${set}x$`)]);
    expect(search("a".repeat(200)).steps).toBeGreaterThan(200 * 900 - 1);
  });
});

test("of a name the first 256 characters count", () => {
  const { search } = listOf([model(1, "😀{256}$"), model(2, "ab$")]);
  expect(search(`${"😀".repeat(256)}ab`).id).toBe(1);
  expect(search(`${"😀".repeat(254)}ab`).id).toBe(2);
});

test("of the names those that were used last are kept", () => {
  const { search } = listOf([model(1, "acme"), model(2, "other", { provider: "p" })]);
  search("acme");
  for (let at = 0; at < 5000; at++) {
    expect(search(`name ${at}`).steps).toBeGreaterThan(0);
    expect(search("acme")).toEqual({ id: 1, steps: 0 });
  }
  expect(search("name 4999").steps).toBe(0);
  expect(search("name 0").steps).toBeGreaterThan(0);
});

test("a name is searched for once, whatever provider comes with it", () => {
  const { list } = listOf([model(1, "acme"), model(2, "acme", { provider: "p" })]);
  const budget = { left: 1_000_000 };
  expect(list.findModel("acme", "p", NOW_US, budget)?.id).toBe(2);
  const { left } = budget;
  for (const provider of ["q", " p ", null, ""]) list.findModel("acme", provider, NOW_US, budget);
  expect(budget.left).toBe(left);
  expect(list.findModel("acme", "q", NOW_US, budget)?.id).toBe(2);
});

test("of names that hundreds of patterns are found in, little is kept", () => {
  const { list } = listOf(
    Array.from({ length: 200 }, (_, id) => model(id, `.|${id}`, { provider: `p${id}`, startUs: id })),
  );
  const objects = () => {
    Bun.gc(true);
    return heapStats().objectCount;
  };
  const before = objects();
  for (let at = 0; at < 200; at++) expect(list.findModel(`name ${at}`, `p${at}`, NOW_US)?.id).toBe(at);
  for (let at = 0; at < 200; at++) expect(list.findModel("name 0", `p${at}`, at)?.id).toBe(at);
  // Two objects for each pattern and name were 80,000 and more.
  expect(objects() - before).toBeLessThan(20_000);
});
