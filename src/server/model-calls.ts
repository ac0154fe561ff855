// Part of the composition root: the one way to providers of models, which every call of the server shares.
import type { ModelProvidersConfig } from "../config/model-providers.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { ModelCallParts } from "../modules/feature.ts";
import { createAzureTokens } from "../providers/azure-tokens.ts";
import { createGuardedFetch } from "../providers/guarded-fetch.ts";
import { createRateBuckets } from "../providers/rate-buckets.ts";

export function createModelCallParts(
  { allowsPrivateAddresses, allowedHosts }: ModelProvidersConfig,
  clock: Clock,
  metrics: Metrics,
): ModelCallParts {
  const fetch = createGuardedFetch({ allowsPrivateAddresses, allowedHosts, metrics });
  return { fetch, tokens: createAzureTokens(fetch, clock), rates: createRateBuckets(clock) };
}
