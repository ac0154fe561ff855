// What the identity of the server gets from its clouds for a call: a token of Azure, or access keys of AWS.
import type { Clock } from "../kernel/clock.ts";
import { type AwsKeys, createAwsKeys } from "./aws-keys.ts";
import { type AzureTokens, createAzureTokens } from "./azure-tokens.ts";
import type { IdentityNeeds } from "./identity-requests.ts";

export interface IdentityTokens {
  readonly azure: AzureTokens;
  readonly aws: AwsKeys;
}

/** Created once for a server. */
export function createIdentityTokens(needs: IdentityNeeds, clock: Clock): IdentityTokens {
  return { azure: createAzureTokens(needs, clock), aws: createAwsKeys(needs, clock) };
}
