// Probes and the protocol version: open to everybody, without any other information (docs/protocol/configuration.md#probes).
import { Type } from "@sinclair/typebox";
import { type RouteModule, route } from "../api/route.ts";
import { Failure, fail } from "../kernel/failure.ts";
import type { StorageReadiness } from "../storage/storage.ts";
import { TEXT } from "./failures.ts";
import { PROTOCOL_LEVEL } from "./headers.ts";

const LIMIT_REACHED = "The database is fuller than its operator allows: nothing is added until something is deleted";

/** Public: only texts of the storage that are meant for everybody are shown. */
function reasonOf(cause: unknown): string {
  const isPublic =
    cause instanceof Failure && cause.code.startsWith("storage.") && cause.code !== "storage.unreachable";
  return isPublic ? cause.message : "database unreachable";
}

function text(body: string): Response {
  return new Response(body, { headers: { "content-type": TEXT } });
}

/** `readiness` is that of the storage; `isStorageLocked` tells that the operator's own limit is reached. Both a full disk and that
 *  limit leave the service ready: people must get in to delete. */
export function healthRoutes(
  readiness: () => Promise<StorageReadiness>,
  isStorageLocked: () => boolean = () => false,
): RouteModule {
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
        summary: "Rows can be stored, or at least read and deleted",
        action: "server.probe",
        status: 200,
        documented: false,
        response: Type.Object({ note: Type.Optional(Type.String()) }),
        handler: async () => {
          const { note } = await readiness().catch((cause) => {
            throw fail("http.not_ready", "unavailable", reasonOf(cause), { cause });
          });
          const shown = note ?? (isStorageLocked() ? LIMIT_REACHED : null);
          return shown === null ? {} : { note: shown };
        },
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
