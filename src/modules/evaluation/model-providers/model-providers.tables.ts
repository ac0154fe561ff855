// The tables of custom providers, as Kysely sees them.
import type { Generated } from "kysely";
import type { CustomProviderSdk } from "../../../model/custom-provider.ts";

export interface CustomProvidersTable {
  id: Generated<number>;
  name: string;
  description: string | null;
  provider: string;
  sdk: CustomProviderSdk;
  config: Uint8Array;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    custom_providers: CustomProvidersTable;
  }
}
