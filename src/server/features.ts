// The product on one screen: every feature, each behind those that it uses.

import type { DeclaredSettings } from "../config/setting.ts";
import { apiKeysFeature } from "../modules/accounts/api-keys/api-keys.feature.ts";
import { signingInFeature } from "../modules/accounts/auth/auth.feature.ts";
import { openidFeature } from "../modules/accounts/auth/openid.feature.ts";
import { secretsFeature } from "../modules/accounts/secrets/secrets.feature.ts";
import { usersFeature } from "../modules/accounts/users/users.feature.ts";
import { annotationConfigsFeature } from "../modules/evaluation/annotation-configs/annotation-configs.feature.ts";
import { annotationsFeature } from "../modules/evaluation/annotations/annotations.feature.ts";
import { datasetsFeature } from "../modules/evaluation/datasets/datasets.feature.ts";
import { evaluatorsFeature } from "../modules/evaluation/evaluators/evaluators.feature.ts";
import { experimentJobsFeature } from "../modules/evaluation/experiment-jobs/experiment-jobs.feature.ts";
import { experimentsFeature } from "../modules/evaluation/experiments/experiments.feature.ts";
import { modelCallsFeature } from "../modules/evaluation/model-calls/model-calls.feature.ts";
import { modelProvidersFeature } from "../modules/evaluation/model-providers/model-providers.feature.ts";
import { modelProxyFeature } from "../modules/evaluation/model-proxy/model-proxy.feature.ts";
import { playgroundFeature } from "../modules/evaluation/playground/playground.feature.ts";
import { promptsFeature } from "../modules/evaluation/prompts/prompts.feature.ts";
import { spendingFeature } from "../modules/evaluation/spending/spending.feature.ts";
import type { Feature } from "../modules/feature.ts";
import { clientErrorsFeature } from "../modules/instance/client-errors/client-errors.feature.ts";
import { resourceSearchFeature } from "../modules/instance/resource-search/resource-search.feature.ts";
import { serverStatusFeature } from "../modules/instance/server-status/server-status.feature.ts";
import { attributeGroupsFeature } from "../modules/tracing/attribute-groups/attribute-groups.feature.ts";
import { costsFeature } from "../modules/tracing/costs/costs.feature.ts";
import { deletionFeature } from "../modules/tracing/deletion/deletion.feature.ts";
import { failuresFeature } from "../modules/tracing/failures/failures.feature.ts";
import { modelsFeature } from "../modules/tracing/models/models.feature.ts";
import { projectsFeature } from "../modules/tracing/projects/projects.feature.ts";
import { retentionFeature } from "../modules/tracing/retention/retention.feature.ts";
import { sessionsFeature } from "../modules/tracing/sessions/sessions.feature.ts";
import { spansFeature } from "../modules/tracing/spans/spans.feature.ts";
import { traceAnalysisFeature } from "../modules/tracing/trace-analysis/trace-analysis.feature.ts";
import { tracesFeature } from "../modules/tracing/traces/traces.feature.ts";
import { viewsFeature } from "../modules/tracing/views/views.feature.ts";
import { otlpFeature } from "../otlp/otlp.feature.ts";
import { coreOwnedTables, type OwnedTable } from "../storage/owned-tables.ts";

export const features: readonly Feature<unknown>[] = [
  deletionFeature,
  projectsFeature,
  modelsFeature,
  otlpFeature,
  tracesFeature,
  spansFeature,
  traceAnalysisFeature,
  failuresFeature,
  sessionsFeature,
  costsFeature,
  attributeGroupsFeature,
  annotationsFeature,
  viewsFeature,
  retentionFeature,
  annotationConfigsFeature,
  datasetsFeature,
  experimentsFeature,
  secretsFeature,
  modelProvidersFeature,
  spendingFeature,
  modelCallsFeature,
  promptsFeature,
  evaluatorsFeature,
  playgroundFeature,
  experimentJobsFeature,
  modelProxyFeature,
  resourceSearchFeature,
  usersFeature,
  apiKeysFeature,
  signingInFeature,
  openidFeature,
  serverStatusFeature,
  clientErrorsFeature,
];

/** Settings that features declare. */
export const featureSettings: readonly DeclaredSettings[] = features.flatMap(({ declares }) => declares.settings ?? []);

/** In the order in which rows are removed. */
export const ownedTables: readonly OwnedTable[] = [
  ...features.flatMap((feature) => feature.declares.ownedTables ?? []),
  ...coreOwnedTables,
];
