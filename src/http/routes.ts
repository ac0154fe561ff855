// The API on one screen: every module that answers over HTTP, with what it needs.
import type { RouteModule } from "../api/route.ts";
import { graphqlRoutes } from "../graphql/routes.ts";
import type { GraphqlGuards, GraphqlServices } from "../graphql/schema.ts";
import type { GraphqlServer, GraphqlSettings } from "../graphql/server.ts";
import type { Clock } from "../kernel/clock.ts";
import { apiKeyRoutes } from "../modules/api-keys/api-keys.routes.ts";
import type { ApiKeysService } from "../modules/api-keys/api-keys.service.ts";
import { type AuthRoutesNeeds, authRoutes } from "../modules/auth/auth.routes.ts";
import { projectRoutes } from "../modules/projects/projects.routes.ts";
import type { ProjectsService } from "../modules/projects/projects.service.ts";
import { secretRoutes } from "../modules/secrets/secrets.routes.ts";
import type { SecretsService } from "../modules/secrets/secrets.service.ts";
import { sessionRoutes } from "../modules/sessions/sessions.routes.ts";
import type { SessionsService } from "../modules/sessions/sessions.service.ts";
import type { SpanTablesService } from "../modules/spans/query/span-tables.service.ts";
import { spanRoutes } from "../modules/spans/spans.routes.ts";
import type { SpansService } from "../modules/spans/spans.service.ts";
import type { DeletionService } from "../modules/traces/delete/deletion.service.ts";
import { traceRoutes } from "../modules/traces/traces.routes.ts";
import type { TracesService } from "../modules/traces/traces.service.ts";
import { userRoutes } from "../modules/users/users.routes.ts";
import type { UsersService } from "../modules/users/users.service.ts";
import { otlpRoutes } from "../otlp/otlp.routes.ts";
import type { ExportReceiver } from "../otlp/receiver.ts";
import { docsRoutes } from "./docs.ts";
import { healthRoutes } from "./health.ts";
import { openApiText } from "./openapi.ts";
import { type RedirectFinders, redirectRoutes } from "./redirects.ts";

export interface ApiServices {
  readonly projects: ProjectsService;
  readonly intake: ExportReceiver;
  readonly spans: SpansService;
  readonly spanTables: SpanTablesService;
  readonly traces: TracesService;
  readonly sessions: SessionsService;
  readonly deletion: DeletionService;
  readonly secrets: SecretsService;
  readonly users: UsersService;
  readonly apiKeys: ApiKeysService;
  readonly graphql: GraphqlServices;
  readonly clock: Clock;
  /** Resolves when the primary database answers. */
  readonly ping: () => Promise<void>;
}

export interface ApiSettings {
  readonly version: string;
  readonly rootPath: string;
  /** Bytes of a request body at most, as sent. */
  readonly bodyLimit: number;
  /** Signing in and out; null while authentication is off, when those routes do not exist. */
  readonly auth: AuthRoutesNeeds | null;
  /** What the guards of mutations ask, and where masked failures are told. */
  readonly graphql: GraphqlGuards & Pick<GraphqlSettings, "logger" | "maskFaults">;
}

export function apiModules(services: ApiServices, settings: ApiSettings): readonly RouteModule[] {
  const { projects, intake, spans, spanTables, traces, sessions, deletion, secrets, users, apiKeys, clock, ping } =
    services;
  const { version, rootPath, bodyLimit } = settings;
  const modules: RouteModule[] = [
    projectRoutes(projects),
    otlpRoutes(intake, bodyLimit),
    spanRoutes({
      spans,
      spanTables,
      deletion,
      searching: services.graphql,
      clock,
      requireCapacity: intake.requireCapacity,
    }),
    traceRoutes(traces),
    sessionRoutes(sessions),
    secretRoutes(secrets),
    userRoutes(users),
    apiKeyRoutes({ apiKeys, users, clock }),
    graphqlRoutes({
      load: () => loadGraphql(services, settings),
      bodyLimit,
      clearedCookies: settings.auth?.logins.clearedCookies ?? [],
    }),
    ...(settings.auth === null ? [] : [authRoutes(settings.auth)]),
    redirectRoutes(redirectFinders(services), rootPath),
    healthRoutes(ping),
  ];
  return [...modules, docsRoutes(() => openApiText(modules, version, rootPath))];
}

function redirectFinders({ projects, traces, spans, sessions }: ApiServices): RedirectFinders {
  return {
    async project(context, name) {
      const found = await projects.findProjectByName(context, name);
      return found === null ? null : { projectId: found.id };
    },
    trace: (context, traceKey) => traces.findTraceByKey(context, traceKey),
    async span(context, spanKey) {
      const found = await spans.findSpanByKey(context, spanKey);
      return found === null ? null : { ...found, spanId: found.id };
    },
    async session(context, sessionKey) {
      const found = await sessions.findSessionByKey(context, sessionKey);
      return found === null ? null : { projectId: found.projectId, sessionId: found.id };
    },
  };
}

async function loadGraphql({ graphql, clock }: ApiServices, settings: ApiSettings): Promise<GraphqlServer> {
  const [{ createSchema }, { createGraphqlServer }] = await Promise.all([
    import("../graphql/schema.ts"),
    import("../graphql/server.ts"),
  ]);
  return createGraphqlServer(createSchema(graphql, settings.graphql), { clock, ...settings.graphql });
}
