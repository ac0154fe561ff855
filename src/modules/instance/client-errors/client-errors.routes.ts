// Where pages report what went wrong in them.
import { type RouteModule, route } from "../../../api/route.ts";
import { ClientError } from "./client-errors.schema.ts";
import type { ClientErrorsService } from "./client-errors.service.ts";

export function clientErrorRoutes(service: ClientErrorsService): RouteModule {
  return {
    name: "client errors",
    routes: [
      route({
        method: "POST",
        path: "/client_errors",
        operationId: "reportClientError",
        summary: "Write an error of a page to the log of the server",
        action: "client_errors.report",
        status: 204,
        documented: false,
        admission: (clientAddress) => service.admit(clientAddress()),
        body: ClientError,
        handler: ({ body }) => service.report(body),
      }),
    ],
  };
}
