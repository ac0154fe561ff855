// The field `user` of what people make, in GraphQL.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import type { TypeWord } from "../../../kernel/ids.ts";
import { USER } from "./users.schema.ts";
import type { UsersService } from "./users.service.ts";

/** Adds `user` to a type whose rows name their author: the account, or null where none is named or left. */
export function addAuthor(
  types: GraphqlTypes,
  users: UsersService,
  type: TypeWord<{ readonly userId: number | null }>,
  description: string,
): void {
  types.builder.objectFields(types.ref(type), (t) => ({
    user: t.field({
      type: types.ref(USER),
      nullable: true,
      description,
      resolve: ({ userId }, _given, call) => (userId === null ? null : call.load(users.findUsers, userId, null)),
    }),
  }));
}
