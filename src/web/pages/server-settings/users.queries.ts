// Accounts as administrators see and change them.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const userList = graphql(`
  query Users($first: Int!, $after: String) {
    users(first: $first, after: $after) {
      edges {
        node { id username email role { name } authMethod passwordNeedsReset createdAt apiKeyCount }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const createUser = graphql(`
  mutation CreateUser($input: CreateUserInput!) {
    createUser(input: $input) { user { id username } }
  }
`);

export const changeUser = graphql(`
  mutation ChangeUser($input: PatchUserInput!) {
    patchUser(input: $input) { user { id username } }
  }
`);

export const deleteUser = graphql(`
  mutation DeleteUser($id: ID!) {
    deleteUsers(input: { userIds: [$id] }) { userIds }
  }
`);

export type ListedUser = ResultOf<typeof userList>["users"]["edges"][number]["node"];
