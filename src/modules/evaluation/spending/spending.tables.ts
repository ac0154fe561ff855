// The tables of what calls of models cost and may cost, as Kysely sees them.
import type { Generated } from "kysely";

/** Amounts are 10^-12 USD. Their sums are read as text, because they may exceed 2^53; so is `max_cost`. */
export interface BudgetsTable {
  id: Generated<number>;
  scope: string;
  user_id: number | null;
  api_key_id: number | null;
  project_id: number | null;
  period: string;
  max_cost: number | null;
  max_tokens: number | null;
  set_by_user_id: number | null;
  created_us: number;
  updated_us: number;
}

/** Ids are 0 for none. */
interface Spent {
  day_us: number;
  user_id: number;
  api_key_id: number;
  project_id: number;
  purpose: string;
  provider: string;
  model: string;
}

export interface SpendingReservationsTable extends Spent {
  key: string;
  holder: string;
  expires_us: number;
  cost: number;
  tokens: number;
}

export interface SpendingTable extends Spent {
  id: Generated<number>;
  calls: number;
  failed_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number;
  unpriced_calls: number;
  estimated_calls: number;
  lost_calls: number;
  lost_cost: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    budgets: BudgetsTable;
    spending_reservations: SpendingReservationsTable;
    spending: SpendingTable;
  }
}
