// Whether the server of this page answers, can work, and still has the files of this page. What fails elsewhere raises a doubt;
// then, and every half minute, the server is asked. While it is away it is asked again with growing pauses, and listeners are
// notified when it is back.
import { useSyncExternalStore } from "react";
import { BUILD_FILE, type ServedBuild } from "../start.ts";
import { start } from "./start.ts";

/** `stale`: the server answers, but has no database, starts or stops. `upgraded`: it has the files of another build. */
type ConnectionKind = "connected" | "stale" | "away" | "upgraded";

export interface Connection {
  readonly kind: ConnectionKind;
  /** Milliseconds since 1970 of the last good answer before the trouble. */
  readonly since: number;
}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const;
const HEARTBEAT_MS = 30_000;
const ANSWER_LIMIT_MS = 5_000;

let connection: Connection = { kind: "connected", since: Date.now() };
let lastGoodMs = Date.now();
let failures = 0;
let asking: Promise<Connection> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const waiting = new Set<() => void>();

/** The server cannot be used now: asking it for data would only fail. */
export function isAway({ kind }: Pick<Connection, "kind">): boolean {
  return kind === "away" || kind === "stale";
}

/** Asks the server at once; resolves to what is known then. */
export function checkConnection(): Promise<Connection> {
  asking ??= ask()
    .then(settle)
    .finally(() => {
      asking = null;
    });
  return asking;
}

/** Data came: everything on the page is as new as this. */
export function noteAnswer(): void {
  lastGoodMs = Date.now();
}

/** Calls `listener` each time the server is back. */
export function onReconnect(listener: () => void): () => void {
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

async function ask(): Promise<ConnectionKind> {
  const ready = await look("readyz");
  // A proxy that answers in the name of a server that is gone is no server.
  if (ready === null || !ready.headers.has("x-spanlight-version")) return "away";
  if (!ready.ok) return "stale";
  const answer = await look(`assets/${BUILD_FILE}`);
  if (!answer?.ok) return "away";
  const { build } = (await answer.json()) as ServedBuild;
  return build === start.build ? "connected" : "upgraded";
}

async function look(path: string): Promise<Response | null> {
  return fetch(path, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(() => null);
}

function settle(kind: ConnectionKind): Connection {
  const before = connection;
  const next: Connection = { kind, since: isAway(before) ? before.since : lastGoodMs };
  if (isAway(next)) {
    failures += 1;
  } else {
    failures = 0;
    noteAnswer();
  }
  plan();
  if (kind !== before.kind) {
    connection = next;
    for (const listener of listeners) listener();
    if (isAway(before) && !isAway(next)) for (const listener of waiting) listener();
  }
  return connection;
}

function plan(): void {
  clearTimeout(timer);
  const pause = failures === 0 ? HEARTBEAT_MS : PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1]!;
  timer = setTimeout(() => {
    // A hidden tab asks when it is visible again.
    if (!document.hidden) void checkConnection();
  }, pause);
}

/** Begins to watch. Once, by the entry of the pages. */
export function watchConnection(): void {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void checkConnection();
  });
  window.addEventListener("online", () => void checkConnection());
  plan();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection);
}
