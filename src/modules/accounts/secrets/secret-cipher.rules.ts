// Encryption of stored secrets: AES-256-GCM with a nonce for every value and the secret's name as associated data, so that a
// value moved to another name is not read. The key comes from SERVICE_SECRET; without one it protects nothing.
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** SERVICE_SECRET may be a sentence rather than random characters: guessing it must cost something. */
const ROUNDS = 600_000;
/** Fixed, because the key must come out the same on every server; the strength is that of SERVICE_SECRET. */
const SALT = "spanlight secrets 1";

const derive = promisify(pbkdf2);

export interface SecretCipher {
  /** Derives the key, so that no transaction waits for it later. */
  ready(): Promise<void>;
  encrypt(name: string, value: string): Promise<Uint8Array>;
  /** Null for what another SERVICE_SECRET, or another name, has encrypted. */
  decrypt(name: string, stored: Uint8Array): Promise<string | null>;
}

/** The key is derived by the first use, off the event loop: a server without secrets never pays for it. Null without
 *  SERVICE_SECRET. */
export function createSecretCipher(serviceSecret: string | null): SecretCipher {
  let deriving: Promise<Buffer> | null = null;
  const key = () => {
    deriving ??= derive(serviceSecret ?? "", SALT, ROUNDS, KEY_BYTES, "sha256");
    return deriving;
  };

  return {
    async ready() {
      await key();
    },

    async encrypt(name, value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", await key(), nonce).setAAD(Buffer.from(name, "utf8"));
      const encrypted = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), encrypted]);
    },

    async decrypt(name, stored) {
      const bytes = Buffer.from(stored);
      const nonceEnd = 1 + NONCE_BYTES;
      const tagEnd = nonceEnd + TAG_BYTES;
      if (bytes[0] !== FORMAT || bytes.length < tagEnd) return null;
      const decipher = createDecipheriv("aes-256-gcm", await key(), bytes.subarray(1, nonceEnd))
        .setAAD(Buffer.from(name, "utf8"))
        .setAuthTag(bytes.subarray(nonceEnd, tagEnd));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
