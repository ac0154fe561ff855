// The tables of API keys, as Kysely sees them.
import type { Generated } from "kysely";

interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  created_by_user_id: number | null;
  name: string;
  description: string | null;
  random_hash: Uint8Array;
  created_us: number;
  expires_us: number | null;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    api_keys: ApiKeysTable;
  }
}
