// Addresses that people and clients keep: names and external ids lead to the page of the thing
// (docs/protocol/pages.md#redirects).
import { type Call, type RouteModule, route } from "../api/route.ts";
import { fail } from "../kernel/failure.ts";
import { globalId } from "../kernel/ids.ts";
import type { CallContext } from "../storage/storage.ts";
import { withoutBasePath } from "./base-path.ts";

/** Look-ups by the id in the address, each null for a miss. Row ids. */
export interface RedirectFinders {
  project(context: CallContext, name: string): Promise<{ projectId: number } | null>;
  trace(context: CallContext, traceKey: string): Promise<{ projectId: number } | null>;
  span(context: CallContext, spanKey: string): Promise<{ projectId: number; traceKey: string; spanId: number } | null>;
  session(context: CallContext, sessionKey: string): Promise<{ projectId: number; sessionId: number } | null>;
  /** Of a prompt by its global id or name. Throws kind `not_found`, and `invalid` for what can be no name. */
  promptTag(context: CallContext, prompt: string, tag: string): Promise<{ promptId: number; versionId: number }>;
}

const projectPage = (projectId: number) => `/projects/${globalId("Project", projectId)}`;

/** An address exists as soon as its finder does. */
export function redirectRoutes(finders: Partial<RedirectFinders>, rootPath: string): RouteModule {
  const { project, trace, span, session, promptTag } = finders;
  const redirects = [
    project && {
      path: "/redirects/projects/{key}",
      operationId: "redirectToProject",
      target: async (context: CallContext, name: string) => {
        const found = await project(context, name);
        return found && projectPage(found.projectId);
      },
    },
    trace && {
      path: "/redirects/traces/{key}",
      operationId: "redirectToTrace",
      target: async (context: CallContext, traceKey: string) => {
        const found = await trace(context, traceKey);
        return found && `${projectPage(found.projectId)}/traces/${encodeURIComponent(traceKey)}`;
      },
    },
    span && {
      path: "/redirects/spans/{key}",
      operationId: "redirectToSpan",
      target: async (context: CallContext, spanKey: string) => {
        const found = await span(context, spanKey);
        if (found === null) return null;
        const selected = encodeURIComponent(globalId("Span", found.spanId));
        const tracePage = `${projectPage(found.projectId)}/spans/${encodeURIComponent(found.traceKey)}`;
        return `${tracePage}?selectedSpanNodeId=${selected}`;
      },
    },
    session && {
      path: "/redirects/sessions/{key}",
      operationId: "redirectToSession",
      target: async (context: CallContext, sessionKey: string) => {
        const found = await session(context, sessionKey);
        return found && `${projectPage(found.projectId)}/sessions/${globalId("ProjectSession", found.sessionId)}`;
      },
    },
    promptTag && {
      path: "/redirects/prompts/{key}/tags/{tag}",
      operationId: "redirectToPromptTag",
      target: async (context: CallContext, prompt: string, tag: string) => {
        const { promptId, versionId } = await promptTag(context, prompt, tag);
        return `/prompts/${globalId("Prompt", promptId)}/versions/${globalId("PromptVersion", versionId)}`;
      },
    },
  ].filter((redirect) => redirect !== undefined);

  const follow =
    (target: (context: CallContext, key: string, tag: string) => Promise<string | null>) =>
    async ({
      context,
      params,
      request,
    }: Call<{ readonly key: string; readonly tag: string }, undefined, undefined>) => {
      const { principal } = context;
      if (principal.kind === "anonymous") {
        return request.headers.get("sec-fetch-site") === "cross-site"
          ? sameAgain()
          : redirectTo(rootPath, loginPage(request, rootPath));
      }
      if (principal.kind === "user" && principal.mustChangePassword) return redirectTo(rootPath, "/reset-password");
      const page = await target(context, params.key, params.tag);
      if (page === null) throw fail("redirects.not_found", "not_found", `Nothing is known of ${params.key}`);
      return redirectTo(rootPath, page);
    };

  return {
    name: "redirects",
    routes: redirects.map(({ path, operationId, target }) =>
      route({
        method: "GET",
        path: path as "/redirects/{key}/{tag}",
        operationId,
        summary: "Lead to a page",
        action: "pages.open",
        status: 302,
        documented: false,
        handler: follow(target),
      }),
    ),
  };
}

function redirectTo(rootPath: string, page: string): Response {
  return new Response(null, { status: 302, headers: { location: `${rootPath}${page}` } });
}

/** A page that opens the same address again. Browsers leave the cookies of a sign-in out of what another site, such as a chat, leads
 *  to; the second time it is our own page that leads there. */
function sameAgain(): Response {
  return new Response(
    '<!doctype html><html lang="en"><title>Spanlight</title><meta http-equiv="refresh" content="0">',
    {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'",
        "cache-control": "no-store",
      },
    },
  );
}

function loginPage(request: Request, rootPath: string): string {
  const { pathname, search } = new URL(request.url);
  return `/login?returnUrl=${encodeURIComponent(withoutBasePath(pathname, rootPath) + search)}`;
}
