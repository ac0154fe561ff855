import { describe, expect, test } from "bun:test";
import { callOf, priceCall } from "../../src/costs/price-call.ts";
import { createPriceList } from "../../src/costs/price-list.ts";
import { readPricesFile } from "../../src/costs/prices-file.ts";

const BUILT_IN = await Bun.file(new URL("../../src/costs/built-in-prices.json", import.meta.url)).text();
const NOW_US = Date.parse("2026-11-23T00:00:00Z") * 1000;

const entry = { name: "acme", pattern: "^acme$", prompt: { input: 1 }, completion: { output: 2 } };
const fileOf = (...models: unknown[]) => JSON.stringify({ models });

describe("the built-in prices", () => {
  const models = readPricesFile(BUILT_IN);
  const list = createPriceList(models, 1);

  test("tell every model by an id that stays", () => {
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
    expect(readPricesFile(BUILT_IN).map(({ id }) => id)).toEqual(models.map(({ id }) => id));
  });

  test("say where each price is from", () => {
    for (const { source } of models) expect(source).toStartWith("https://");
  });

  // Prices as the pages of the providers say them, in 10^-12 USD a token.
  test.each([
    ["gpt-4o", "openai", [2_500_000, 10_000_000]],
    ["GPT-4o", null, [2_500_000, 10_000_000]],
    ["gpt-4o-mini", "azure", [150_000, 600_000]],
    ["gpt-5", null, [1_250_000, 10_000_000]],
    ["gemini-2.5-pro", "google", [1_250_000, 10_000_000]],
    ["command-r-plus-08-2024", "cohere", [2_500_000, 10_000_000]],
  ] as const)("%s of %s", (name, provider, [input, output]) => {
    const call = callOf(
      { llm: { model_name: name, ...(provider && { provider }), token_count: { prompt: 1, completion: 1 } } },
      NOW_US,
    );
    expect(priceCall(list, call)).toMatchObject({ source: "price", prompt: input, completion: output });
  });

  test.each([
    ["claude-sonnet-4-5", "anthropic"],
    ["mistral-large-latest", "mistralai"],
    ["deepseek-chat", "deepseek"],
    ["grok-4", "xai"],
    ["anthropic.claude-sonnet-4-5-20250929-v1:0", "aws"],
    ["llama-3.3-70b-versatile", "groq"],
    ["meta-llama/Llama-3.3-70B-Instruct-Turbo", "together"],
    ["accounts/fireworks/models/deepseek-r1-0528", "fireworks"],
  ])("%s of %s is known", (name, provider) => {
    expect(list.findModel(name, provider, NOW_US)?.provider).toBe(provider);
  });

  test("a long prompt has prices of its own", () => {
    const call = callOf({ llm: { model_name: "gemini-2.5-pro", token_count: { prompt: 200_001 } } }, NOW_US);
    expect(priceCall(list, call)?.total).toBe(200_001 * 2_500_000);
  });

  test("an unknown model has no price", () => {
    expect(list.findModel("acme-7b", null, NOW_US)).toBeNull();
  });
});

describe("a file of an operator", () => {
  test("has prices from a day on", () => {
    const said = { from: "2026-11-01", provider: "acme", source: "our contract" };
    const [model] = readPricesFile(fileOf({ ...entry, ...said }));
    const startUs = Date.parse("2026-11-01") * 1000;
    expect(model).toMatchObject({ name: "acme", provider: "acme", startUs, source: "our contract" });
  });

  test("has numbers in every spelling of JSON", () => {
    const spelled = (number: string) =>
      readPricesFile(fileOf({ ...entry, prompt: { input: 2 } }).replace(":2}", `:${number}}`));
    for (const number of ["2.0", "2e0", "0.2E+1", "20e-1"]) expect(spelled(number)).toEqual(spelled("2"));
    expect(() => spelled("1e400")).toThrow("entry 1 (acme): prompt.input must be a price");
  });

  test.each([
    ["no object", "[]", "the file must be an object"],
    ["no models", "{}", "a list called models"],
    ["a broken line", '{"models": [\n{"name": "a"},\n{"name": "b",,}\n]}', "line 3: "],
    ["a text for an entry", fileOf(entry, "acme"), "entry 2 must be an object"],
    ["no name", fileOf({ ...entry, name: " " }), "entry 1 ( ): name must be a text"],
    ["a field that is not known", fileOf({ ...entry, until: "2026-01-01" }), "entry 1 (acme): until is not known"],
    ["a source that is no text", fileOf({ ...entry, source: 1 }), "entry 1 (acme): source must be a text"],
    ["a pattern that is none", fileOf({ ...entry, pattern: "([" }), "entry 1 (acme): The name pattern is not usable"],
    ["no price of the input", fileOf({ ...entry, prompt: {} }), "entry 1 (acme): prompt.input is missing"],
    ["no price of the output", fileOf({ ...entry, completion: { audio: 1 } }), "completion.output is missing"],
    ["a negative price", fileOf({ ...entry, prompt: { input: -1 } }), "prompt.input must be a price"],
    ["an absurd price", fileOf({ ...entry, prompt: { input: 1e10 } }), "prompt.input must be a price"],
    ["a day that is none", fileOf({ ...entry, from: "soon" }), "from must be a date"],
    [
      "a tier without a bound",
      fileOf({ ...entry, prompt: { input: { base: 1, tiers: [{ price: 1 }] } } }),
      "prompt.input.tiers[0].above must be",
    ],
  ])("%s is refused", (_what, text, message) => {
    expect(() => readPricesFile(text)).toThrow(message);
  });
});
