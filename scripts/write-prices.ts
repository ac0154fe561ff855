// Writes the built-in prices from the package @pydantic/genai-prices: `bun add -d --exact @pydantic/genai-prices@latest && bun
// scripts/write-prices.ts`. docs/decisions/0025-built-in-prices.md says what is taken over and what is not.
import { findProvider, type MatchLogic, type ModelPrice } from "@pydantic/genai-prices";
import { devDependencies } from "../package.json" with { type: "json" };
import { compileNamePattern } from "../src/costs/name-pattern.ts";

const FILE = new URL("../src/costs/built-in-prices.json", import.meta.url);

/** By their names there and in spans. Where a span names no provider, the first one whose pattern says most counts. */
const providers: readonly (readonly [id: string, provider: string])[] = [
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["google", "google"],
  ["mistral", "mistralai"],
  ["cohere", "cohere"],
  ["deepseek", "deepseek"],
  ["x-ai", "xai"],
  ["perplexity", "perplexity"],
  ["moonshotai", "moonshot"],
  ["minimax", "minimax"],
  ["zai", "zai"],
  ["aws", "aws"],
  ["azure", "azure"],
  ["groq", "groq"],
  ["fireworks", "fireworks"],
  ["together", "together"],
  ["cerebras", "cerebras"],
];

const kinds: readonly (readonly [key: string, side: "prompt" | "completion", tokenType: string])[] = [
  ["input_mtok", "prompt", "input"],
  ["cache_read_mtok", "prompt", "cache_read"],
  ["cache_write_mtok", "prompt", "cache_write"],
  ["input_audio_mtok", "prompt", "audio"],
  ["output_mtok", "completion", "output"],
  ["output_audio_mtok", "completion", "audio"],
  ["output_reasoning_mtok", "completion", "reasoning"],
];

interface Named {
  readonly name: string;
  readonly pattern: string;
}

/** A pattern an alternative, because one that lists many would say more than it means. */
function patternsOf(match: MatchLogic): Named[] {
  if ("or" in match) return match.or.flatMap(patternsOf);
  // The other conditions only take out what has a price of its own, whose longer pattern wins anyway.
  if ("and" in match) return patternsOf(match.and[0]!);
  if ("equals" in match) return [{ name: match.equals, pattern: `(?i)^${escaped(match.equals)}$` }];
  if ("starts_with" in match) return [{ name: `${match.starts_with}*`, pattern: `(?i)^${escaped(match.starts_with)}` }];
  if ("ends_with" in match) return [{ name: `*${match.ends_with}`, pattern: `(?i)${escaped(match.ends_with)}$` }];
  if ("contains" in match) return [{ name: `*${match.contains}*`, pattern: `(?i)${escaped(match.contains)}` }];
  return [{ name: match.regex, pattern: match.regex.startsWith("(?") ? match.regex : `(?i)${match.regex}` }];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function pricesOf(price: ModelPrice) {
  const sides = { prompt: {} as Record<string, unknown>, completion: {} as Record<string, unknown> };
  for (const [key, side, tokenType] of kinds) {
    const value = price[key];
    if (value === undefined || value === 0) continue;
    sides[side][tokenType] =
      typeof value === "number"
        ? value
        : { base: value.base, tiers: value.tiers.map(({ start, price: rate }) => ({ above: start, price: rate })) };
  }
  return sides;
}

const lines: string[] = [];
const seen = new Set<string>();
for (const [id, provider] of providers) {
  const found = findProvider({ providerId: id });
  if (found === undefined) throw new Error(`The package has no provider ${id}`);
  for (const model of found.models) {
    const periods = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
    for (const { prices, constraint } of periods) {
      // What is cheaper at night counts by its price of the day.
      if (constraint?.type === "time_of_date") continue;
      const sides = pricesOf(prices);
      if (!("input" in sides.prompt) || !("output" in sides.completion)) continue;
      for (const { name, pattern } of patternsOf(model.match)) {
        const from = constraint?.start_date;
        const key = [provider, pattern, from].join("\n");
        if (seen.has(key)) continue;
        seen.add(key);
        try {
          compileNamePattern(pattern);
        } catch (error) {
          console.warn(`left out: ${provider} ${model.id}: ${(error as Error).message}`);
          continue;
        }
        lines.push(JSON.stringify({ name, pattern, provider, from, source: found.pricing_urls?.[0], ...sides }));
      }
    }
  }
}
const about = `Prices in USD for a million tokens, made by scripts/write-prices.ts from @pydantic/genai-prices ${devDependencies["@pydantic/genai-prices"]}`;
await Bun.write(FILE, `{\n"about": ${JSON.stringify(about)},\n"models": [\n${lines.join(",\n")}\n]\n}\n`);
console.log(`${lines.length} models`);
