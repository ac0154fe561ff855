// API keys: lists of them, and what makes and deletes them. The text of a key is answered once, by what makes it.
import { graphql } from "../../lib/graphql.ts";

export const ownKeys = graphql(`
  query OwnApiKeys {
    viewer {
      id
      apiKeys { id name description createdAt expiresAt }
    }
  }
`);

export const systemKeys = graphql(`
  query SystemApiKeys {
    systemApiKeys { id name description createdAt expiresAt }
  }
`);

export const keysOfPeople = graphql(`
  query ApiKeysOfPeople {
    userApiKeys { id name description createdAt expiresAt user { id username email } }
  }
`);

export const createOwnKey = graphql(`
  mutation CreateOwnApiKey($input: CreateUserApiKeyInput!) {
    createUserApiKey(input: $input) { jwt apiKey { id name } }
  }
`);

export const createSystemKey = graphql(`
  mutation CreateSystemApiKey($input: CreateApiKeyInput!) {
    createSystemApiKey(input: $input) { jwt apiKey { id name } }
  }
`);

export const deletePersonsKey = graphql(`
  mutation DeletePersonsApiKey($id: ID!) {
    deleteUserApiKey(input: { id: $id }) { apiKeyId }
  }
`);

export const deleteSystemKey = graphql(`
  mutation DeleteSystemApiKey($id: ID!) {
    deleteSystemApiKey(input: { id: $id }) { apiKeyId }
  }
`);

/** A key as every list shows it. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Of the keys of people. */
  readonly user?: { readonly id: string; readonly username: string; readonly email: string | null };
}
