// The prices that the service starts with: the built-in ones, or those of a file.

import builtIn from "../costs/built-in-prices.json" with { type: "json" };
import type { PricedModel } from "../costs/price-list.ts";
import { modelsOfFile, readPricesFile } from "../costs/prices-file.ts";
import { fail, messageOf } from "../kernel/failure.ts";

/** SERVICE_MODEL_PRICES_FILE, or null without one. Fails for a file that is not there or not usable. */
export async function readModelPrices(file: string | null): Promise<PricedModel[]> {
  if (file === null) return modelsOfFile(builtIn);
  try {
    return readPricesFile(await Bun.file(file).text());
  } catch (error) {
    throw fail("models.prices_file_invalid", "invalid", `SERVICE_MODEL_PRICES_FILE: ${messageOf(error)}`);
  }
}
