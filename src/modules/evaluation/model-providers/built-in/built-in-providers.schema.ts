// Built-in providers as this server has them: which credentials it holds, and where it calls them.
import type { ModelProvider } from "../../../../model/prompt.ts";

export const credentialSources = ["SECRET", "ENVIRONMENT", "UNREADABLE_SECRET"] as const;
/** `UNREADABLE_SECRET`: stored with another SERVICE_SECRET. It hides a variable of the same name. */
type CredentialSource = (typeof credentialSources)[number];

export interface ProviderCredential {
  /** Of the variable, and of the secret. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Null where the server has none. */
  readonly source: CredentialSource | null;
}

export interface BuiltInProviderStatus {
  readonly provider: ModelProvider;
  readonly name: string;
  readonly credentials: readonly ProviderCredential[];
  /** Whether it can be called without credentials of the request. */
  readonly hasCredentials: boolean;
  /** Null where none is configured, or the configured one cannot be used. */
  readonly address: string | null;
  /** Why the configured address cannot be used; null if it can. */
  readonly addressProblem: string | null;
  /** The variable that sets it; null if there is none. */
  readonly addressVariable: string | null;
}
