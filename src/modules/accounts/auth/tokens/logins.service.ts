// Sign-ins of every method: issued, renewed and ended here (docs/protocol/authentication.md#tokens). A sign-in is a short-lived
// access token and a refresh token that can be used once.
import type { Clock } from "../../../../kernel/clock.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { User } from "../../users/users.schema.ts";
import { refreshTokenExpired, refreshTokenInvalid, refreshTokenMissing } from "../auth.errors.ts";
import type { CookieSettings } from "../cookie.rules.ts";
import { ACCESS_COOKIE, clearedCookies, cookieText, findCookie, REFRESH_COOKIE } from "../cookie.rules.ts";
import type { CredentialsService, SentCredentials } from "./credentials.service.ts";
import type { Login, LoginsStore, RefreshTokenRow } from "./logins.store.ts";
import { carriesRandomOf, newTokenRandom, type TokenForm } from "./token.rules.ts";
import type { TokenClaims } from "./token.schema.ts";

interface LoginsDependencies {
  readonly store: LoginsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly tokens: TokenForm;
  readonly credentials: CredentialsService;
  readonly cookies: CookieSettings;
  readonly accessTokenMinutes: number;
  readonly refreshTokenMinutes: number;
  /** From the sign-in with a password to its end, however often it is renewed. */
  readonly loginMinutes: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `Set-Cookie` values. */
export type Cookies = readonly string[];

interface NewToken {
  readonly claims: TokenClaims;
  /** Microseconds from now. */
  readonly lifeUs: number;
}

interface NewPair {
  readonly access: NewToken;
  readonly refresh: NewToken;
}

export interface LoginsService {
  /** Signs the account in, beside what sign-ins it has; null when it was changed since it was read, and its password perhaps too. */
  begin(context: CallContext, account: Pick<User, "id" | "updatedUs">): Promise<Cookies | null>;
  /** Trades the refresh token of the cookies for a new pair with full lifetimes, as far as the sign-in lasts. Of any number of
   *  callers with one token one wins; the others fail with kind `unauthenticated`. So do later ones; then another party has
   *  a copy, and the sign-in ends. `clientAddress` is for the log. */
  renew(context: CallContext, cookies: string | null, clientAddress: string | null): Promise<Cookies>;
  /** Ends every sign-in of the account that the credentials name, even when they are over; without one it does nothing. */
  end(context: CallContext, sent: SentCredentials): Promise<void>;
  /** Ends every sign-in of the account, in every browser. Its API keys stay. Joins the transaction of the context. */
  endAll(context: CallContext, userId: number): Promise<void>;
  /** What takes the cookies of a sign-in back. */
  readonly clearedCookies: Cookies;
}

const MICROSECONDS_A_MINUTE = 60_000_000;
/** Tabs of one browser may renew at the same time, and an answer may be lost on its way: so soon, a spent token is no copy. */
const GRACE_US = 10_000_000;

export function createLoginsService(dependencies: LoginsDependencies): LoginsService {
  const { store, storage, tokens, credentials, clock, log } = dependencies;
  const lives = {
    access: dependencies.accessTokenMinutes * MICROSECONDS_A_MINUTE,
    refresh: dependencies.refreshTokenMinutes * MICROSECONDS_A_MINUTE,
    login: dependencies.loginMinutes * MICROSECONDS_A_MINUTE,
  };

  /** In the transaction of the context: the rows, which the tokens name. Null begins a sign-in. */
  async function insertPair(context: CallContext, userId: number, login: Login | null): Promise<NewPair> {
    const createdUs = clock.now();
    const leftUs = (login?.startedUs ?? createdUs) + lives.login - createdUs;
    const accessUs = Math.round(Math.min(lives.access, leftUs));
    const refreshUs = Math.round(Math.min(lives.refresh, leftUs));
    const access = newTokenRandom();
    const refresh = newTokenRandom();
    const common = { userId, createdUs };
    const { accessId, refreshId } = await store.insertPair(
      context,
      { ...common, randomHash: access.hash, expiresUs: createdUs + accessUs },
      { ...common, randomHash: refresh.hash, expiresUs: createdUs + refreshUs },
      login,
    );
    return {
      access: { claims: { kind: "AccessToken", rowId: accessId, random: access.random }, lifeUs: accessUs },
      refresh: { claims: { kind: "RefreshToken", rowId: refreshId, random: refresh.random }, lifeUs: refreshUs },
    };
  }

  /** After the transaction, which must wait for nothing but the database. */
  async function cookiesOf(pair: NewPair): Promise<Cookies> {
    const cookie = async (name: string, { claims, lifeUs }: NewToken) => {
      const maxAge = Math.floor(lifeUs / 1_000_000);
      return cookieText({ name, value: await tokens.write(claims), maxAge, sameSite: "Strict" }, dependencies.cookies);
    };
    return Promise.all([cookie(ACCESS_COOKIE, pair.access), cookie(REFRESH_COOKIE, pair.refresh)]);
  }

  /** The row of a refresh token; null for none that still stands. */
  async function findRow(context: CallContext, claims: TokenClaims): Promise<RefreshTokenRow | null> {
    const row = await store.findRefreshToken(context, claims.rowId);
    return row !== null && carriesRandomOf(claims, row.randomHash) ? row : null;
  }

  async function claimsOf(text: string | null): Promise<TokenClaims | null> {
    const claims = text === null ? null : await tokens.read(text);
    return claims?.kind === "RefreshToken" ? claims : null;
  }

  /** Ends the sign-in of a token that was spent before: its owner has a newer one, so that this one comes from another party. */
  async function endIfSpent(context: CallContext, claims: TokenClaims, clientAddress: string | null): Promise<void> {
    const spent = await store.findSpentToken(context, claims.rowId);
    if (spent === null || !carriesRandomOf(claims, spent.randomHash)) return;
    if (clock.now() - spent.spentUs <= GRACE_US) return;
    const { userId, loginId } = spent;
    await storage.transaction(context, async (inner) => {
      await store.lockAccount(inner, userId, "to end");
      await store.removeLogin(inner, loginId);
    });
    credentials.invalidateCommitted(userId);
    const by = { user_id: userId, client: clientAddress, request_id: context.requestId };
    log.warning("a refresh token was used again after it was spent: it may be stolen, and the sign-in was ended", by);
  }

  async function endAll(context: CallContext, userId: number): Promise<void> {
    await storage.transaction(context, async (inner) => {
      await store.lockAccount(inner, userId, "to end");
      await store.removeOfUser(inner, userId);
    });
    if (context.database.transaction === null) credentials.invalidateCommitted(userId);
    else credentials.invalidate(userId);
  }

  return {
    clearedCookies: clearedCookies(dependencies.cookies),
    endAll,

    async begin(context, { id, updatedUs }) {
      const pair = await storage.transaction(context, async (inner) =>
        (await store.lockAccount(inner, id, "to issue")) === updatedUs ? insertPair(inner, id, null) : null,
      );
      return pair === null ? null : cookiesOf(pair);
    },

    async renew(context, cookies, clientAddress) {
      const text = findCookie(cookies, REFRESH_COOKIE);
      if (text === null) throw refreshTokenMissing();
      const claims = await claimsOf(text);
      if (claims === null) throw refreshTokenInvalid();
      const row = await findRow(context, claims);
      if (row === null) {
        await endIfSpent(context, claims, clientAddress);
        throw refreshTokenInvalid();
      }
      const endUs = Math.min(row.expiresUs ?? Number.POSITIVE_INFINITY, row.login.startedUs + lives.login);
      if (endUs <= clock.now()) throw refreshTokenExpired();
      const accessText = findCookie(cookies, ACCESS_COOKIE);
      const access = accessText === null ? null : await tokens.read(accessText);
      const renewed = await storage.transaction(context, async (inner) => {
        // As who ends: the access token of the cookies may be that of another pair, which is renewed at the same time.
        await store.lockAccount(inner, row.userId, "to end");
        if (!(await store.spendRefreshToken(inner, claims.rowId, clock.now()))) throw refreshTokenInvalid();
        if (access?.kind === "AccessToken") await store.removeAccessToken(inner, access.rowId, row.userId);
        return insertPair(inner, row.userId, row.login);
      });
      credentials.invalidateCommitted(row.userId);
      return cookiesOf(renewed);
    },

    async end(context, sent) {
      const claims = await claimsOf(findCookie(sent.cookies, REFRESH_COOKIE));
      const userId =
        (await credentials.findAccount(context, sent)) ??
        (claims === null ? null : ((await findRow(context, claims))?.userId ?? null));
      if (userId === null) return;
      await endAll(context, userId);
      log.info("signed out", { user_id: userId });
    },
  };
}
