import { describe, expect, test } from "bun:test";
import { compileNamePattern } from "../../src/costs/name-pattern.ts";
import { specificityOf } from "../../src/costs/pattern-specificity.ts";
import { callOf, priceCall } from "../../src/costs/price-call.ts";
import { createPriceList, type PricedModel, rateOf, UNITS_PER_USD } from "../../src/costs/price-list.ts";
import { costSourceCode, costSources } from "../../src/costs/span-cost.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { unflatten } from "../../src/model/attributes/unflatten.ts";
import { MAX_TOKENS_PER_SPAN } from "../../src/model/span.ts";
import vectors from "../vectors/costs.json" with { type: "json" };

const NOW_US = Date.parse("2026-11-23T00:00:00Z") * 1000;

const models: PricedModel[] = vectors.models.map((model, position) => ({
  id: position + 1,
  name: model.name,
  namePattern: model.namePattern,
  provider: "provider" in model ? model.provider! : null,
  startUs: "startTime" in model ? Date.parse(model.startTime!) * 1000 : null,
  isBuiltIn: false,
  prices: model.costs.map(({ tokenType, costPerMillionTokens, kind }) => ({
    tokenType,
    isPrompt: kind === "PROMPT",
    rate: rateOf(costPerMillionTokens)!,
  })),
}));
const list = createPriceList(models, 1);

function call(attributes: Record<string, unknown>) {
  return callOf(unflatten(Object.entries(attributes) as [string, Json][]) as JsonObject, NOW_US);
}

function usd(cost: number | null): number | null {
  return cost === null ? null : cost / UNITS_PER_USD;
}

describe("calls of the contract", () => {
  // Whether a span is a call of a model is decided by its kind, before it is priced.
  for (const { id, attrs, expect: expected } of vectors.vectors.filter(
    (vector) => vector.attrs["openinference.span.kind"] === "LLM",
  )) {
    test(id, () => {
      const cost = priceCall(list, call(attrs));
      if (expected === null) {
        expect(cost).toBeNull();
        return;
      }
      const sum = (cost!.promptTokens ?? 0) + (cost!.completionTokens ?? 0);
      expect({
        model: models.find((model) => model.id === cost!.modelId)?.name ?? null,
        total: [sum, usd(cost!.total)],
        prompt: [cost!.promptTokens, usd(cost!.prompt)],
        completion: [cost!.completionTokens, usd(cost!.completion)],
        details: cost!.details.map((detail) => [
          detail.tokenType,
          detail.isPrompt,
          detail.tokens,
          usd(detail.cost),
          detail.cost === null || detail.tokens === 0 ? null : usd(detail.cost)! / detail.tokens!,
        ]),
      }).toEqual(expected as never);
    });
  }
});

describe("amounts", () => {
  const named = { "llm.model_name": "vecmodel" };

  test("a cost that no 64 bits could sum up is unknown, and its counts stay", () => {
    const cost = priceCall(list, call({ ...named, "llm.token_count.prompt": 2 ** 53 }));
    expect(cost).toMatchObject({ source: "unknown", total: null, promptTokens: MAX_TOKENS_PER_SPAN });
  });

  test("what the sender says is used where no price is known, and kept beside ours", () => {
    const unknown = priceCall(
      list,
      call({ "llm.model_name": "nobody", "llm.cost.prompt": 0.1, "llm.cost.completion": 0.2 }),
    );
    expect(unknown).toMatchObject({ source: "given", prompt: 1e11, completion: 2e11, total: 3e11, given: 3e11 });
    const priced = priceCall(list, call({ ...named, "llm.token_count.prompt": 1, "gen_ai.usage.cost": 0.5 }));
    expect(priced).toMatchObject({ source: "price", total: 1e12, given: 5e11 });
    expect(priceCall(list, call({ "llm.model_name": "nobody", "llm.cost.total": -1 }))).toBeNull();
  });

  test("all tokens cost the price of the tier that the prompt reaches", () => {
    const prices = [
      { tokenType: "input", isPrompt: true, rate: 1, tiers: [{ abovePromptTokens: 200, rate: 2 }] },
      { tokenType: "output", isPrompt: false, rate: 10, tiers: [{ abovePromptTokens: 200, rate: 30 }] },
    ];
    const tiered = createPriceList([{ ...models[0]!, prices }], 2);
    const total = (prompt: number) =>
      priceCall(tiered, call({ ...named, "llm.token_count.prompt": prompt, "llm.token_count.completion": 1 }))!.total;
    expect([total(200), total(201)]).toEqual([210, 432]);
  });
});

