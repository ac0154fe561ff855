// Where the data is and how to open it, as the settings say it: plain values, so that a location can be handed to a worker.
import type { DatabaseLocation } from "../config/database.ts";

export type { PostgresTls } from "../config/database-url.ts";

type Configured<Kind> = Extract<DatabaseLocation, { kind: Kind }>;

/** `OFF` is no setting: it may lose everything at a power cut and serves to fill files for benchmarks. */
export type SqliteLocation = Omit<Configured<"sqlite">, "synchronous"> & {
  readonly synchronous: Configured<"sqlite">["synchronous"] | "OFF";
};
export type PostgresLocation = Configured<"postgres">;
export type StorageLocation = SqliteLocation | PostgresLocation;
