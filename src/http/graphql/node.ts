// `node(id)`: any object by its global id.
import { findNamedId, nodeNotFound, requireNodeId } from "../../graphql/ids.ts";
import type { GraphqlTypes } from "../../graphql/types.ts";

export function addNodeField({ builder, node, finders, namedFinders }: GraphqlTypes): void {
  builder.queryField("node", (t) =>
    t.field({
      type: node,
      // What a row shows is asked for by its finder and its fields.
      may: "graphql.query",
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, call) => {
        const named = findNamedId(id);
        const findNamed = named === null ? undefined : namedFinders.get(named.type);
        if (named !== null && findNamed !== undefined) {
          const found = await findNamed(call, named.key);
          if (found === null) throw nodeNotFound(id);
          return { ...found, __typename: named.type };
        }
        const { type, rowId } = requireNodeId(id);
        const found = await finders.get(type)?.(call, rowId);
        if (found === undefined || found === null) throw nodeNotFound(id);
        return { ...found, __typename: type };
      },
    }),
  );
}
