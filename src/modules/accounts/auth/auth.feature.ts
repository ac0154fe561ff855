// Signing in and out. Without authentication its routes do not exist.

import { feature } from "../../feature.ts";
import { givenIdentity } from "../identity.feature.ts";
import { authRoutes } from "./auth.routes.ts";

export const signingInFeature = feature("signing in", ({ use }) => {
  const { signingIn } = use(givenIdentity);
  return {
    service: null,
    ...(signingIn === null ? {} : { routes: authRoutes(signingIn) }),
  };
});
