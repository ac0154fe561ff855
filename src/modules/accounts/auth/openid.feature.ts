// Identity providers. Without authentication their routes do not exist.
import { feature } from "../../feature.ts";
import { givenSigningIn } from "./auth.feature.ts";
import { openidRoutes } from "./openid/openid.routes.ts";

export const openidFeature = feature("identity providers", ({ use }) => {
  const signingIn = use(givenSigningIn);
  return { service: null, ...(signingIn === null ? {} : { routes: openidRoutes(signingIn.openid) }) };
});
