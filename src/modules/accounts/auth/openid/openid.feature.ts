// Identity providers. Without authentication their routes do not exist.
import { feature } from "../../../feature.ts";
import { openidRoutes } from "./openid.routes.ts";

export const openidFeature = feature("identity providers", ({ identity: { signingIn } }) => ({
  service: null,
  ...(signingIn === null ? {} : { routes: openidRoutes(signingIn.openid) }),
}));
