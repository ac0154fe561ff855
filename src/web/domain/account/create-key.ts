// Makes an API key: of the whole installation, or one's own.
import { askGraphql } from "../../lib/graphql.ts";
import { createOwnKey, createSystemKey } from "./keys.queries.ts";

interface NewKey {
  readonly name: string;
  readonly description: string | null;
  readonly expiresAt: string | null;
}

/** Resolves to the text of the key, which no other answer holds. */
export async function createKey(system: boolean, input: NewKey): Promise<string> {
  if (system) return (await askGraphql(createSystemKey, { input })).createSystemApiKey.jwt;
  return (await askGraphql(createOwnKey, { input })).createUserApiKey.jwt;
}
