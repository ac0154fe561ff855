// Sign-ins however they came about: issued, renewed and ended here (`auth.md` 3.5, 3.6). A sign-in is a short-lived access token
// and a refresh token that can be used once.
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { CallContext, Storage } from "../../storage/storage.ts";
import type { User } from "../users/users.schema.ts";
import { refreshTokenExpired, refreshTokenInvalid, refreshTokenMissing } from "./auth.errors.ts";
import type { CookieSettings } from "./cookie.rules.ts";
import { ACCESS_COOKIE, clearedCookies, cookieText, findCookie, REFRESH_COOKIE } from "./cookie.rules.ts";
import type { CredentialsService, SentCredentials } from "./credentials.service.ts";
import type { LoginsStore } from "./logins.store.ts";
import { carriesRandomOf, newTokenRandom, type TokenForm } from "./token.rules.ts";
import type { TokenClaims, TokenRow } from "./token.schema.ts";

export interface LoginsDependencies {
  readonly store: LoginsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly tokens: TokenForm;
  readonly credentials: Pick<CredentialsService, "findAccount" | "distrust" | "forget">;
  readonly cookies: CookieSettings;
  readonly accessTokenMinutes: number;
  readonly refreshTokenMinutes: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `Set-Cookie` values. */
export type Cookies = readonly string[];

interface NewPair {
  readonly access: TokenClaims;
  readonly refresh: TokenClaims;
}

export interface LoginsService {
  /** Signs the account in, beside what sign-ins it has; null when it was changed since it was read, and its password perhaps too. */
  begin(context: CallContext, account: Pick<User, "id" | "updatedUs">): Promise<Cookies | null>;
  /** Trades the refresh token of the cookies for a new pair with full lifetimes. Of any number of callers with one token one wins;
   *  the others, and whoever comes later, fail with kind `unauthenticated`. */
  renew(context: CallContext, cookies: string | null): Promise<Cookies>;
  /** Ends every sign-in of whoever the credentials name, even when they are over; names nobody: nothing. */
  end(context: CallContext, sent: SentCredentials): Promise<void>;
  /** Ends every sign-in of the account, in every browser. Its API keys stay. Joins the transaction of the context. */
  endAll(context: CallContext, userId: number): Promise<void>;
  /** What takes the cookies of a sign-in back. */
  readonly clearedCookies: Cookies;
}

const MICROSECONDS_A_MINUTE = 60_000_000;

export function createLoginsService(dependencies: LoginsDependencies): LoginsService {
  const { store, storage, tokens, credentials, clock, log } = dependencies;
  const lives = {
    access: dependencies.accessTokenMinutes * MICROSECONDS_A_MINUTE,
    refresh: dependencies.refreshTokenMinutes * MICROSECONDS_A_MINUTE,
  };

  /** In the transaction of the context: the rows, which the tokens name. */
  async function insertPair(context: CallContext, userId: number): Promise<NewPair> {
    const createdUs = clock.now();
    const access = newTokenRandom();
    const refresh = newTokenRandom();
    const common = { userId, createdUs };
    const { accessId, refreshId } = await store.insertPair(
      context,
      { ...common, randomHash: access.hash, expiresUs: createdUs + Math.round(lives.access) },
      { ...common, randomHash: refresh.hash, expiresUs: createdUs + Math.round(lives.refresh) },
    );
    return {
      access: { kind: "AccessToken", rowId: accessId, random: access.random },
      refresh: { kind: "RefreshToken", rowId: refreshId, random: refresh.random },
    };
  }

  /** After the transaction, which must wait for nothing but the database. */
  async function cookiesOf(pair: NewPair): Promise<Cookies> {
    const [access, refresh] = await Promise.all([tokens.write(pair.access), tokens.write(pair.refresh)]);
    const cookie = (name: string, value: string, life: number) =>
      cookieText({ name, value, maxAge: Math.floor(life / 1_000_000), sameSite: "Strict" }, dependencies.cookies);
    return [cookie(ACCESS_COOKIE, access, lives.access), cookie(REFRESH_COOKIE, refresh, lives.refresh)];
  }

  /** The refresh token of the cookies with its row; null for none that was ever issued and still stands. */
  async function findRefreshToken(
    context: CallContext,
    text: string,
  ): Promise<{ readonly claims: TokenClaims; readonly row: TokenRow } | null> {
    const claims = await tokens.read(text);
    if (claims?.kind !== "RefreshToken") return null;
    const row = await store.findRefreshToken(context, claims.rowId);
    return row !== null && carriesRandomOf(claims, row.randomHash) ? { claims, row } : null;
  }

  async function endAll(context: CallContext, userId: number): Promise<void> {
    await storage.transaction(context, async (inner) => {
      await store.lockAccount(inner, userId, "to end");
      await store.removeOfUser(inner, userId);
    });
    if (context.database.transaction === null) credentials.forget(userId);
    else credentials.distrust(userId);
  }

  return {
    clearedCookies: clearedCookies(dependencies.cookies),
    endAll,

    async begin(context, { id, updatedUs }) {
      const pair = await storage.transaction(context, async (inner) =>
        (await store.lockAccount(inner, id, "to issue")) === updatedUs ? insertPair(inner, id) : null,
      );
      return pair === null ? null : cookiesOf(pair);
    },

    async renew(context, cookies) {
      const text = findCookie(cookies, REFRESH_COOKIE);
      if (text === null) throw refreshTokenMissing();
      const found = await findRefreshToken(context, text);
      if (found === null) throw refreshTokenInvalid();
      const { claims, row } = found;
      if (row.expiresUs !== null && row.expiresUs <= clock.now()) throw refreshTokenExpired();
      const accessText = findCookie(cookies, ACCESS_COOKIE);
      const access = accessText === null ? null : await tokens.read(accessText);
      const renewed = await storage.transaction(context, async (inner) => {
        // As who ends: the access token of the cookies may be that of another pair, which is renewed at the same time.
        await store.lockAccount(inner, row.userId, "to end");
        if (!(await store.takeRefreshToken(inner, claims.rowId))) throw refreshTokenInvalid();
        if (access?.kind === "AccessToken") await store.removeAccessToken(inner, access.rowId, row.userId);
        return insertPair(inner, row.userId);
      });
      credentials.forget(row.userId);
      return cookiesOf(renewed);
    },

    async end(context, sent) {
      const refreshText = findCookie(sent.cookies, REFRESH_COOKIE);
      const userId =
        (await credentials.findAccount(context, sent)) ??
        (refreshText === null ? null : ((await findRefreshToken(context, refreshText))?.row.userId ?? null));
      if (userId === null) return;
      await endAll(context, userId);
      log.info("signed out", { user_id: userId });
    },
  };
}
