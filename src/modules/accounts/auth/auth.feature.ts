// Signing in and out. Without authentication its routes do not exist.
import type { ActionRows } from "../../../access/policy.ts";
import { feature, givenKey } from "../../feature.ts";
import { type AuthRoutesNeeds, authRoutes } from "./auth.routes.ts";

/** Null while authentication is off. */
export const givenSigningIn = givenKey<AuthRoutesNeeds | null>("signing in");

const actions = {
  /** Signing in and out, which is how a principal comes about. */
  login: { use: "public" },
} as const satisfies ActionRows;
type SigningInActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends SigningInActions {}
}

export const signingInFeature = feature("signing in", { actions }, ({ use }) => {
  const signingIn = use(givenSigningIn);
  return { service: null, ...(signingIn === null ? {} : { routes: authRoutes(signingIn) }) };
});
