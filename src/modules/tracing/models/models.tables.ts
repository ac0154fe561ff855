// The tables of models that people enter, and of recomputations of costs, as Kysely sees them.
import type { Generated } from "kysely";
import type { RecomputationStatus } from "../../../costs/recomputation.ts";
import type { Money } from "../../../storage/column-types.ts";

export interface ModelsTable {
  id: Generated<number>;
  name: string;
  provider: string | null;
  name_pattern: string;
  start_us: number | null;
  /** JSON of token prices. */
  prices: string;
  change: number;
  user_id: number | null;
  created_us: number;
  updated_us: number;
  deleted_us: number | null;
}

interface CostRecomputationsTable {
  id: Generated<number>;
  status: RecomputationStatus;
  project_id: number | null;
  model_name: string | null;
  start_us: number | null;
  end_us: number | null;
  user_id: number | null;
  created_us: number;
  updated_us: number;
  done_span_id: Generated<number>;
  last_span_id: number;
  examined_spans: Generated<number>;
  changed_spans: Generated<number>;
  old_cost: Money;
  new_cost: Money;
  slice_spans: number | null;
  failures: Generated<number>;
  failed_spans: Generated<number>;
  failure: string | null;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    models: ModelsTable;
    cost_recomputations: CostRecomputationsTable;
  }
}
