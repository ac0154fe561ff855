// The ways of signing in that accounts can be made for here.
import type { AuthMethod } from "../../../access/roles.ts";
import { start } from "../../lib/start.ts";

/** The usual one first; none while authentication is off. */
export function possibleMethods(): readonly AuthMethod[] {
  const offers = start.signIn;
  if (offers === null) return [];
  return [...(offers.password ? ["LOCAL" as const] : []), ...(offers.providers.length > 0 ? ["OAUTH2" as const] : [])];
}
