// Who a credential speaks for. The row behind a token decides, not the token; a row that was read is trusted for a second, so
// that a busy exporter costs one read a second, and not at all once this server knows that something changed.
import { anonymousPrincipal, type Principal } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { createLastUsed } from "../../../../kernel/last-used.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { ACCESS_COOKIE, findCookie } from "../cookie.rules.ts";
import { carriesRandomOf, secretsEqual, type TokenForm } from "./token.rules.ts";
import type { TokenClaims, TokenRow } from "./token.schema.ts";

/** The row behind a token, by its id. */
type FindTokenRow = (context: CallContext, rowId: number) => Promise<TokenRow | null>;

interface CredentialsDependencies {
  readonly tokens: TokenForm;
  /** The two kinds that open the API; the others serve one purpose each and are refused here. */
  readonly rows: Readonly<Record<"AccessToken" | "ApiKey", FindTokenRow>>;
  /** SERVICE_ADMIN_SECRET. */
  readonly adminSecret: string | null;
  /** The account that the admin secret acts as; null until it was made. */
  readonly findSystemUserId: (context: CallContext) => Promise<number | null>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Headers as they came; null for one that did not. */
export interface SentCredentials {
  readonly authorization: string | null;
  readonly cookies: string | null;
}

export interface CredentialsService {
  /** The caller. Never refuses: without a usable credential the caller is anonymous. Ignores the principal of the context. */
  resolve(context: CallContext, sent: SentCredentials): Promise<Principal>;
  /** The account of an access token, also of an expired one; null for every other credential. An API key has no sign-in to end. */
  findAccount(context: CallContext, sent: SentCredentials): Promise<number | null>;
  /** Must be called whenever a token, key or role of the account changes, in the transaction or after it: for a while this server
   *  trusts nothing of the account. Other servers follow within TRUST_MILLISECONDS. */
  invalidate(userId: number): void;
  /** The same for a change that is committed: what was read before it is not trusted any more. */
  invalidateCommitted(userId: number): void;
}

/** Well below the two seconds within which a revocation must hold on every server. */
const TRUST_MILLISECONDS = 1000;
/** Longer than any transaction that changes an account may take: until it is committed, readers see the rows of before. */
const INVALID_MILLISECONDS = 15_000;
/** Tokens in use at a time; beyond it they are read again. */
const MOST_TRUSTED = 10_000;

interface Reading {
  /** Of `performance.now()`. */
  readonly startedMs: number;
  readonly found: Promise<Trusted | null>;
}

interface Trusted {
  readonly claims: TokenClaims;
  readonly row: TokenRow;
  /** Of `performance.now()`. */
  readonly readMs: number;
}

export function createCredentialsService(dependencies: CredentialsDependencies): CredentialsService {
  const { tokens, rows, adminSecret, clock, log } = dependencies;
  const trusted = createLastUsed<string, Trusted>(MOST_TRUSTED);
  const reading = new Map<string, Reading>();
  /** What was read before this time, of `performance.now()`, is not trusted. */
  const trustedFromMs = new Map<number, number>();
  let lastChangeMs = 0;
  const reportAdminSecret = oncePerSecond((uses) => log.info("the admin secret was used", { uses }));
  let systemUserId: number | null = null;

  function isTrusted({ row, readMs }: Trusted): boolean {
    return readMs >= (trustedFromMs.get(row.userId) ?? 0);
  }

  function trustFrom(userId: number, fromMs: number): void {
    const longAgoMs = performance.now() - TRUST_MILLISECONDS;
    for (const [id, knownMs] of trustedFromMs) if (knownMs < longAgoMs) trustedFromMs.delete(id);
    trustedFromMs.set(userId, Math.max(fromMs, trustedFromMs.get(userId) ?? 0));
    lastChangeMs = Math.max(lastChangeMs, fromMs);
  }

  /** What a token with a valid signature and a row names; null for everything else. */
  async function read(context: CallContext, token: string): Promise<Trusted | null> {
    const readMs = performance.now();
    const claims = trusted.find(token)?.claims ?? (await tokens.read(token));
    if (claims === null || (claims.kind !== "AccessToken" && claims.kind !== "ApiKey")) return null;
    const row = await rows[claims.kind](context, claims.rowId);
    if (row === null || !carriesRandomOf(claims, row.randomHash)) {
      trusted.delete(token);
      return null;
    }
    const found = { claims, row, readMs };
    if (isTrusted(found)) trusted.set(token, found);
    else trusted.delete(token);
    return found;
  }

  async function find(context: CallContext, token: string): Promise<Trusted | null> {
    const known = trusted.find(token);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.readMs < TRUST_MILLISECONDS && isTrusted(known)) return known;
    // A burst of requests with one token waits for one read, unless something has changed since that began.
    const running = reading.get(token);
    if (running !== undefined && running.startedMs > lastChangeMs) return running.found;
    const mine: Reading = { startedMs: nowMs, found: read(context, token) };
    reading.set(token, mine);
    try {
      return await mine.found;
    } finally {
      if (reading.get(token) === mine) reading.delete(token);
    }
  }

