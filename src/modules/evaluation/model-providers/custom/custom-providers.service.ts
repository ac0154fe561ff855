// The use cases of custom providers. Their configurations are read for calls alone; what is shown of them are masks. The policy decides
// before who may call this.
import { authorIdOf } from "../../../../access/principal.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import type { SecretCipher } from "../../../accounts/secrets/secret-cipher.rules.ts";
import { requireConfig } from "./custom-provider-config.rules.ts";
import type { CustomProviderConfig } from "./custom-provider-config.schema.ts";
import {
  type CustomProviderConfigs,
  cipherNameOf,
  createCustomProviderConfigs,
} from "./custom-provider-configs.service.ts";
import { changedTexts, requireTexts } from "./custom-provider-texts.rules.ts";
import {
  changedProviderNotFound,
  customProviderNotFound,
  nameTaken,
  tooManyProviders,
} from "./custom-providers.errors.ts";
import {
  type CustomProvider,
  type CustomProviderChanges,
  type GivenConfig,
  MAX_CUSTOM_PROVIDERS,
  type NewCustomProvider,
} from "./custom-providers.schema.ts";
import type { CustomProvidersStore, ProviderUsage, StoredProvider } from "./custom-providers.store.ts";

interface CustomProvidersDependencies {
  readonly store: CustomProvidersStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly cipher: SecretCipher;
  /** False without SERVICE_SECRET: configurations are then encrypted with a key that everybody knows. */
  readonly isProtected: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A row as mutations name it: its id, and how the caller wrote it. */
export interface NamedRow {
  readonly id: number;
  readonly wireId: string;
}

export interface CustomProvidersService extends CustomProviderConfigs {
  /** Newest first. */
  listProviders(context: CallContext, page: PageRequest): Promise<PlacedPage<CustomProvider>>;
  findProviders(context: CallContext, ids: readonly number[]): Promise<Map<number, CustomProvider>>;
  /** The provider, which is not deleted before the end of the caller's transaction. Throws kind `not_found`. */
  holdProvider(context: CallContext, id: number): Promise<CustomProvider>;
  /** Prompts that have a version for the provider; providers without any are left out. */
  findUsage(context: CallContext, ids: readonly number[]): Promise<Map<number, ProviderUsage>>;
  /** Throws kind `invalid` that names the member, `conflict` for a name that is taken. */
  createProvider(context: CallContext, given: NewCustomProvider): Promise<CustomProvider>;
  /** Throws as `createProvider`, and kind `not_found`. */
  patchProvider(context: CallContext, row: NamedRow, changes: CustomProviderChanges): Promise<CustomProvider>;
  /** Prompts and jobs that used it lose it. One that does not exist is no failure. */
  deleteProvider(context: CallContext, id: number): Promise<void>;
  /** What would be stored, for a test of it; `row` is the provider that is edited. Throws as `patchProvider`. */
  configToTest(context: CallContext, given: GivenConfig, row: NamedRow | null): Promise<CustomProviderConfig>;
}

export function createCustomProvidersService(dependencies: CustomProvidersDependencies): CustomProvidersService {
  const { store, storage, cipher, clock, log } = dependencies;

  const { configOf, ...configs } = createCustomProviderConfigs({ store, cipher, log });

  /** The provider that a mutation names. */
  async function getChanged(context: CallContext, { id, wireId }: NamedRow): Promise<StoredProvider> {
    const stored = (await store.findAll(context, [id]))[0];
    if (stored === undefined) throw changedProviderNotFound(wireId);
    return stored;
  }

  async function storeConfig(context: CallContext, id: number, config: CustomProviderConfig): Promise<void> {
    await store.setConfig(context, id, await cipher.encrypt(cipherNameOf(id), JSON.stringify(config)));
  }

  async function change<Result>(context: CallContext, work: (inner: CallContext) => Promise<Result>): Promise<Result> {
    // Before the transaction: on SQLite it holds the only writer.
    await cipher.ready();
    return storage.transaction(context, async (inner) => {
      await store.lockChanges(inner);
      return work(inner);
    });
  }

  function logChange(what: string, { requestId, principal }: CallContext, id: number): void {
    log.info(what, { custom_provider_id: id, user_id: authorIdOf(principal), request_id: requestId });
  }

  return {
    ...configs,
    listProviders: store.list,
    findUsage: store.findUsage,

    async findProviders(context, ids) {
      return new Map((await store.findAll(context, ids)).map(({ provider }) => [provider.id, provider]));
    },

    async holdProvider(context, id) {
      const held = await store.hold(context, id);
      if (held === null) throw customProviderNotFound(id);
      return held;
    },

    async createProvider(context, given) {
      const texts = requireTexts(given);
      const config = requireConfig(given.config, null);
      const nowUs = clock.now();
      const author = { userId: authorIdOf(context.principal), createdUs: nowUs, updatedUs: nowUs };
      const created = await change(context, async (inner) => {
        if ((await store.count(inner)) >= MAX_CUSTOM_PROVIDERS) throw tooManyProviders();
        const provider = await store.insert(inner, { ...texts, ...author, sdk: config.sdk });
        if (provider === null) throw nameTaken(texts.name);
        await storeConfig(inner, provider.id, config);
        return provider;
      });
      logChange("a custom provider was created", context, created.id);
      if (!dependencies.isProtected) {
        log.warning("credentials of custom providers are stored without protection: SERVICE_SECRET is not set");
      }
      return created;
    },

    async patchProvider(context, row, changes) {
      const patched = await change(context, async (inner) => {
        const stored = await getChanged(inner, row);
        const { provider } = stored;
        const texts = changedTexts(provider, changes);
        const config =
          changes.config === null
            ? null
            : requireConfig(changes.config, { sdk: provider.sdk, config: (await configOf(stored)).config });
        const sdk = config?.sdk ?? provider.sdk;
        try {
          const updated = await store.update(inner, provider.id, { ...texts, sdk, updatedUs: clock.now() });
          if (config !== null) await storeConfig(inner, provider.id, config);
          return updated;
        } catch (error) {
          throw isDuplicate(error) ? nameTaken(texts.name) : error;
        }
      });
      logChange("a custom provider was changed", context, patched.id);
      return patched;
    },

    async deleteProvider(context, id) {
      const removed = await change(context, (inner) => store.remove(inner, id));
      if (removed) logChange("a custom provider was deleted", context, id);
    },

    async configToTest(context, given, row) {
      if (row === null) return requireConfig(given, null);
      const stored = await getChanged(context, row);
      return requireConfig(given, { sdk: stored.provider.sdk, config: (await configOf(stored)).config });
    },
  };
}
