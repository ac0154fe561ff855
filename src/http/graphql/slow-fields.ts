// A query that took too long is refused by name; fields that take a time range also propose a narrower one.
import { defaultFieldResolver, type GraphQLSchema, isObjectType } from "graphql";
import { explainedSlowness } from "../../api/too-slow.ts";
import type { GraphqlCall } from "../../graphql/call.ts";
import type { GivenRange } from "../../graphql/statistics.ts";

const PARAMETERS = { start: "timeRange.start", end: "timeRange.end" };

export function explainSlowFields(schema: GraphQLSchema): void {
  // The types of introspection belong to the library, and to every other schema of the process.
  const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  for (const type of own.filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      if (field.args.length === 0) continue;
      const takesRange = field.args.some(({ name }) => name === "timeRange");
      const { resolve = defaultFieldResolver } = field;
      field.resolve = async (parent, given, call: GraphqlCall, info) => {
        try {
          return await resolve(parent, given, call, info);
        } catch (error) {
          const range = (given as { readonly timeRange?: GivenRange }).timeRange;
          const asked = takesRange ? { startUs: range?.start ?? null, endUs: range?.end ?? null } : null;
          throw explainedSlowness(error, asked, PARAMETERS, call.nowUs);
        }
      };
    }
  }
}
