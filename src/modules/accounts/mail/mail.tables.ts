// The tables of mail, as Kysely sees them.

interface SentNoticesTable {
  kind: string;
  user_id: number;
  sent_us: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    sent_notices: SentNoticesTable;
  }
}
