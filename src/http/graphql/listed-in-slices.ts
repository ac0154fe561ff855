// Long lists are completed in slices of time: only lists multiply what an answer takes, so that one of 100,000 rows does not
// hold up every other request.
import {
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import { type GraphqlCall, MANY } from "../../graphql/call.ts";

export function completeListsInSlices(schema: GraphQLSchema): void {
  // The types of introspection belong to the library, and to every other schema of the process.
  const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  for (const type of own.filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || isLeafType(getNamedType(field.type))) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, given, call: GraphqlCall, info) => {
        const items: unknown = resolve(parent, given, call, info);
        return items instanceof Promise ? items.then((found) => inSlices(found, call)) : inSlices(items, call);
      };
    }
  }
}

/** The items as the executor takes them: those of a long list are promises, which are kept a few at a time. */
function inSlices(items: unknown, call: GraphqlCall): unknown {
  if (!Array.isArray(items) || items.length <= MANY) return items;
  return items.map((item: unknown) => call.giveWay().then(() => item));
}
