// The use cases of secrets: stored encrypted, listed by name, never shown. Who may call them is decided by the policy before.
import { authorIdOf } from "../../../access/principal.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { messageOf } from "../../../kernel/failure.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { effectiveChanges, maskOf } from "./secret-change.rules.ts";
import type { SecretCipher } from "./secret-cipher.rules.ts";
import type { Secret, SecretChange, SecretMask } from "./secrets.schema.ts";
import type { SecretRow, SecretsStore } from "./secrets.store.ts";

interface SecretsDependencies {
  readonly store: SecretsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly cipher: SecretCipher;
  /** False without SERVICE_SECRET: values are then encrypted with a key that everybody knows. */
  readonly isProtected: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Names, in the reverse order of the request, each once. */
interface SecretsChanged {
  readonly upserted: readonly string[];
  /** Whether or not there was one. */
  readonly deleted: readonly string[];
}

export interface SecretsService {
  /** All or nothing. The entries must have passed `changeProblem`. */
  changeSecrets(context: CallContext, changes: readonly SecretChange[]): Promise<SecretsChanged>;
  /** `names` null is all. */
  listSecrets: SecretsStore["list"];
  findSecrets(context: CallContext, names: readonly string[]): Promise<Map<string, Secret>>;
  /** What administrators see in place of the values. */
  maskSecrets(context: CallContext, names: readonly string[]): Promise<Map<string, { readonly mask: SecretMask }>>;
  /** Values, for what the server does with them and never for an answer: null for one that this SERVICE_SECRET does not open. Those
   *  that are not stored are missing. */
  readSecrets(context: CallContext, names: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** Names whose values cannot be read with this SERVICE_SECRET. */
  listUnreadable(context: CallContext): Promise<string[]>;
  /** Tells the log which those are. Called at start, which does not wait for it; never fails. */
  reportUnreadable(context: CallContext): Promise<void>;
}

export function createSecretsService(dependencies: SecretsDependencies): SecretsService {
  const { store, storage, cipher, clock, log } = dependencies;

  async function decrypted(rows: readonly SecretRow[]): Promise<Map<string, string | null>> {
    const values = await Promise.all(rows.map(({ name, value }) => cipher.decrypt(name, value)));
    return new Map(rows.map(({ name }, position) => [name, values[position]!]));
  }

  async function listUnreadable(context: CallContext): Promise<string[]> {
    const values = await decrypted(await store.findValues(context, null));
    return [...values].filter(([, value]) => value === null).map(([name]) => name);
  }

  return {
    async changeSecrets(context, changes) {
      const effective = effectiveChanges(changes);
      const stored = effective.filter((change): change is SecretChange & { value: string } => change.value !== null);
      const deleted = effective.filter(({ value }) => value === null).map(({ key }) => key);
      // Before the transaction: on SQLite it holds the only writer.
      const rows = await Promise.all(
        stored.map(async ({ key, value }) => ({ name: key, value: await cipher.encrypt(key, value) })),
      );
      await storage.transaction(context, async (inner) => {
        await store.lockChanges(inner);
        await store.upsert(inner, rows, { userId: authorIdOf(context.principal), nowUs: clock.now() });
        await store.remove(inner, deleted);
      });
      log.info("secrets changed", {
        stored: rows.length,
        deleted: deleted.length,
        user_id: authorIdOf(context.principal),
        request_id: context.requestId,
      });
      if (rows.length > 0 && !dependencies.isProtected) {
        log.warning("secrets are stored without protection: SERVICE_SECRET is not set");
      }
      return { upserted: rows.map(({ name }) => name), deleted };
    },

    listSecrets: store.list,

    async findSecrets(context, names) {
      const found = await store.findAll(context, names);
      return new Map(found.map((secret) => [secret.name, secret]));
    },

    async maskSecrets(context, names) {
      const values = await decrypted(await store.findValues(context, names));
      return new Map([...values].map(([name, value]) => [name, { mask: value === null ? null : maskOf(value) }]));
    },

    async readSecrets(context, names) {
      const rows = await store.findValues(context, names);
      return rows.length === 0 ? new Map() : decrypted(rows);
    },

    listUnreadable,

    async reportUnreadable(context) {
      try {
        const names = await listUnreadable(context);
        if (names.length === 0) return;
        log.error(
          "SERVICE_SECRET does not open all stored secrets: set the one they were stored with, or store them again",
          { secrets: names.join(", ") },
        );
      } catch (error) {
        log.warning("the stored secrets could not be checked", { reason: messageOf(error) });
      }
    },
  };
}
