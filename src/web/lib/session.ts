// Calls to the server that outlive an access token: what is answered with 401 renews the sign-in once and is sent again. If that
// fails, a person who was already working signs in again in a dialog and loses nothing; everybody else is led to the login page and
// back.
import { useSyncExternalStore } from "react";
import { addresses, publicPages } from "../declared-pages.ts";
import { checkConnection } from "./connection.ts";
import { createPreference } from "./preferences.ts";
import { withReturn } from "./return-address.ts";
import { start } from "./start.ts";

const RENEW_LIMIT_MS = 10_000;
/** How long a renewal of another tab may take to be noticed. */
const OTHER_TAB_MS = 1000;
/** Last renewal or sign-in of any tab: a refresh token works once, so a tab must not renew what another has just renewed. */
const renewedAtPreference = createPreference("renewed-at", 0);

/** True once the server has answered a request of this page. */
let hasWorked = false;

let isLeaving = false;

/** Full page load. Requests in flight never settle, so that no error is shown while leaving. */
export function leaveFor(address: string): void {
  isLeaving = true;
  location.assign(address);
}

/** `fetch` for our own API. `path` has no slash before it: the base of the page goes first. */
export async function fetchApi(path: string, init: RequestInit = {}): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted !== true) void checkConnection();
    throw error;
  });
  if (response.status !== 401 || !start.authenticationEnabled) {
    hasWorked ||= response.ok;
    return response;
  }
  if (isLeaving) return new Promise(() => {});
  const refusal = await renewSince(sentAt);
  if (refusal === null) return fetch(path, init);
  // The sign-in may well be good: too many requests, or a server that cannot answer now.
  if (refusal.status !== 401 && refusal.status !== 404) return refusal.clone();
  if (!hasWorked || isOpenPage()) return leaveToLogin(await wasExpired(refusal));
  return (await signInAgain()) ? fetch(path, init) : response;
}

/** Pages that stand alone have no dialog to sign in again. */
function isOpenPage(): boolean {
  const path = location.pathname.slice(start.basePath.length);
  return [...publicPages].some((name) => addresses[name] === path);
}

let renewing: Promise<Response | null> | null = null;

/** Null when the sign-in is a new one since then, else the error of the server. */
function renewSince(ms: number): Promise<Response | null> {
  renewing ??= locked(async () => (renewedAtPreference.get() >= ms ? null : renew(ms))).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** One tab at a time; browsers give the lock to pages over HTTPS and on this machine only. */
async function locked<Result>(run: () => Promise<Result>): Promise<Result> {
  return navigator.locks === undefined ? run() : navigator.locks.request("spanlight.renew", run);
}

async function renew(ms: number): Promise<Response | null> {
  const answer = await fetch("auth/refresh", { method: "POST", signal: AbortSignal.timeout(RENEW_LIMIT_MS) });
  if (answer.ok) {
    noteSignIn();
    return null;
  }
  // Without the lock another tab may have been first: its answer is on its way.
  const mayHaveLost = navigator.locks === undefined && answer.status === 401 && (await wasExpired(answer));
  return mayHaveLost && (await isRenewedElsewhere(ms)) ? null : answer;
}

/** Whether another tab of this browser notes a sign-in since then, now or soon. */
function isRenewedElsewhere(ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = () => {
    if (renewedAtPreference.get() >= ms) resolve(true);
  };
  const stop = renewedAtPreference.subscribe(look);
  const timer = setTimeout(() => resolve(false), OTHER_TAB_MS);
  look();
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}

/** After a sign-in here: the other tabs of this browser go on. */
export function noteSignIn(): void {
  renewedAtPreference.set(Date.now());
}

/** Whether there was a sign-in at all. */
async function wasExpired(refusal: Response): Promise<boolean> {
  const text = await refusal.clone().text();
  return !text.startsWith("Missing");
}

/** Never settles: the page is being left. */
function leaveToLogin(expired: boolean): Promise<Response> {
  location.replace(start.basePath + loginAddress(expired));
  return new Promise(() => {});
}

/** The path of now, below the root path, with what follows it. */
export function currentPath(): string {
  return location.pathname.slice(start.basePath.length) + location.search;
}

/** The login page, with the way back to where we are. */
export function loginAddress(expired = false): string {
  return withReturn(addresses.login, currentPath(), expired ? { message: "expired" } : {});
}

// Requests that wait until the person has signed in again.
let waiting: PromiseWithResolvers<boolean> | null = null;
const listeners = new Set<() => void>();

function signInAgain(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>();
  tell();
  return waiting.promise;
}

/** Ends the wait: everything that was refused is sent again, or stays refused. */
export function endWait(signedIn: boolean): void {
  const ended = waiting;
  waiting = null;
  ended?.resolve(signedIn);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** True while requests wait for a new sign-in. */
export function useSignInEnded(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== null);
}

/** Calls `listener` when another tab of this browser has signed in or renewed. */
export const onSignInElsewhere = renewedAtPreference.subscribe;
