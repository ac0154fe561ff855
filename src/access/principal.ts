// Who asks. Every service method gets one with its call context; the policy decides on it.
import type { PersonRole } from "./roles.ts";

export type Principal =
  /** Authentication is switched off: every gate is open and authors are null. */
  | { readonly kind: "open" }
  /** No credential, or none that was accepted. */
  | AnonymousPrincipal
  | UserPrincipal
  /** A system API key. It acts as the system account. */
  | { readonly kind: "system"; readonly userId: number; readonly apiKeyId?: number }
  /** The bearer of SERVICE_ADMIN_SECRET. It acts as the system account, with the rights of an administrator. */
  | { readonly kind: "admin_secret"; readonly userId: number };

interface AnonymousPrincipal {
  readonly kind: "anonymous";
  /** The credential was known, but its time is over. */
  readonly expired?: true;
}

export interface UserPrincipal {
  readonly kind: "user";
  readonly userId: number;
  /** The role of the account now, not when the credential was issued. */
  readonly role: PersonRole;
  /** A sign-in (access token), or an API key of that person. */
  readonly credential: "login" | "api_key";
  /** Row id of the API key, if that is the credential. */
  readonly apiKeyId?: number;
  /** Signed in with a password that is publicly known or generated: refused everything but a new one. */
  readonly mustChangePassword: boolean;
}

export const openPrincipal: Principal = { kind: "open" };
export const anonymousPrincipal: AnonymousPrincipal = { kind: "anonymous" };

/** The account that is recorded as author of what the principal makes; null while authentication is off. */
export function authorIdOf(principal: Principal): number | null {
  return "userId" in principal ? principal.userId : null;
}
