// Errors of pages in the log of the server.
import { feature } from "../../feature.ts";
import { clientErrorRoutes } from "./client-errors.routes.ts";
import { createClientErrorsService } from "./client-errors.service.ts";

export const clientErrorsFeature = feature("client errors", ({ clock, log, settings }) => ({
  service: null,
  routes: clientErrorRoutes(createClientErrorsService(log.named("client errors"), clock, settings.rateLimitDisabled)),
}));
