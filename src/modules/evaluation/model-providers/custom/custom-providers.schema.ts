// Custom providers: models behind an address that an administrator has entered, with credentials of their own.

import type { TypeWord } from "../../../../kernel/ids.ts";
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import type { ModelCredentials } from "../../../../providers/model-call.ts";

/** Type word of the global ids. */
export const CUSTOM_PROVIDER: TypeWord<CustomProvider> = "GenerativeModelCustomProvider";

/** Each is checked at the start of the server. */
export const MAX_CUSTOM_PROVIDERS = 1000;
/** Bytes of UTF-8; the name is the key of an index. */
export const MAX_NAME_BYTES = 1000;
export const MAX_DESCRIPTION_BYTES = 10_000;
/** Of a configuration with everything in it. */
export const MAX_CONFIG_BYTES = 64 * 1024;

export interface CustomProvider {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** Free text, e.g. `litellm`. */
  readonly provider: string;
  readonly sdk: CustomProviderSdk;
  /** Who created it; null without authentication, and once that account is deleted. */
  readonly userId: number | null;
  /** Microseconds UTC. */
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** Texts of a custom provider, trimmed. */
export interface CustomProviderTexts {
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
}

/** Credentials as entered. For a stored provider an empty secret keeps the stored one. */
export type GivenAuthentication =
  | Extract<ModelCredentials, { readonly type: "api_key" | "access_keys" }>
  | {
      readonly type: "azure_ad";
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope: string | null;
    }
  | { readonly type: "default_credentials"; readonly isChosen: boolean };

/** A configuration as entered; what does not belong to the kind is null. */
export interface GivenConfig {
  readonly sdk: CustomProviderSdk;
  readonly authentication: GivenAuthentication;
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly organization: string | null;
  readonly project: string | null;
  readonly apiType: "CHAT_COMPLETIONS" | "RESPONSES" | null;
  /** Names and texts; for a stored provider null keeps the stored value of a name. */
  readonly headers: unknown;
}

/** What is entered for a new one. */
export interface NewCustomProvider {
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
  readonly config: GivenConfig;
}

/** What is entered for a change. Absent, null and empty texts stay, but a description of null is removed. */
export interface CustomProviderChanges {
  readonly name: string | null;
  readonly description: string | null | undefined;
  readonly provider: string | null;
  /** Replaces the whole configuration; null keeps it. */
  readonly config: GivenConfig | null;
}
