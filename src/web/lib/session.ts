// Calls to the server that outlive an access token: what is answered with 401 renews the sign-in once and is sent again; if that
// fails, the login page takes over and leads back (`auth.md` 11).
import { addresses } from "../addresses.ts";
import { createPreference } from "./preferences.ts";
import { start } from "./start.ts";

const RENEW_LIMIT_MS = 10_000;
const LOGIN: string = "/login";
/** When any tab of this browser renewed last: a refresh token works once, so tabs must not renew one after the other. */
const renewedAtPreference = createPreference("renewed-at", 0);

/** `fetch` for our own API. `path` has no slash before it: the base of the page goes first. */
export async function fetchApi(path: string, init: RequestInit = {}): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(path, init);
  if (response.status !== 401 || !hasLogin()) return response;
  if (await renewSince(sentAt)) return fetch(path, init);
  leaveToLogin();
  return response;
}

function hasLogin(): boolean {
  return (Object.values(addresses) as readonly string[]).includes(LOGIN);
}

let renewing: Promise<boolean> | null = null;

function renewSince(ms: number): Promise<boolean> {
  renewing ??= locked(async () => renewedAtPreference.get() >= ms || renew()).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** One tab at a time; browsers give the lock to pages over HTTPS and on this machine only. */
async function locked(run: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks === undefined ? run() : navigator.locks.request("spanlight.renew", run);
}

async function renew(): Promise<boolean> {
  const signal = AbortSignal.timeout(RENEW_LIMIT_MS);
  const renewed = await fetch("auth/refresh", { method: "POST", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (renewed) renewedAtPreference.set(Date.now());
  return renewed;
}

function leaveToLogin(): void {
  const here = location.pathname.slice(start.basePath.length) + location.search;
  if (here.startsWith(LOGIN)) return;
  location.assign(`${start.basePath}${LOGIN}?returnUrl=${encodeURIComponent(here)}`);
}