test("codes of where an amount is from are never others", () => {
  expect(costSources.map((source) => [source, costSourceCode(source)])).toEqual([
    ["unknown", 0],
    ["price", 1],
    ["given", 2],
  ]);
});

test("own models come before built-in ones, however much those say", () => {
  const built = { ...models[0]!, id: 90, isBuiltIn: true };
  const both = createPriceList([built, { ...models[0]!, id: 91, namePattern: "vec" }], 3);
  expect(both.findModel("vecmodel", null, NOW_US)?.id).toBe(91);
  const twins = createPriceList([built, { ...built, id: 93 }], 4);
  expect(twins.findModel("vecmodel", null, NOW_US)?.id).toBe(90);
});

test("a price applies from its start on", () => {
  const later = createPriceList([{ ...models[0]!, startUs: NOW_US }], 5);
  expect(later.findModel("vecmodel", null, NOW_US - 1)).toBeNull();
  expect(later.findModel("vecmodel", null, NOW_US)?.name).toBe("vecmodel");
});

test("what patterns say about a name", () => {
  const expected: [string, number][] = [
    ["^abc$", 13010],
    ["abc", 3006],
    [".*", 1],
    ["[a-z]+", 362],
    ["\\d{3}", 360],
    ["gpt-4o", 6012],
    ["^gpt-4o$", 16016],
    ["(?i)^(gpt-4o)$", 16028],
    ["gpt-(35|3.5)-turbo", 13536],
    ["llama-3\\.3-70b", 12978],
    ["a|b", 1706],
    ["a{2,}", 910],
    ["^a", 6004],
  ];
  for (const [pattern, points] of expected) expect([pattern, specificityOf(pattern)]).toEqual([pattern, points]);
});

describe("patterns", () => {
  const rows: [pattern: string, name: string, isFound: boolean][] = [
    ["gpt", "my-gpt-4", true],
    ["^gpt", "my-gpt-4", false],
    ["(?i)GPT-4O$", "gpt-4o", true],
    ["GPT", "gpt", false],
    ["^a(?:b|cd)*e$", "abcdbe", true],
    ["^a(?:b|cd)*e$", "abcbe", false],
    ["^a{2,3}$", "aaa", true],
    ["^a{2,3}$", "aaaa", false],
    ["^(?P<family>claude)-[^a-z]+$", "claude-3.5", true],
    ["^[]a-c-]+$", "]b-", true],
    ["\\bpro\\b", "gemini-pro-3", true],
    ["\\bpro\\b", "approve", false],
    ["^\\d\\w\\s\\S$", "4_ x", true],
    ["a{,b", "a{,b", true],
    ["", "anything", true],
  ];
  for (const [pattern, name, isFound] of rows) {
    test(`${pattern} in ${name}`, () => {
      expect(compileNamePattern(pattern).isFoundIn(name)).toBe(isFound);
    });
  }

  test("none backtracks", () => {
    expect(compileNamePattern("^(a+)+(a|a)*(.*a){20}$").isFoundIn(`${"a".repeat(200)}!`)).toBe(false);
  });

  test.each([
    "([",
    "a(",
    "a)",
    "*a",
    "(?=a)",
    "(a)\\1",
    "[b-a]",
    "a**",
    "\\",
    "a{2000}",
    "((a{900}){900})",
    "a".repeat(1025),
  ])("%s is refused", (pattern) => {
    expect(() => compileNamePattern(pattern)).toThrow("The name pattern is not usable");
  });
});
