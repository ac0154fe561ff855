// How the service is, for those who use it: whether it takes anything in.
import { feature } from "../feature.ts";

export const serverStatusFeature = feature("server status", ({ isStorageLocked }) => ({
  service: null,
  graphql: async () => {
    const { addServerStatus } = await import("./server-status.graphql.ts");
    return (types) => addServerStatus(types, isStorageLocked);
  },
}));
