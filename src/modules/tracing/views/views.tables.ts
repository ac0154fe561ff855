// The tables of saved views, as Kysely sees them.
import type { Generated } from "kysely";
import type { ViewTab } from "../../../model/saved-view.ts";

export interface SavedViewsTable {
  id: Generated<number>;
  project_id: number;
  private_to: number | null;
  user_id: number | null;
  name: string;
  tab: ViewTab;
  query: string;
  is_start: Generated<number>;
  created_us: number;
  updated_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    saved_views: SavedViewsTable;
  }
}
