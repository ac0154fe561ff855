// `serverStatus`: what clients ask before they send, or show above everything else.
import type { GraphqlTypes } from "../../graphql/types.ts";

interface ServerStatusRow {
  readonly insufficientStorage: boolean;
}

export function addServerStatus({ builder }: GraphqlTypes, isStorageLocked: () => boolean): void {
  const ServerStatus = builder.objectRef<ServerStatusRow>("ServerStatus").implement({
    description: "How the service is",
    fields: (t) => ({
      insufficientStorage: t.exposeBoolean("insufficientStorage", {
        description: "True while the database is fuller than the operator allows: nothing new is taken in",
      }),
    }),
  });
  builder.queryFields((t) => ({
    serverStatus: t.field({
      type: ServerStatus,
      may: "graphql.query",
      resolve: () => ({ insufficientStorage: isStorageLocked() }),
    }),
  }));
}
