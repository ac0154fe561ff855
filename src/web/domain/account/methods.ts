// The ways of signing in that accounts can be made for here.
import type { AuthMethod } from "../../../access/roles.ts";
import { start } from "../../lib/start.ts";

/** The usual one first; none while authentication is off. */
export function possibleMethods(): readonly AuthMethod[] {
  const offers = start.signIn;
  if (offers === null) return [];
  const { password, providers, directoryAccounts } = offers;
  return [
    ...(password ? ["LOCAL" as const] : []),
    ...(providers.length > 0 ? ["OAUTH2" as const] : []),
    ...(directoryAccounts ? ["LDAP" as const] : []),
  ];
}
