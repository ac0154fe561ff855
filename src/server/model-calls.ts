// Part of the composition root: the one way to providers of models, which every call of the server shares.
import type { ModelProvidersConfig } from "../config/model-providers.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { ModelCallParts } from "../modules/feature.ts";
import { isMetadataAddress } from "../providers/addresses.ts";
import { createGuardedFetch } from "../providers/guarded-fetch.ts";
import { createIdentityTokens } from "../providers/identity-tokens.ts";
import { createRateBuckets } from "../providers/rate-buckets.ts";

export function createModelCallParts(
  { allowsPrivateAddresses, allowedHosts, allowsMetadata }: ModelProvidersConfig,
  clock: Clock,
  metrics: Metrics,
): ModelCallParts {
  const fetch = createGuardedFetch({ allowsPrivateAddresses, allowedHosts, metrics });
  // A fetch of its own: the address of a provider never reaches these services.
  const metadataFetch = allowsMetadata
    ? createGuardedFetch({
        allowsPrivateAddresses: true,
        allowedHosts: null,
        isAllowedAddress: isMetadataAddress,
        metrics,
      })
    : null;
  return { fetch, tokens: createIdentityTokens({ fetch, metadataFetch }, clock), rates: createRateBuckets(clock) };
}