  async function adminSecretPrincipal(context: CallContext, token: string): Promise<Principal | null> {
    if (adminSecret === null || !secretsEqual(token, adminSecret)) return null;
    systemUserId ??= await dependencies.findSystemUserId(context);
    if (systemUserId === null) return null;
    reportAdminSecret();
    return { kind: "admin_secret", userId: systemUserId };
  }

  return {
    async resolve(context, sent) {
      const token = tokenOf(sent);
      if (token === null) return anonymousPrincipal;
      // What is known as a token is not the secret: no digest is made of it with every request.
      const mayBeSecret = Boolean(sent.authorization) && trusted.find(token) === undefined;
      const bySecret = mayBeSecret ? await adminSecretPrincipal(context, token) : null;
      if (bySecret !== null) return bySecret;
      const found = await find(context, token);
      return found === null ? anonymousPrincipal : principalOf(found, clock.now());
    },

    async findAccount(context, sent) {
      const token = tokenOf(sent);
      const found = token === null ? null : await find(context, token);
      return found?.claims.kind === "AccessToken" ? found.row.userId : null;
    },

    invalidate: (userId) => trustFrom(userId, performance.now() + INVALID_MILLISECONDS),
    invalidateCommitted: (userId) => trustFrom(userId, performance.now()),
  };
}

const BEARER = /^bearer +(\S+)$/i;

/** The header alone counts when there is one: a bad one is not rescued by a good cookie. */
function tokenOf({ authorization, cookies }: SentCredentials): string | null {
  if (authorization !== null && authorization.trim() !== "") return BEARER.exec(authorization.trim())?.[1] ?? null;
  return findCookie(cookies, ACCESS_COOKIE);
}

function principalOf({ claims, row }: Trusted, nowUs: number): Principal {
  const { userId, role } = row;
  if (row.expiresUs !== null && row.expiresUs <= nowUs) return { kind: "anonymous", expired: true };
  const key = claims.kind === "ApiKey" ? { apiKeyId: claims.rowId } : null;
  // There is no sign-in to the system account; only API keys act for it.
  if (role === "SYSTEM") return key === null ? anonymousPrincipal : { kind: "system", userId, ...key };
  if (key !== null) return { kind: "user", userId, role, credential: "api_key", ...key, mustChangePassword: false };
  return { kind: "user", userId, role, credential: "login", mustChangePassword: row.passwordChange === "required" };
}

/** Calls `report` at most once a second, with how often it was asked since the last time. */
function oncePerSecond(report: (times: number) => void): () => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let times = 0;
  return () => {
    times++;
    const nowMs = performance.now();
    if (nowMs - reportedMs < 1000) return;
    reportedMs = nowMs;
    report(times);
    times = 0;
  };
}
