// The cookies of a sign-in. Their names are those that programs look for.

export const ACCESS_COOKIE = "phoenix-access-token";
export const REFRESH_COOKIE = "phoenix-refresh-token";
/** Of a sign-in at an identity provider, between its two halves. */
export const STATE_COOKIE = "phoenix-oauth2-state";
export const NONCE_COOKIE = "phoenix-oauth2-nonce";
export const CODE_VERIFIER_COOKIE = "phoenix-oauth2-code-verifier";

/** Of a sign-in at an identity provider that was refused: the page shows it, and the log has it. */
export const REFERENCE_COOKIE = "spanlight-sign-in-reference";

export interface CookieSettings {
  /** SERVICE_COOKIES_PATH. */
  readonly path: string;
  /** SERVICE_USE_SECURE_COOKIES. */
  readonly secure: boolean;
}

interface NewCookie {
  readonly name: string;
  /** Nothing that would need quoting: a token. */
  readonly value: string;
  /** Whole seconds until the browser drops it. */
  readonly maxAge: number;
  readonly sameSite: "Strict" | "Lax";
}

/** The value of a `Set-Cookie` header. */
export function cookieText({ name, value, maxAge, sameSite }: NewCookie, { path, secure }: CookieSettings): string {
  return `${name}=${value}; Max-Age=${maxAge}; Path=${path}; HttpOnly; SameSite=${sameSite}${secure ? "; Secure" : ""}`;
}

/** What programs recognise as a cookie that was taken back. */
const CLEARED = '""';

/** `Set-Cookie` values that take back the cookies of a sign-in. They carry the attributes the cookies were set with: a browser
 *  keeps a cookie whose path or `Secure` differs. */
export function clearedCookies(settings: CookieSettings): string[] {
  const cleared = (name: string) => cookieText({ name, value: CLEARED, maxAge: 0, sameSite: "Strict" }, settings);
  return [ACCESS_COOKIE, REFRESH_COOKIE].map(cleared).concat(clearedRoundTripCookies(settings));
}

/** The same for what is stored between the two halves of a sign-in at an identity provider. */
export function clearedRoundTripCookies(settings: CookieSettings): string[] {
  return [STATE_COOKIE, NONCE_COOKIE, CODE_VERIFIER_COOKIE].map((name) =>
    cookieText({ name, value: CLEARED, maxAge: 0, sameSite: "Lax" }, settings),
  );
}

/** The value of a cookie in a `Cookie` header. Absent, empty and taken back are null; of several the first counts, which is the
 *  one with the longest path. */
export function findCookie(header: string | null, name: string): string | null {
  if (header === null) return null;
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    return value === "" || value === CLEARED ? null : value;
  }
  return null;
}
