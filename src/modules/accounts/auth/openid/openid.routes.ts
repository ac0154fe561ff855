// Signing in with identity providers over HTTP. The routes exist only while authentication is on; what is refused leads to the login
// page with a code.
import { type Call, type RouteModule, route } from "../../../../api/route.ts";
import { fail, type Violation } from "../../../../kernel/failure.ts";
import { type CookieSettings, clearedRoundTripCookies, cookieText, REFERENCE_COOKIE } from "../cookie.rules.ts";
import { providerAnswerLimit, providerLoginLimit, type RateLimitService } from "../protection/rate-limit.service.ts";
import type { Cookies } from "../tokens/logins.service.ts";
import type { RefusalCode } from "./openid.errors.ts";
import type { OpenidLoginService } from "./openid-login.service.ts";

export interface OpenidRoutesNeeds {
  readonly openidLogin: OpenidLoginService;
  readonly rateLimits: RateLimitService;
  readonly cookies: CookieSettings;
  /** SERVICE_HOST_ROOT_PATH. */
  readonly rootPath: string;
  /** Where refusals lead, with the root path. */
  readonly refusedPage: string;
  /** Address of the service as the browser of the request sees it, root path included. */
  readonly originOf: (request: Request) => string;
}

type ProviderCall = Call<{ readonly idp: string }, undefined, undefined>;

const REFERENCE_SECONDS = 300;
const PROVIDER_NAME = /^[a-z0-9_]+$/;

export function openidRoutes(needs: OpenidRoutesNeeds): RouteModule {
  const { openidLogin, rateLimits, rootPath } = needs;

  const begin = async ({ context, params, request, clientAddress }: ProviderCall): Promise<Response> => {
    requireProviderName(params.idp);
    const address = clientAddress();
    await rateLimits.take(context, providerLoginLimit, address);
    const outcome = await openidLogin.begin(context, {
      provider: params.idp,
      clientAddress: address,
      origin: needs.originOf(request),
      returnPath: new URL(request.url).searchParams.get("returnUrl"),
    });
    return outcome.ok ? redirect(302, outcome.location, outcome.cookies) : refused(outcome);
  };

  const complete = async ({ context, params, request, clientAddress }: ProviderCall): Promise<Response> => {
    requireProviderName(params.idp);
    const address = clientAddress();
    // Bounded by the settings: unknown names share a bucket.
    const name = openidLogin.has(params.idp) ? params.idp : "unknown";
    await rateLimits.take(context, providerAnswerLimit(name), address);
    const outcome = await openidLogin.complete(context, {
      provider: params.idp,
      clientAddress: address,
      query: new URL(request.url).searchParams,
      cookies: request.headers.get("cookie"),
    });
    return outcome.ok ? redirect(302, `${rootPath}${outcome.location}`, outcome.cookies) : refused(outcome);
  };

  function refused({ code, reference }: { readonly code: RefusalCode; readonly reference: string }): Response {
    const cookie = { name: REFERENCE_COOKIE, value: reference, maxAge: REFERENCE_SECONDS, sameSite: "Lax" } as const;
    const readable = cookieText(cookie, needs.cookies).replace("; HttpOnly", "");
    return redirect(307, `${needs.refusedPage}?error=${code}`, [readable, ...clearedRoundTripCookies(needs.cookies)]);
  }

  /** A redirection that keeps the method leads a form to a page. */
  const again = ({ request }: Call<unknown, undefined, undefined>) => {
    const { pathname, search } = new URL(request.url);
    return redirect(303, `${pathname}${search}`, []);
  };

  const common = { action: "login.use", documented: false } as const;
  return {
    name: "identity providers",
    routes: [
      ...(["GET", "POST"] as const).map((method) =>
        route({
          ...common,
          method,
          path: "/oauth2/{idp}/login",
          operationId: `${method === "GET" ? "open" : "start"}ProviderLogin`,
          summary: "Lead to an identity provider",
          status: 302,
          handler: begin,
        }),
      ),
      route({
        ...common,
        method: "GET",
        path: "/oauth2/{idp}/tokens",
        operationId: "completeProviderLogin",
        summary: "Come back from an identity provider",
        status: 302,
        handler: complete,
      }),
      route({
        ...common,
        method: "GET",
        path: "/auth/providers",
        operationId: "listProviders",
        summary: "Identity providers of the login page",
        status: 200,
        handler: async () => Response.json({ providers: await openidLogin.listProviders() }),
      }),
      ...(["/login", "/logout"] as const).map((path) =>
        route({
          ...common,
          method: "POST",
          path: path as string,
          operationId: `post ${path}`,
          summary: "Lead a form to the page",
          status: 303,
          handler: again,
        }),
      ),
    ],
  };
}

function requireProviderName(idp: string): void {
  if (PROVIDER_NAME.test(idp)) return;
  const violation: Violation = {
    type: "string_pattern_mismatch",
    loc: ["path", "idp"],
    msg: `String should match pattern '${PROVIDER_NAME.source}'`,
    input: idp,
    ctx: { pattern: PROVIDER_NAME.source },
  };
  throw fail("auth.invalid_provider", "invalid", "Invalid provider", { violations: [violation] });
}

function redirect(status: number, location: string, cookies: Cookies): Response {
  const response = new Response(null, { status, headers: { location } });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
