// Where the prices of models are from.
import { path, type Values } from "./setting.ts";

export const modelPriceSettings = {
  file: path({
    name: "SERVICE_MODEL_PRICES_FILE",
    default: null,
    defaultText: "the built-in prices",
    meaning: "File with the prices of models, in place of the built-in ones ([costs.md](costs.md)).",
  }),
} as const;

export type ModelPricesConfig = Values<typeof modelPriceSettings>;
