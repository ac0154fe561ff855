// The API on one screen: what the features answer over HTTP, and what is put together of them all: GraphQL, redirects, probes and
// the documentation.
import type { RouteModule } from "../api/route.ts";
import type { GraphqlGuards } from "../graphql/guard.ts";
import { docsRoutes } from "../http/docs.ts";
import { graphqlRoutes } from "../http/graphql/routes.ts";
import type { GraphqlServer, GraphqlSettings } from "../http/graphql/server.ts";
import { healthRoutes } from "../http/health.ts";
import { openApiText } from "../http/openapi.ts";
import { type RedirectFinders, redirectRoutes } from "../http/redirects.ts";
import { promptsFeature } from "../modules/evaluation/prompts/prompts.feature.ts";
import { projectsFeature } from "../modules/tracing/projects/projects.feature.ts";
import { sessionsFeature } from "../modules/tracing/sessions/sessions.feature.ts";
import { spansFeature } from "../modules/tracing/spans/spans.feature.ts";
import { tracesFeature } from "../modules/tracing/traces/traces.feature.ts";
import type { StorageReadiness } from "../storage/storage.ts";
import type { Composition } from "./compose.ts";

interface ApiSettings {
  readonly version: string;
  readonly rootPath: string;
  /** Bytes of a GraphQL request at most. */
  readonly jsonBodyLimit: number;
  /** What the guards of mutations ask, and where masked failures are logged. */
  readonly graphql: GraphqlGuards & GraphqlSettings;
  /** `Set-Cookie` values that take the cookies of a sign-in back; none while authentication is off. */
  readonly clearedCookies: readonly string[];
  /** See `Storage.readiness`. */
  readonly readiness: () => Promise<StorageReadiness>;
}

export function apiModules(composition: Composition, settings: ApiSettings): readonly RouteModule[] {
  const { version, rootPath, jsonBodyLimit, clearedCookies, readiness } = settings;
  const modules: readonly RouteModule[] = [
    ...composition.routes,
    graphqlRoutes({ load: () => loadGraphql(composition, settings.graphql), bodyLimit: jsonBodyLimit, clearedCookies }),
    redirectRoutes(redirectFinders(composition), rootPath),
    healthRoutes(readiness, settings.graphql.isStorageLocked),
  ];
  return [...modules, docsRoutes(() => openApiText(modules, version, rootPath))];
}

function redirectFinders({ use }: Composition): RedirectFinders {
  return {
    async project(context, name) {
      const found = await use(projectsFeature).findProjectByName(context, name);
      return found === null ? null : { projectId: found.id };
    },
    trace: (context, traceKey) => use(tracesFeature).traces.findTraceByKey(context, traceKey),
    async span(context, spanKey) {
      const found = await use(spansFeature).findSpanByKey(context, spanKey);
      return found === null ? null : { ...found, spanId: found.id };
    },
    async session(context, sessionKey) {
      const found = await use(sessionsFeature).findSessionByKey(context, sessionKey);
      return found === null ? null : { projectId: found.projectId, sessionId: found.id };
    },
    async promptTag(context, prompt, tag) {
      const { promptId, id } = await use(promptsFeature).versions.getTaggedVersion(context, prompt, tag);
      return { promptId, versionId: id };
    },
  };
}

async function loadGraphql(composition: Composition, settings: ApiSettings["graphql"]): Promise<GraphqlServer> {
  const [{ createSchema }, { createGraphqlServer }, parts] = await Promise.all([
    import("../http/graphql/schema.ts"),
    import("../http/graphql/server.ts"),
    composition.loadGraphql(),
  ]);
  return createGraphqlServer(createSchema(parts, settings), settings);
}
