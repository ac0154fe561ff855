// A sign-in with the scripted provider: settings, and both halves of the way.
import { expect } from "bun:test";
import { CLIENT, type Script, type ScriptedProvider } from "./scripted-provider.ts";
import { ACCESS, type Cookies, cookiesOf, type SentRequest, type SignInServer } from "./sign-in.ts";

/** Variables of one provider; undefined leaves one out. */
export function providerVariables(
  name: string,
  configUrl: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Record<string, string | undefined> {
  const settings = { CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret, OIDC_CONFIG_URL: configUrl, ...more };
  return Object.fromEntries(
    Object.entries(settings).map(([suffix, value]) => [`SERVICE_OAUTH2_${name}_${suffix}`, value]),
  );
}

export interface BegunSignIn {
  readonly cookies: Cookies;
  /** Where the browser is led. */
  readonly authorization: URL;
  readonly state: string;
}

/** The first half; the provider remembers the nonce. */
export async function beginAt(
  server: SignInServer,
  provider: ScriptedProvider,
  idp: string,
  query = "",
  init: SentRequest = {},
): Promise<BegunSignIn> {
  const response = await server.send(`GET /oauth2/${idp}/login${query}`, init);
  expect(response.status).toBe(302);
  const authorization = new URL(response.headers.get("location")!);
  provider.nonce = authorization.searchParams.get("nonce")!;
  return { cookies: cookiesOf(response), authorization, state: authorization.searchParams.get("state")! };
}

/** Both halves, with a provider that follows the script. */
export async function signInBy(
  server: SignInServer,
  provider: ScriptedProvider,
  script: Script = {},
  idp = "corp",
): Promise<Response> {
  provider.script = script;
  const { cookies, state } = await beginAt(server, provider, idp);
  return server.send(`GET /oauth2/${idp}/tokens?code=abc&state=${state}`, { cookies });
}

/** Where the browser is led: a code, or a path of somebody who is signed in. */
export function outcomeOf(response: Response): string {
  const location = response.headers.get("location")!;
  const cookies = cookiesOf(response);
  const code = /^[^?]*\/(?:login|logout)\?error=(\w+)$/.exec(location)?.[1];
  expect(response.status).toBe(code === undefined ? 302 : 307);
  expect(cookies[ACCESS] === undefined).toBe(code !== undefined);
  for (const name of ["state", "nonce", "code-verifier"]) expect(cookies[`phoenix-oauth2-${name}`]).toBe('""');
  return code ?? location;
}
