// `node(id)`: any object by its global id (`graphql.md` 3).
import { nodeNotFound, requireNodeId } from "./types/ids.ts";
import type { GraphqlTypes } from "./types/types.ts";

export function addNodeField({ builder, node, finders }: GraphqlTypes): void {
  builder.queryField("node", (t) =>
    t.field({
      type: node,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, call) => {
        const { type, rowId } = requireNodeId(id);
        const found = await finders.get(type)?.(call, rowId);
        if (found === undefined || found === null) throw nodeNotFound(id);
        return { ...found, __typename: type } as never;
      },
    }),
  );
}
