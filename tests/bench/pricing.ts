// What it takes to price a span: by itself, and in the rate of ingestion with prices and without, in turns. Usage: tests/bench/README.md
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callOf, priceCall } from "../../src/costs/price-call.ts";
import { createPriceList } from "../../src/costs/price-list.ts";
import { attributesOfCall } from "../../src/costs/reported-call.ts";
import { builtInModels } from "../support/prices.ts";
import { readArguments, sharedOptions } from "./arguments.ts";
import { endProgress, machine, median, progress, ratio, short, table } from "./figures.ts";
import { startSenders } from "./senders.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";

const options = readArguments({
  rows: { default: 500, meaning: "prices in the list" },
  names: { default: 50, meaning: "names of models that calls say" },
  calls: { default: 200_000, meaning: "calls that are priced, in each of seven rounds" },
  pairs: { default: 3, meaning: "measurements of the rate of ingestion, with prices and without each" },
  seconds: { default: 8, meaning: "length of each, after a warm-up" },
  senders: { default: 16, meaning: "requests of 100 small spans under way at once" },
  binary: sharedOptions.binary,
});

const ROUNDS = 7;
const WARM_UP_MS = 2000;
const START_US = Date.now() * 1000;
const directory = await mkdtemp(join(tmpdir(), "spanlight-pricing-"));

const alone = priceAlone();
const noPrices = join(directory, "no-prices.json");
await Bun.write(noPrices, JSON.stringify({ models: [] }));
const rates: { readonly priced: number; readonly unpriced: number }[] = [];
for (let pair = 1; pair <= options.pairs; pair++) {
  progress(`pair ${pair} of ${options.pairs}`);
  // What comes second has a warmer machine: they change places.
  const unpricedFirst = pair % 2 === 0 ? await rate(noPrices) : null;
  const priced = await rate(null);
  rates.push({ priced, unpriced: unpricedFirst ?? (await rate(noPrices)) });
}
await rm(directory, { recursive: true });
endProgress("done");

const priced = median(rates.map((pair) => pair.priced));
const unpriced = median(rates.map((pair) => pair.unpriced));
console.log(`\n${await machine()}`);
console.log(
  `service ${programName(options.binary)}, SQLite, ${options.rows} prices alone, all built-in ones in the service\n`,
);
console.log(
  table([
    ["pricing", "figure"],
    ["a call alone, names seen before", `${alone.seen.toFixed(2)} µs`],
    ["a call alone, every name new", `${alone.fresh.toFixed(2)} µs`],
    ["spans/s with prices", short(priced)],
    ["spans/s without", short(unpriced)],
    ["with to without", ratio(priced, unpriced)],
    ["the same of each pair", rates.map((pair) => (pair.priced / pair.unpriced).toFixed(3)).join(", ")],
  ]),
);
process.exit();

/** Microseconds of a call, its text as it comes from a decoder. */
function priceAlone(): { readonly seen: number; readonly fresh: number } {
  const models = builtInModels.slice(0, options.rows);
  if (models.length < options.rows) throw new Error(`There are only ${models.length} prices`);
  const textOf = (name: string, number: number) =>
    JSON.stringify({
      ...{ model_name: name, provider: "openai" },
      token_count: { prompt: 200 + number, completion: 50 + number, prompt_details: { cache_read: 40 } },
    });
  const measure = (nameOf: (number: number) => string, calls: number) => {
    const list = createPriceList(models, 1);
    const texts = Array.from({ length: calls }, (_, number) => textOf(nameOf(number), number));
    let known = 0;
    const began = performance.now();
    for (const text of texts) {
      if (priceCall(list, callOf(attributesOfCall(text), START_US))?.modelId != null) known++;
    }
    const microseconds = ((performance.now() - began) * 1000) / calls;
    return { microseconds, known };
  };
  const names = models.slice(0, options.names).map(({ name }) => name.replaceAll("*", ""));
  const rounds = Array.from({ length: ROUNDS }, () =>
    measure((number) => names[number % names.length]!, options.calls),
  );
  if (rounds.some(({ known }) => known < options.calls / 2)) throw new Error("Most names have no price");
  const fresh = Array.from({ length: ROUNDS }, () => measure((number) => `model-${number}`, 4000));
  return {
    seen: median(rounds.map(({ microseconds }) => microseconds)),
    fresh: median(fresh.map(({ microseconds }) => microseconds)),
  };
}

/** Acknowledged spans a second, into an empty file. Calls without a known price are stored too, as such. */
async function rate(pricesFile: string | null): Promise<number> {
  const path = join(directory, `${crypto.randomUUID()}.db`);
  const env: Record<string, string> = pricesFile === null ? {} : { SERVICE_MODEL_PRICES_FILE: pricesFile };
  const service = await startMeasured(`sqlite:///${path}`, options.binary, env);
  const sending = startSenders({ service, senders: options.senders, spansPerRequest: 100, rate: 0 });
  await Bun.sleep(WARM_UP_MS);
  const began = performance.now();
  sending.reset();
  await Bun.sleep(options.seconds * 1000);
  const { acknowledgedSpans } = sending.counts();
  const seconds = (performance.now() - began) / 1000;
  await sending.stop();
  await stopMeasured(service);
  return acknowledgedSpans / seconds;
}
