// Reads the configurations of custom providers: the only place where their secrets are decrypted.
import { messageOf } from "../../../../kernel/failure.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { SecretCipher } from "../../../accounts/secrets/secret-cipher.rules.ts";
import { type CustomProviderConfig, findConfig } from "./custom-provider-config.schema.ts";
import { configNotDecrypted, configNotParsed, customProviderNotFound } from "./custom-providers.errors.ts";
import type { CustomProvider } from "./custom-providers.schema.ts";
import type { CustomProvidersStore, StoredProvider } from "./custom-providers.store.ts";

interface CustomProviderConfigsDependencies {
  readonly store: CustomProvidersStore;
  readonly cipher: SecretCipher;
  readonly log: Logger;
}

/** A configuration with its secrets, or why it cannot be read. */
export type FoundConfig =
  | { readonly config: CustomProviderConfig }
  | { readonly config: null; readonly problem: "undecryptable" | "unparsable" };

export interface CustomProviderConfigs {
  /** For masks, and never for an answer. */
  findConfigs(context: CallContext, ids: readonly number[]): Promise<Map<number, FoundConfig>>;
  /** For a call. Throws kind `not_found`, and `invalid` for a configuration that cannot be read. */
  getConfig(context: CallContext, id: number): Promise<{ provider: CustomProvider; config: CustomProviderConfig }>;
  /** Names of providers whose configuration cannot be read with this SERVICE_SECRET. */
  listUnreadable(context: CallContext): Promise<string[]>;
  /** Logs those. Called at the start, which does not wait for it; never fails. */
  reportUnreadable(context: CallContext): Promise<void>;
}

/** The associated data of a configuration: one that is moved to another row cannot be decrypted. */
export const cipherNameOf = (id: number) => `custom provider ${id}`;

export function createCustomProviderConfigs({ store, cipher, log }: CustomProviderConfigsDependencies) {
  async function configOf({ provider, config }: StoredProvider): Promise<FoundConfig> {
    const text = await cipher.decrypt(cipherNameOf(provider.id), config);
    if (text === null) return { config: null, problem: "undecryptable" };
    const found = findConfig(text);
    return found === null ? { config: null, problem: "unparsable" } : { config: found };
  }

  async function listUnreadable(context: CallContext): Promise<string[]> {
    const all = await store.listAll(context);
    const found = await Promise.all(all.map(configOf));
    return all.filter((_, position) => found[position]!.config === null).map(({ provider }) => provider.name);
  }

  const configs: CustomProviderConfigs = {
    listUnreadable,

    async findConfigs(context, ids) {
      const found = await store.findAll(context, ids);
      const read = await Promise.all(found.map(configOf));
      return new Map(found.map(({ provider }, position) => [provider.id, read[position]!]));
    },

    async getConfig(context, id) {
      const stored = (await store.findAll(context, [id]))[0];
      if (stored === undefined) throw customProviderNotFound(id);
      const { provider } = stored;
      const found = await configOf(stored);
      if (found.config !== null) return { provider, config: found.config };
      throw found.problem === "undecryptable" ? configNotDecrypted(provider.name) : configNotParsed(provider.name);
    },

    async reportUnreadable(context) {
      try {
        const names = await listUnreadable(context);
        if (names.length === 0) return;
        log.error(
          "SERVICE_SECRET does not open the configuration of all custom providers: set the one they were stored with, or enter their credentials again",
          { custom_providers: names.join(", ") },
        );
      } catch (error) {
        log.warning("the custom providers could not be checked", { reason: messageOf(error) });
      }
    },
  };
  return { ...configs, configOf };
}
