// Builds a list of features, each over those before it.
import type { RouteModule } from "../api/route.ts";
import type { GraphqlPart } from "../graphql/types.ts";
import type { Job } from "../jobs/job.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { Feature, FeatureBase, FeatureParts, UseFeature } from "../modules/feature.ts";

export interface Composition {
  /** The service of a feature in the list. Throws for any other. */
  readonly use: UseFeature;
  readonly routes: readonly RouteModule[];
  readonly jobs: readonly Job[];
  readonly parts: readonly ServicePart[];
  /** Loads what the features add to the GraphQL schema. */
  loadGraphql(): Promise<readonly GraphqlPart[]>;
}

export function compose(features: readonly Feature<unknown>[], base: FeatureBase): Composition {
  const built = new Map<unknown, FeatureParts<unknown>>();
  const use: UseFeature = <Service>(wanted: Feature<Service>) => {
    const found = built.get(wanted);
    if (found === undefined)
      throw new Error(`The feature ${wanted.name} is not in the list before the one that uses it`);
    return found.service as Service;
  };
  for (const feature of features) built.set(feature, feature.build({ ...base, use }));
  const all = [...built.values()];
  return {
    use,
    routes: all.flatMap(({ routes }) => routes ?? []),
    jobs: all.flatMap(({ jobs }) => jobs ?? []),
    parts: all.flatMap(({ parts }) => parts ?? []),
    loadGraphql: () => Promise.all(all.flatMap(({ graphql }) => graphql?.() ?? [])),
  };
}
