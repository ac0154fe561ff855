// Signing in and out. Without authentication its routes do not exist.
import { feature } from "../../feature.ts";
import { authRoutes } from "./auth.routes.ts";

export const signingInFeature = feature("signing in", ({ identity: { signingIn } }) => ({
  service: null,
  ...(signingIn === null ? {} : { routes: authRoutes(signingIn) }),
}));
