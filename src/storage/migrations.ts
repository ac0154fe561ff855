// The migrations as the binary carries them. tests/contract compares this list with the folder.
import postgres0001 from "../../migrations/postgres/0001_traces.sql" with { type: "text" };
import postgres0002 from "../../migrations/postgres/0002_accounts.sql" with { type: "text" };
import postgres0003 from "../../migrations/postgres/0003_logins.sql" with { type: "text" };
import sqlite0001 from "../../migrations/sqlite/0001_traces.sql" with { type: "text" };
import sqlite0002 from "../../migrations/sqlite/0002_accounts.sql" with { type: "text" };
import sqlite0003 from "../../migrations/sqlite/0003_logins.sql" with { type: "text" };

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: Readonly<Record<"sqlite" | "postgres", readonly Migration[]>> = {
  sqlite: [
    { number: 1, name: "traces", sql: sqlite0001 },
    { number: 2, name: "accounts", sql: sqlite0002 },
    { number: 3, name: "logins", sql: sqlite0003 },
  ],
  postgres: [
    { number: 1, name: "traces", sql: postgres0001 },
    { number: 2, name: "accounts", sql: postgres0002 },
    { number: 3, name: "logins", sql: postgres0003 },
  ],
};

/** The schema says which servers it still serves: one below this level must not write to it. Raised by a migration that
 *  removes what older servers need. */
export const OLDEST_SERVER_LEVEL = 1;
/** What this server understands. */
export const SERVER_LEVEL = 1;
