// API keys: the record that services hand around, and the bodies of the API. The key itself is shown once, by the answer to
// its creation, and stored nowhere.
import { type Static, Type } from "@sinclair/typebox";
import { globalId } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { Instant, InstantText, Nullable, Ruled } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { type User, userGlobalId } from "../users/users.schema.ts";

/** Type words of global ids: one table; the owner of the row decides the word. */
export const USER_API_KEY = "UserApiKey";
export const SYSTEM_API_KEY = "SystemApiKey";
export type ApiKeyType = typeof USER_API_KEY | typeof SYSTEM_API_KEY;

export interface ApiKey {
  readonly id: number;
  /** The owner: a person, or the system account. */
  readonly userId: number;
  readonly name: string;
  readonly description: string | null;
  /** Microseconds UTC. */
  readonly createdUs: number;
  /** Null never expires. */
  readonly expiresUs: number | null;
}

export interface NewApiKey {
  readonly name: string;
  readonly description: string | null;
  readonly expiresUs: number | null;
}

/** A new key with its text, which cannot be read again. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly text: string;
}

const members = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  created_at: InstantText(),
  expires_at: Type.Optional(InstantText()),
};

const ApiKeyBody = Type.Object(members, { $id: "ApiKey" });
type ApiKeyBody = Static<typeof ApiKeyBody>;
export const ApiKeysAnswer = Type.Object({ data: Type.Array(ApiKeyBody) });

const Owner = Type.Object({ id: Type.String(), username: Type.String(), email: Nullable(Type.String()) });
export const OwnedApiKeysPage = pageOf(Type.Object({ ...members, user: Owner }));

export const IssuedApiKeyAnswer = Type.Object({
  data: Type.Object({ ...members, key: Type.String({ description: "Shown this once." }) }),
});

export const ApiKeysQuery = Type.Object({
  cursor: cursorParameter,
  limit: limitParameter({ default: 100, maximum: 1000 }),
});

export const ApiKeyCreation = Type.Object({
  data: Ruled(
    Type.Object({
      name: Type.String({ description: "Trimmed; must not be blank." }),
      description: Type.Optional(Nullable(Type.String())),
      expires_at: Type.Optional(
        Nullable(Instant({ description: "In the future; without zone it is UTC. Without it the key never expires." })),
      ),
    }),
    ({ name }) => (name.trim() === "" ? "Name cannot be empty" : null),
  ),
});
export type ApiKeyCreation = Static<typeof ApiKeyCreation>;

/** What is null is left out. */
export function apiKeyBody(type: ApiKeyType, { id, name, description, createdUs, expiresUs }: ApiKey): ApiKeyBody {
  return {
    id: globalId(type, id),
    name,
    ...(description ? { description } : {}),
    created_at: formatInstant(createdUs),
    ...(expiresUs === null ? {} : { expires_at: formatInstant(expiresUs) }),
  };
}

export function ownedApiKeyBody(key: ApiKey, { id, username, email }: User) {
  return { ...apiKeyBody(USER_API_KEY, key), user: { id: userGlobalId(id), username, email } };
}
