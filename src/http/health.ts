// Probes and the protocol version: open to everybody, and telling nothing else (`rest-traces.md` 2.1 to 2.3).
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../api/route.ts";
import { fail } from "../kernel/failure.ts";
import { TEXT } from "./failures.ts";
import { PROTOCOL_LEVEL } from "./headers.ts";

function text(body: string): Response {
  return new Response(body, { headers: { "content-type": TEXT } });
}

/** `ping` resolves when the primary database answers. */
export function healthRoutes(ping: () => Promise<void>): RouteModule {
  return {
    name: "health",
    routes: [
      route({
        method: "GET",
        path: "/healthz",
        operationId: "getHealth",
        summary: "The process answers",
        action: "server.probe",
        status: 200,
        documented: false,
        handler: () => text("OK"),
      }),
      route({
        method: "GET",
        path: "/readyz",
        operationId: "getReadiness",
        summary: "The database answers",
        action: "server.probe",
        status: 200,
        documented: false,
        response: Type.Object({}),
        handler: () =>
          ping().then(
            () => ({}),
            (cause) => {
              throw fail("http.not_ready", "unavailable", "database unreachable", { cause });
            },
          ),
      }),
      route({
        method: "GET",
        path: "/arize_phoenix_version",
        operationId: "getProtocolLevel",
        summary: "The protocol level that clients gate features on",
        action: "server.probe",
        status: 200,
        documented: false,
        handler: () => text(PROTOCOL_LEVEL),
      }),
    ],
  };
}
