// Signing in, out and renewing over HTTP, for browsers and programs alike. The routes exist only while
// authentication is on. Success never has a body; what counts are the cookies.
import { readBytes } from "../../../api/body.ts";
import { type Call, type RouteModule, route } from "../../../api/route.ts";
import { messageOf } from "../../../kernel/failure.ts";
import { isJsonObject, type Json, parseJson } from "../../../kernel/json.ts";
import type { Logger } from "../../../kernel/logger.ts";
import { bodyNotJson, contentNotJson } from "./auth.errors.ts";
import type { LdapLoginService } from "./ldap/ldap-login.service.ts";
import type { OpenidRoutesNeeds } from "./openid/openid.routes.ts";
import type { PasswordLoginService } from "./password-login.service.ts";
import type { PasswordResetService } from "./password-reset.service.ts";
import { type RateLimitService, signInLimit } from "./protection/rate-limit.service.ts";
import type { Cookies, LoginsService } from "./tokens/logins.service.ts";

export interface AuthRoutesNeeds {
  readonly logins: LoginsService;
  readonly passwordLogin: PasswordLoginService;
  readonly passwordReset: PasswordResetService;
  readonly openid: OpenidRoutesNeeds;
  /** Null without a directory. */
  readonly ldapLogin: LdapLoginService | null;
  readonly rateLimits: RateLimitService;
  /** Where signing out leads, with the root path. */
  readonly signedOutPage: string;
  /** Address of the page behind reset links, for this request. */
  readonly resetPageOf: (request: Request) => string;
  /** Whether no page of another site sent the request. */
  readonly isOwnPage: (request: Request) => boolean;
  readonly log: Logger;
}

type AuthCall = Call<unknown, undefined, undefined>;

/** Two short texts; more is no sign-in. */
const BODY_LIMIT = 64 * 1024;

export function authRoutes(needs: AuthRoutesNeeds): RouteModule {
  const { logins, passwordLogin, passwordReset, ldapLogin, rateLimits, isOwnPage, log } = needs;
  const common = { action: "login.use", status: 204, documented: false, rawBody: ["application/json"] } as const;
  const limited =
    (handler: (call: AuthCall) => Promise<Response>) =>
    async (call: AuthCall): Promise<Response> => {
      await rateLimits.take(call.context, signInLimit, call.clientAddress());
      return handler(call);
    };

  return {
    name: "auth",
    routes: [
      route({
        ...common,
        method: "POST",
        path: "/auth/login",
        operationId: "login",
        summary: "Sign in with an e-mail address and a password",
        handler: limited(async ({ context, request, clientAddress }) => {
          const sent = await textsOf(request, ["email", "password"]);
          return done(await passwordLogin.login(context, { ...sent, clientAddress: clientAddress() }));
        }),
      }),
      ...(ldapLogin === null
        ? []
        : [
            route({
              ...common,
              method: "POST",
              path: "/auth/ldap/login",
              operationId: "ldapLogin",
              summary: "Sign in with the name and password of a directory",
              handler: limited(async ({ context, request, clientAddress }) => {
                const sent = await textsOf(request, ["username", "password"]);
                return done(await ldapLogin.login(context, { ...sent, clientAddress: clientAddress() }));
              }),
            }),
          ]),
      route({
        ...common,
        method: "GET",
        path: "/auth/logout",
        operationId: "logout",
        summary: "Sign out everywhere",
        status: 302,
        handler: limited(async ({ context, request }) => {
          const { headers } = request;
          const leave = (cookies: Cookies) => withCookies(302, cookies, { location: needs.signedOutPage });
          // Browsers send no cookie of ours with a link of another site, but would take the answer that clears them; with a link of
          // another host below the same domain they send the cookies, too.
          if (!isOwnPage(request)) return leave([]);
          const sent = { authorization: headers.get("authorization"), cookies: headers.get("cookie") };
          await logins.end(context, sent).catch((error) => {
            // The browser forgets its cookies all the same.
            log.error("a sign-out could not be stored", { reason: messageOf(error), request_id: context.requestId });
          });
          return leave(logins.clearedCookies);
        }),
      }),
      route({
        ...common,
        method: "POST",
        path: "/auth/refresh",
        operationId: "refreshLogin",
        summary: "Renew a sign-in by its refresh cookie",
        handler: limited(async ({ context, request, clientAddress }) =>
          done(await logins.renew(context, request.headers.get("cookie"), clientAddress())),
        ),
      }),
      route({
        ...common,
        method: "POST",
        path: "/auth/password-reset-email",
        operationId: "requestPasswordReset",
        summary: "Ask for a mail with a link to a new password",
        handler: limited(async ({ context, request }) => {
          const { email } = await textsOf(request, ["email"]);
          await passwordReset.requestLink(context, email, needs.resetPageOf(request));
          return done([]);
        }),
      }),
      route({
        ...common,
        method: "POST",
        path: "/auth/password-reset",
        operationId: "resetPassword",
        summary: "Set a new password by the token of a reset link",
        handler: limited(async ({ context, request }) => {
          const { token, password } = await textsOf(request, ["token", "password"]);
          await passwordReset.reset(context, token, password);
          return done([]);
        }),
      }),
    ],
  };
}

function done(cookies: Cookies): Response {
  return withCookies(204, cookies, {});
}

function withCookies(status: number, cookies: Cookies, headers: Record<string, string>): Response {
  const response = new Response(null, { status, headers });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Browsers let a page send it to another origin only after that has agreed. */
const JSON_MEDIA_TYPE = /^application\/json\s*(?:;|$)/i;

/** Members of the JSON object in the body; empty for what is missing or no text. Throws kind `invalid` for any other body, and
 *  `unsupported` for one that does not say what it is. */
async function textsOf<Name extends string>(request: Request, names: readonly Name[]): Promise<Record<Name, string>> {
  const body = parsed(new TextDecoder().decode(await readBytes(request, BODY_LIMIT)));
  if (!isJsonObject(body)) throw bodyNotJson();
  if (!JSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? "")) throw contentNotJson();
  return Object.fromEntries(
    names.map((name) => {
      const value = body[name];
      return [name, typeof value === "string" ? value : ""];
    }),
  ) as Record<Name, string>;
}

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw bodyNotJson();
  }
}
