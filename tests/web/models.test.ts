// Models as forms have them, and prices as people read and type them.
import { describe, expect, test } from "bun:test";
import { withRow } from "../../src/web/kit/form/field-rows.ts";
import {
  modelInputOf,
  modelProblems,
  modelValuesOf,
  priceFrom,
} from "../../src/web/pages/server-settings/models/model-form.ts";
import { priceOf, priceText } from "../../src/web/pages/server-settings/models/price-text.ts";
import { namesOf, patternOf } from "../../src/web/pages/server-settings/models/used-names.ts";
import { endsOf, hostOf } from "../../src/web/pages/server-settings/models/validity.ts";

const model: NonNullable<Parameters<typeof modelValuesOf>[0]> = {
  id: "1",
  name: "gpt",
  provider: "openai",
  namePattern: "^gpt$",
  kind: "BUILT_IN",
  startTime: "2026-11-01T00:00:00+00:00",
  updatedAt: "2026-11-01T00:00:00+00:00",
  lastUsedAt: null,
  priceSource: null,
  tokenPrices: [
    { tokenType: "cache_read", kind: "PROMPT", costPerMillionTokens: 0.0375, tiers: [] },
    { tokenType: "output", kind: "COMPLETION", costPerMillionTokens: 10, tiers: [] },
    {
      ...{ tokenType: "input", kind: "PROMPT", costPerMillionTokens: 0.000001 },
      tiers: [{ abovePromptTokens: 200_000, costPerMillionTokens: 2.5 }],
    },
  ],
};

test("a copy of a model says the same again, input and output first", () => {
  const values = modelValuesOf(model, "utc");
  expect(values.start).toBe("2026-11-01T00:00:00");
  expect(values.prices.map(({ tokenType, price }) => [tokenType, price])).toEqual([
    ["output", "10"],
    ["input", "0.000001"],
    ["cache_read", "0.0375"],
  ]);
  const { costs, ...input } = modelInputOf(values, "utc");
  expect(input).toEqual({
    ...{ name: "gpt", provider: "openai", namePattern: "^gpt$", startTime: "2026-11-01T00:00:00.000Z" },
  });
  const byType = (prices: readonly { readonly tokenType: string }[]) =>
    prices.toSorted((one, other) => one.tokenType.localeCompare(other.tokenType));
  expect(byType(costs)).toEqual(byType(model.tokenPrices));
});

test("a new model has neither provider nor start, and lacks everything else", () => {
  const values = modelValuesOf(null, "utc");
  expect(modelInputOf(values, "utc")).toMatchObject({ provider: null, startTime: null });
  expect(Object.keys(modelProblems(values)).filter((name) => modelProblems(values)[name as "name"])).toEqual([
    ...["name", "namePattern", "prices"],
  ]);
});

test.each([
  ["^gpt-4o", null],
  [".+", null],
  ["", "Enter a pattern"],
  [".*", "It is found in every name. If that is meant, write .+"],
  ["gpt(", "The name pattern is not usable: a group that is not closed at character 4"],
])("the pattern %p is refused with %p", (namePattern, problem) => {
  expect(modelProblems({ ...modelValuesOf(model, "utc"), namePattern }).namePattern).toBe(problem);
});

test("names in spans are put together over projects, and are patterns of themselves", () => {
  const group = (value: string | null, tokens: number | null, unknownCount: number) => ({
    value,
    tokens,
    unknownCount,
  });
  expect(namesOf([group("a.b", 3, 1), group(null, 9, 9), group("c", null, 2), group(" a.b", 4, 1)])).toEqual([
    { name: "a.b", tokens: 7, unknownCount: 2 },
    { name: "c", tokens: 0, unknownCount: 2 },
  ]);
  expect(patternOf("acme/7b+v1.0")).toBe("^acme/7b\\+v1\\.0$");
});

describe("prices", () => {
  const values = modelValuesOf(model, "utc");
  const withPrices = (change: (rows: typeof values.prices) => typeof values.prices) =>
    modelProblems({ ...values, prices: change(values.prices) }).prices;

  test("need a kind each, and no kind twice", () => {
    expect(modelProblems(values).prices).toBeNull();
    const added = { kind: "PROMPT", price: "1", tiers: [] } as const;
    expect(withPrices((rows) => withRow(rows, { ...added, tokenType: " " }))).toBe("Each price needs a kind of token");
    expect(withPrices((rows) => withRow(rows, { ...added, tokenType: "cache_read " }))).toBe(
      "A kind of token has two prices",
    );
    expect(withPrices((rows) => withRow(rows, { ...added, tokenType: "cache_read", kind: "COMPLETION" }))).toBeNull();
  });

  test("of long prompts need whole bounds, each once", () => {
    const withTiers = (...bounds: string[]) =>
      withPrices((rows) =>
        rows.map((row) => ({ ...row, tiers: bounds.map((above, key) => ({ key, above, price: "1" })) })),
      );
    expect(withTiers("200,000", "1000000")).toBeNull();
    expect(withTiers("0.5")).toBe("Bounds of prompts are whole numbers");
    expect(withTiers("")).toBe("Bounds of prompts are whole numbers");
    expect(withTiers("200000", "200 000")).toBe("A bound has two prices");
  });

  test.each([
    ["2.5", 2.5],
    [" $ .075 ", 0.075],
    ["0,3", 0.3],
    ["0", 0],
    ["1.0000001", null],
    ["-1", null],
    ["1e-3", null],
    ["free", null],
    ["", null],
  ])("typed as %p are %p", (typed, price) => expect(priceFrom(typed)).toBe(price));

  test("are written with every digit", () => {
    expect([2.5, 0.0375, 1000, 0].map(priceText)).toEqual(["$2.50", "$0.0375", "$1,000.00", "$0.00"]);
    expect(priceOf(model.tokenPrices, "input", "PROMPT")).toBe("$0.000001 +");
    expect(priceOf(model.tokenPrices, "output", "PROMPT")).toBe("–");
  });
});

test("prices end where newer ones of the same names begin", () => {
  const dated = (id: string, startTime: string | null, provider = "acme") => ({
    ...{ id, startTime, provider, kind: "BUILT_IN" as const, namePattern: "^acme$" },
  });
  const ends = endsOf([
    dated("third", "2026-07-30T00:00:00+00:00"),
    dated("first", null),
    dated("second", "2026-03-01T00:00:00+00:00"),
    dated("other", "2026-05-01T00:00:00+00:00", "other"),
  ]);
  expect([...ends].sort()).toEqual([
    ["first", "2026-03-01T00:00:00+00:00"],
    ["second", "2026-07-30T00:00:00+00:00"],
  ]);
});

test("a source is called by its host, and is a link only where it is an address", () => {
  expect(hostOf("https://www.acme.test/prices#models")).toBe("acme.test");
  expect([hostOf("our contract"), hostOf("javascript:alert(1)"), hostOf("https:")]).toEqual([null, null, null]);
});
