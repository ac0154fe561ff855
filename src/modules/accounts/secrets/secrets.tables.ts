// The tables of secrets, as Kysely sees them.

interface SecretsTable {
  name: string;
  value: Uint8Array;
  user_id: number | null;
  created_us: number;
  updated_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    secrets: SecretsTable;
  }
}
