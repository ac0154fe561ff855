// Calls models for OpenAI's clients.
import { newTraceKey } from "../../../ingest/server-span.ts";
import { proxyLimits } from "../../../providers/call-limits.ts";
import { requireModelCall } from "../../../providers/model-call-checks.ts";
import { noRetries, playgroundRetries } from "../../../providers/retries.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import type { RecordedCalls, RecordedEvent } from "../model-calls/model-calls.schema.ts";
import type { ModelEndpointsService } from "../model-providers/model-endpoints.service.ts";
import { type Spender, spenderOf } from "../spending/spending.schema.ts";
import type { SentChatCompletion } from "./chat-completions.schema.ts";
import { requestedCall, requestedParameters } from "./completion-request.rules.ts";
import { tooManyOfCaller } from "./model-proxy.errors.ts";
import { proxiedModel } from "./proxied-model.rules.ts";

/** The span that a call is made in, as its caller tells it. */
export interface CallerTrace {
  readonly traceKey: string;
  readonly spanKey: string;
  /** False stores no span. */
  readonly isRecorded: boolean;
}

interface ModelProxyDependencies {
  readonly calls: Pick<RecordedCalls, "run">;
  readonly endpoints: ModelEndpointsService;
  readonly projects: Pick<ProjectsService, "ensureProject">;
}

export interface ProxiedCall {
  readonly sent: SentChatCompletion;
  /** Null begins a trace. */
  readonly trace: CallerTrace | null;
  /** Where the span is stored; null for the project of the proxy. */
  readonly projectName: string | null;
}

export interface ModelProxyService {
  /** Resolves once everything is checked, before anything is called. Throws kind `not_found` for a model, `malformed` for what this endpoint
   *  cannot do, `invalid` for what is wrong or missing; the events throw as `RecordedCalls.run`, and `rate_limited` beyond the number of
   *  calls of one caller. */
  complete(
    context: CallContext,
    call: ProxiedCall,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RecordedEvent, void, undefined>>;
}

/** Where the spans are stored whose callers name no project. */
const PROXY_PROJECT = { name: "proxy", description: "Calls of models through this server" } as const;
const MOST_OF_CALLER = 256;

export function createModelProxyService({ calls, endpoints, projects }: ModelProxyDependencies): ModelProxyService {
  const running = new Map<string, number>();

  async function* counted(spender: Spender, events: AsyncGenerator<RecordedEvent, void, undefined>) {
    const caller = JSON.stringify(spender);
    const before = running.get(caller) ?? 0;
    if (before >= MOST_OF_CALLER) throw tooManyOfCaller(MOST_OF_CALLER);
    running.set(caller, before + 1);
    try {
      yield* events;
    } finally {
      const left = running.get(caller)! - 1;
      if (left === 0) running.delete(caller);
      else running.set(caller, left);
    }
  }

  return {
    async complete(context, { sent, trace, projectName }, signal) {
      const { name, ...named } = proxiedModel(sent.model);
      const requested = requestedCall(sent);
      const target = { ...named, model: name, connection: null, headers: null, credentials: [] };
      const { endpoint, isCustom } = await endpoints.resolveEndpoint(context, target);
      const parameters = requestedParameters(sent, endpoint.provider);
      const call = { endpoint, model: name, ...requested, parameters };
      requireModelCall(call);
      const project = projectName === null ? PROXY_PROJECT : { name: projectName, description: null };
      const { id: projectId } = await projects.ensureProject(context, project);
      const spender = spenderOf(context.principal);
      const place = {
        projectName: project.name,
        traceKey: trace?.traceKey ?? newTraceKey(),
        parentSpanKey: trace?.spanKey ?? null,
      };
      const events = calls.run({
        call,
        retries: isCustom ? noRetries : playgroundRetries,
        limits: proxyLimits,
        heedsRateLimits: false,
        spender,
        purpose: "proxy",
        projectId,
        place: trace?.isRecorded === false ? null : place,
        metadata: {},
        signal,
      });
      return counted(spender, events);
    },
  };
}
