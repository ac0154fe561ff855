// Secrets: credentials of model providers, by name. Nothing in this module's records, bodies or messages ever holds a value.
import { type Static, Type } from "@sinclair/typebox";
import type { TypeWord } from "../../../kernel/ids.ts";
import { Nullable, Ruled } from "../../../kernel/schema.ts";
import { changeProblem, SECRET_NAME } from "./secret-change.rules.ts";

/** Type word of the global ids of secrets, which carry the name instead of a row id. */
export const SECRET: TypeWord<Secret> = "Secret";

export interface Secret {
  readonly name: string;
  /** Who wrote the value last; null without authentication, and once that account is gone. */
  readonly userId: number | null;
  /** Microseconds UTC. */
  readonly updatedUs: number;
}

/** A value to store under a name, or null to delete it. */
export interface SecretChange {
  readonly key: string;
  readonly value: string | null;
}

/** What an administrator sees of a value: `null` where it was encrypted with another SERVICE_SECRET. */
export type SecretMask = string | null;

const Change = Ruled(
  Type.Object({
    key: Type.String({ description: `Like the name of an environment variable: \`${SECRET_NAME.source}\`.` }),
    value: Nullable(Type.String(), { description: "Trimmed. Null deletes, whether or not the secret exists." }),
  }),
  changeProblem,
);

export const SecretChanges = Type.Object({
  secrets: Type.Array(Change, { minItems: 1, description: "Of entries with the same key the last one counts." }),
});
export type SecretChanges = Static<typeof SecretChanges>;

export const SecretChangesAnswer = Type.Object({
  data: Type.Object({ upserted_keys: Type.Array(Type.String()), deleted_keys: Type.Array(Type.String()) }),
});
