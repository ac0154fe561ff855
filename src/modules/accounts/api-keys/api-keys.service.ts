// The use cases of API keys. What a kind of caller may do at all is decided by the policy before; whose key it is, here.
import { isAdministrator } from "../../../access/policy.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { type Page, type PageRequest, wholeList } from "../../../kernel/list.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { newTokenRandom, type TokenForm } from "../auth/tokens/token.rules.ts";
import type { UsersService } from "../users/users.service.ts";
import { nameEmpty, ownerGone, systemAccountMissing, systemKeyNotFound, userKeyNotFound } from "./api-keys.errors.ts";
import type { ApiKey, IssuedApiKey, NewApiKey } from "./api-keys.schema.ts";
import type { ApiKeyOwner, ApiKeysStore } from "./api-keys.store.ts";

interface ApiKeysDependencies {
  readonly store: ApiKeysStore;
  readonly users: UsersService;
  readonly tokens: Pick<TokenForm, "write">;
  /** From now on this server reads again what it knows of the keys of the account. */
  readonly invalidate: (userId: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ApiKeysService {
  /** The caller's own, newest first; none for callers that are no person. */
  listOwn(context: CallContext): Promise<ApiKey[]>;
  /** Of everybody but the system account, newest first. Throws kind `invalid` for a malformed cursor. */
  listPeoples(context: CallContext, request: PageRequest): Promise<Page<ApiKey>>;
  listAllPeoples(context: CallContext): Promise<ApiKey[]>;
  listSystem(context: CallContext): Promise<ApiKey[]>;
  /** Keys of each account; accounts without keys have an empty list. */
  listOfUsers(context: CallContext, userIds: readonly number[]): Promise<Map<number, readonly ApiKey[]>>;
  /** For the caller, who must be a person. Throws kind `unauthenticated` when that account is gone. */
  issueOwn(context: CallContext, key: NewApiKey): Promise<IssuedApiKey>;
  /** For the system account; the maker is recorded. */
  issueSystem(context: CallContext, key: NewApiKey): Promise<IssuedApiKey>;
  /** One's own; administrators anybody's. Throws kind `not_found` also for a foreign key and for system keys. */
  removePersons(context: CallContext, id: number): Promise<void>;
  removeSystem(context: CallContext, id: number): Promise<void>;
}

export function createApiKeysService(dependencies: ApiKeysDependencies): ApiKeysService {
  const { store, users, tokens, invalidate, clock, log } = dependencies;

  function audit(context: CallContext, what: string, { id, userId }: ApiKey): void {
    const { principal } = context;
    log.info(what, {
      api_key_id: id,
      user_id: userId,
      by: principal.kind,
      by_user_id: "userId" in principal ? principal.userId : null,
      request_id: context.requestId,
    });
  }

  const listAll = (context: CallContext, owner: ApiKeyOwner) => {
    const scope = { owner, nowUs: clock.now() };
    return wholeList((request) => store.list(context, scope, request));
  };

  async function issue(context: CallContext, userId: number, key: NewApiKey): Promise<IssuedApiKey> {
    const name = key.name.trim();
    if (name === "") throw nameEmpty();
    const { random, hash } = newTokenRandom();
    const { principal } = context;
    const apiKey = await store.insert(context, {
      ...key,
      name,
      userId,
      createdByUserId: principal.kind === "user" ? principal.userId : null,
      randomHash: hash,
      nowUs: clock.now(),
    });
    audit(context, "API key created", apiKey);
    return { apiKey, text: await tokens.write({ kind: "ApiKey", rowId: apiKey.id, random }) };
  }

  async function remove(context: CallContext, key: ApiKey): Promise<boolean> {
    const removed = await store.remove(context, key.id);
    invalidate(key.userId);
    if (removed) audit(context, "API key deleted", key);
    return removed;
  }

  return {
    async listOwn(context) {
      const { principal } = context;
      return principal.kind === "user" ? listAll(context, { userId: principal.userId }) : [];
    },

    listPeoples: (context, request) => store.list(context, { owner: "people", nowUs: clock.now() }, request),
    listAllPeoples: (context) => listAll(context, "people"),
    listSystem: (context) => listAll(context, "system"),

    async listOfUsers(context, userIds) {
      const keys = await store.listOfUsers(context, userIds, clock.now());
      const byUser = new Map<number, ApiKey[]>(userIds.map((id) => [id, []]));
      for (const key of keys) byUser.get(key.userId)?.push(key);
      return byUser;
    },

    async issueOwn(context, key) {
      const { principal } = context;
      // The account may have gone since the caller was recognised.
      if (principal.kind !== "user" || (await users.findUser(context, { id: principal.userId })) === null) {
        throw ownerGone();
      }
      return issue(context, principal.userId, key);
    },

    async issueSystem(context, key) {
      const system = await users.findUser(context, { role: "SYSTEM" });
      if (system === null) throw systemAccountMissing();
      return issue(context, system.id, key);
    },

    async removePersons(context, id) {
      const key = await store.find(context, "people", id);
      const { principal } = context;
      const isOwn = principal.kind === "user" && key?.userId === principal.userId;
      if (key === null || !(isOwn || isAdministrator(principal))) throw userKeyNotFound();
      if (!(await remove(context, key))) throw userKeyNotFound();
    },

    async removeSystem(context, id) {
      const key = await store.find(context, "system", id);
      if (key === null || !(await remove(context, key))) throw systemKeyNotFound();
    },
  };
}
