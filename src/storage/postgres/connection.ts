// Connections to PostgreSQL by purpose, so that slow reads cannot starve writes.
import type { PostgresLocation } from "../location.ts";
import { createPool, type PostgresPool } from "./pool.ts";
import { openSession, type SessionOptions } from "./session.ts";

interface PoolOptions extends SessionOptions {
  readonly connections: number;
  /** Reads that wait for a connection, at most; no end without it. */
  readonly mostWaiting?: number;
}

/** Opens a pool; connections are made when they are needed. */
export function openPool(location: PostgresLocation, options: PoolOptions): PostgresPool {
  return createPool(() => openSession(location, options), options.connections, options.mostWaiting ?? null);
}
