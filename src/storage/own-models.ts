// The rows of models that people have entered, as those who price spans need them: the list, and the number by which they know whether
// theirs is the current one.
import type { PricedModel, TokenPrice } from "../costs/price-list.ts";

/** What people have entered, and the number of the last change of it; 0 before the first. */
export interface OwnModels {
  readonly change: number;
  readonly models: readonly PricedModel[];
}

interface OwnModelRow {
  readonly id: number;
  readonly name: string;
  readonly provider: string | null;
  readonly name_pattern: string;
  readonly start_us: number | null;
  readonly prices: string;
}

/** Read in one statement, which sees one snapshot: a row for each model, or one without a model. */
export type OwnModelsRow = { readonly change: number } & (OwnModelRow | { readonly id: null });

export function ownModelsOf(rows: readonly OwnModelsRow[]): OwnModels {
  const models = rows.flatMap((row) => (row.id === null ? [] : [ownModelOfRow(row)]));
  return { change: rows[0]!.change, models };
}

export function ownModelOfRow({ id, name, provider, name_pattern, start_us, prices }: OwnModelRow): PricedModel {
  return {
    id,
    name,
    provider,
    namePattern: name_pattern,
    startUs: start_us,
    isBuiltIn: false,
    // Written from the same shape.
    prices: JSON.parse(prices) as TokenPrice[],
  };
}
