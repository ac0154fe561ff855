// Errors of pages in the log of the server.
import type { ActionRows } from "../../../access/policy.ts";
import { feature } from "../../feature.ts";
import { clientErrorRoutes } from "./client-errors.routes.ts";
import { createClientErrorsService } from "./client-errors.service.ts";

const actions = {
  /** Errors of pages, which anybody has who opened one. */
  client_errors: { report: "self" },
} as const satisfies ActionRows;
type ClientErrorsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ClientErrorsActions {}
}

export const clientErrorsFeature = feature("client errors", { actions }, ({ clock, log, settings }) => ({
  service: null,
  routes: clientErrorRoutes(createClientErrorsService(log.named("client errors"), clock, settings.rateLimitDisabled)),
}));
