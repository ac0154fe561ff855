// The migrations as the binary carries them. tests/contract compares this list with the folder.

import { migrationFiles } from "./migration-files.ts" with { type: "macro" };
import type { Migration } from "./migration-files.ts";

export type { Migration };

export const migrations: Readonly<Record<"sqlite" | "postgres", readonly Migration[]>> = {
  sqlite: migrationFiles("sqlite"),
  postgres: migrationFiles("postgres"),
};

/** What this server understands: the highest level that one of its migrations asks for. A migration asks for a new level, in its first
 *  line, where older servers would fail on what it leaves or write what is wrong. */
export const SERVER_LEVEL = Math.max(1, ...migrations.sqlite.map(({ oldestServer }) => oldestServer?.level ?? 1));
