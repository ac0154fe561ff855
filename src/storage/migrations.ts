// The migrations as the binary carries them. tests/contract compares this list with the folder.

import { migrationFiles } from "./migration-files.ts" with { type: "macro" };
import type { Migration } from "./migration-files.ts";

export type { Migration };

export const migrations: Readonly<Record<"sqlite" | "postgres", readonly Migration[]>> = {
  sqlite: migrationFiles("sqlite"),
  postgres: migrationFiles("postgres"),
};

/** The schema says which servers it still serves: one below this level must not write to it. Raised by a migration that
 *  removes what older servers need. */
export const OLDEST_SERVER_LEVEL = 1;
/** What this server understands. */
export const SERVER_LEVEL = 1;
