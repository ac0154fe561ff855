// Signing in and out. Without authentication its routes do not exist.
import { feature, givenKey } from "../../feature.ts";
import { type AuthRoutesNeeds, authRoutes } from "./auth.routes.ts";

/** Null while authentication is off. */
export const givenSigningIn = givenKey<AuthRoutesNeeds | null>("signing in");

export const signingInFeature = feature("signing in", ({ use }) => {
  const signingIn = use(givenSigningIn);
  return { service: null, ...(signingIn === null ? {} : { routes: authRoutes(signingIn) }) };
});
