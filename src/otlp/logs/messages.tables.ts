// The tables of messages that came by log records, as Kysely sees them.
import type { Generated } from "kysely";

interface PendingMessagesTable {
  id: Generated<number>;
  trace_key: string;
  span_key: string;
  digest: string;
  /** JSON of the message (`LoggedMessage`). */
  body: string;
  received_us: number;
}

interface SpanMessagesTable {
  id: Generated<number>;
  span_id: number;
  digest: string;
  body: string;
}

interface MessageFillsTable {
  span_id: number;
  /** JSON of the paths of attributes that messages filled. */
  paths: string;
}

declare module "../../storage/tables.ts" {
  interface Tables {
    pending_messages: PendingMessagesTable;
    span_messages: SpanMessagesTable;
    message_fills: MessageFillsTable;
  }
}
