// Rows of lists are counted and completed in slices of time, in the middle for every field: only lists multiply what an answer takes, so
// that one of 100,000 rows does not hold up every other request, whether they are in one list or in many short ones.
import {
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import type { GraphqlCall } from "../../graphql/call.ts";
import { fieldsBelow } from "../../graphql/selection.ts";

export function completeListsInSlices(schema: GraphQLSchema): void {
  // The types of introspection belong to the library, and to every other schema of the process.
  const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  for (const type of own.filter(isObjectType)) {
    // Rows of a page are counted before its edges are made.
    const isPage = "pageInfo" in type.getFields();
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || isLeafType(getNamedType(field.type))) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, given, call: GraphqlCall, info) => {
        const complete = (items: unknown) => {
          if (!Array.isArray(items)) return items;
          const values = 1 + fieldsBelow(info);
          if (!isPage) call.charge(items.length * values, items.length);
          return inSlices(items, values, call);
        };
        const items: unknown = resolve(parent, given, call, info);
        return items instanceof Promise ? items.then(complete) : complete(items);
      };
    }
  }
}

/** The items as the executor takes them: those of a long answer are promises, which are kept a few at a time. */
function inSlices(items: readonly unknown[], values: number, call: GraphqlCall): unknown {
  if (!call.isLong(items.length * values)) return items;
  return items.map((item: unknown) => call.giveWay(values).then(() => item));
}
