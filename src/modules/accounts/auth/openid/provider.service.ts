// One identity provider: its metadata and its keys, asked for when they are first needed and remembered for a while. A provider that
// is away fails sign-ins until it is back, and nothing else.
import type { JSONWebKeySet } from "jose";
import type { IdentityProviderConfig } from "../../../../config/identity-providers.ts";
import { providerAnswerRefused } from "./openid.errors.ts";
import { askProvider, type ProviderLimits } from "./provider-requests.service.ts";

/** The members that a sign-in needs, checked, beside all others that came. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly id_token_signing_alg_values_supported?: string[];
  readonly [member: string]: unknown;
}

export interface IdentityProvider {
  readonly config: IdentityProviderConfig;
  /** Whether its addresses may be plain http: only for a provider on this machine. */
  readonly isInsecure: boolean;
  /** Throws in words for the log while the provider is away. */
  metadata(): Promise<ProviderMetadata>;
  /** Its public keys; `fresh` ones are asked for now. Throws like `metadata`. */
  keys(metadata: ProviderMetadata, options: { readonly fresh: boolean }): Promise<JSONWebKeySet>;
  /** Whether it answered recently, or does now. Never throws, and is bounded in time. */
  isAvailable(): Promise<boolean>;
}

const METADATA_MILLISECONDS = 60 * 60_000;
const KEYS_MILLISECONDS = 10 * 60_000;
/** For the button of the login page. */
const AVAILABILITY_MILLISECONDS = 15_000;

export function createIdentityProvider(config: IdentityProviderConfig, limits: ProviderLimits): IdentityProvider {
  const isInsecure = config.configUrl.startsWith("http:");
  const askJson = (url: string) => askProviderJson(url, limits.requestMs);
  const metadata = remembered(limits, async () => checkedMetadata(await askJson(config.configUrl), isInsecure));
  const keySets = new Map<string, Remembered<JSONWebKeySet>>();

  return {
    config,
    isInsecure,
    metadata: () => metadata.get({ maxAgeMs: METADATA_MILLISECONDS, oldIsFine: true }),

    keys({ jwks_uri: uri }, { fresh }) {
      let keys = keySets.get(uri);
      if (keys === undefined) {
        keys = remembered(limits, async () => checkedKeys(await askJson(uri)));
        // Of a provider that moved them, the old ones are of no use.
        keySets.clear();
        keySets.set(uri, keys);
      }
      return keys.get({ maxAgeMs: fresh ? 0 : KEYS_MILLISECONDS, oldIsFine: false });
    },

    isAvailable: () =>
      metadata.get({ maxAgeMs: AVAILABILITY_MILLISECONDS, oldIsFine: false }).then(
        () => true,
        () => false,
      ),
  };
}

async function askProviderJson(url: string, requestMs: number): Promise<unknown> {
  const answer = await askProvider(url, { headers: { accept: "application/json" } }, { requestMs });
  const { host } = new URL(url);
  if (answer.status !== 200) throw providerAnswerRefused(`status ${answer.status} from ${host}`);
  return answer.json().catch(() => {
    throw providerAnswerRefused(`no JSON from ${host}`);
  });
}

interface Remembered<Value> {
  /** `oldIsFine`: what was had before is given while no newer one can be had. */
  get(options: { readonly maxAgeMs: number; readonly oldIsFine: boolean }): Promise<Value>;
}

/** Loads at most once at a time; after a failure not again for a while, longer with each. */
function remembered<Value>({ backOffMs }: ProviderLimits, load: () => Promise<Value>): Remembered<Value> {
  let held: { readonly value: Value; readonly atMs: number } | null = null;
  let running: Promise<Value> | null = null;
  let failure: { readonly error: unknown; readonly waitMs: number; readonly untilMs: number } | null = null;

  async function loadNow(): Promise<Value> {
    try {
      const value = await load();
      held = { value, atMs: performance.now() };
      failure = null;
      return value;
    } catch (error) {
      const waitMs = failure === null ? backOffMs.first : Math.min(failure.waitMs * 2, backOffMs.last);
      failure = { error, waitMs, untilMs: performance.now() + waitMs };
      throw error;
    } finally {
      running = null;
    }
  }

  return {
    async get({ maxAgeMs, oldIsFine }) {
      const nowMs = performance.now();
      if (held !== null && nowMs - held.atMs < maxAgeMs) return held.value;
      try {
        if (failure !== null && nowMs < failure.untilMs) throw failure.error;
        running ??= loadNow();
        return await running;
      } catch (error) {
        if (oldIsFine && held !== null) return held.value;
        throw error;
      }
    },
  };
}

const REQUIRED = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

function checkedMetadata(document: unknown, isInsecure: boolean): ProviderMetadata {
  if (typeof document !== "object" || document === null) throw providerAnswerRefused("the metadata is no JSON object");
  const metadata = document as Readonly<Record<string, unknown>>;
  const addresses = metadata.userinfo_endpoint === undefined ? REQUIRED : [...REQUIRED, "userinfo_endpoint"];
  for (const name of addresses) {
    const value = metadata[name];
    if (typeof value !== "string") throw providerAnswerRefused(`the metadata has no ${name}`);
    const protocol = URL.parse(value)?.protocol;
    if (protocol !== "https:" && !(isInsecure && protocol === "http:")) {
      throw providerAnswerRefused(`${name} of the metadata is no https address`);
    }
  }
  return metadata as ProviderMetadata;
}

function checkedKeys(document: unknown): JSONWebKeySet {
  const { keys } = (document ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "object" && key !== null)) {
    throw providerAnswerRefused("the key set has no keys");
  }
  return { keys };
}
