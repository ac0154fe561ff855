// Builds a list of features, each over those before it.
import { declareActions } from "../access/policy.ts";
import type { RouteModule } from "../api/route.ts";
import type { GraphqlPart } from "../graphql/types.ts";
import type { Job } from "../jobs/job.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { Feature, FeatureBase, FeatureParts, Given, UseFeature } from "../modules/feature.ts";

export interface Composition {
  /** The service of a feature in the list, or what is given. Throws for any other. */
  readonly use: UseFeature;
  readonly routes: readonly RouteModule[];
  readonly jobs: readonly Job[];
  readonly parts: readonly ServicePart[];
  /** Tells every feature that the service begins to stop: the first part to stop, which waits for nothing. */
  readonly ending: ServicePart;
  /** Loads what the features add to the GraphQL schema. */
  loadGraphql(): Promise<readonly GraphqlPart[]>;
}

export function compose(
  features: readonly Feature<unknown>[],
  base: FeatureBase,
  given: readonly (readonly [Given<unknown>, unknown])[],
): Composition {
  const built = new Map<unknown, FeatureParts<unknown>>(given.map(([key, service]) => [key, { service }]));
  const use: UseFeature = <Service>(wanted: Feature<Service> | Given<Service>) => {
    const found = built.get(wanted);
    if (found === undefined) throw new Error(`${wanted.name} is not there before the feature that uses it`);
    return found.service as Service;
  };
  for (const { declares } of features) declareActions(declares.actions ?? {});
  for (const feature of features) built.set(feature, feature.build({ ...base, use }));
  const all = [...built.values()];
  return {
    use,
    routes: all.flatMap(({ routes }) => routes ?? []),
    jobs: all.flatMap(({ jobs }) => jobs ?? []),
    parts: all.flatMap(({ parts }) => parts ?? []),
    ending: {
      name: "end of the features",
      changes: true,
      stop() {
        for (const { beginStop } of all) beginStop?.();
      },
    },
    loadGraphql: () => Promise.all(all.flatMap(({ graphql }) => graphql?.() ?? [])),
  };
}
