// A real provider of OpenID Connect on loopback (the package oidc-provider), with a client for every way of authenticating, and a
// person at it: what a browser does between the two halves of a sign-in.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";

/** Claims of the people that the provider knows, by login name. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface RealProvider {
  readonly issuer: string;
  readonly configUrl: string;
  close(): Promise<void>;
}

export interface RealClient {
  readonly id: string;
  readonly method: "client_secret_basic" | "client_secret_post" | "none";
  readonly pkce?: boolean;
  /** HS256 instead of RS256. */
  readonly symmetric?: boolean;
}

/** With characters that must be encoded in a header. */
export const CLIENT_SECRET = "s.e-c_r e+t:%/&~*-0123456789-0123456789";

/** `callbacks`: addresses of the service that people may be sent back to. */
export async function startRealProvider(options: {
  readonly people: People;
  readonly clients: readonly RealClient[];
  readonly callbacks: (client: string) => readonly string[];
}): Promise<RealProvider> {
  const clients = options.clients.map(
    ({ id, method, symmetric = false }): ClientMetadata => ({
      client_id: id,
      ...(method === "none" ? {} : { client_secret: CLIENT_SECRET }),
      token_endpoint_auth_method: method,
      id_token_signed_response_alg: symmetric ? "HS256" : "RS256",
      redirect_uris: [...options.callbacks(id)],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    }),
  );
  const withPkce = new Set(options.clients.filter(({ pkce }) => pkce === true).map(({ id }) => id));
  const configuration: Configuration = {
    clients,
    cookies: { keys: ["a-key-of-the-tests"] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "picture"],
      groups: ["groups", "role"],
    },
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "HS256"] } as never,
    pkce: { required: (_context, client) => withPkce.has(client.clientId) },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => {
      const claims = options.people[id];
      return claims === undefined ? undefined : { accountId: id, claims: async () => ({ sub: id, ...claims }) };
    },
  };
  // The port is part of the issuer, so a server is opened first.
  const server = await listening();
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  server.on("request", (request, response) => {
    // Browsers ask every host for it, and complain when it is not there.
    if (request.url === "/favicon.ico") response.writeHead(204).end();
    else void answer(request, response);
  });
  return {
    issuer,
    configUrl: `${issuer}/.well-known/openid-configuration`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function listening(): Promise<Server> {
  const { createServer } = await import("node:http");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** What a person does at the provider with a browser: name, password, consent. Resolves with the address they are sent back to. */
export async function signInAtProvider(authorizationUrl: string, login: string, service: RegExp): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: "manual" });
    for (const text of response.headers.getSetCookie()) {
      const pair = text.split(";", 1)[0]!;
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const form = (values: Record<string, string>): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(values).toString(),
  });
  let url = authorizationUrl;
  let response = await visit(url);
  for (let step = 0; step < 20; step++) {
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      if (service.test(url)) return url;
      response = await visit(url);
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(
        `the provider answered ${response.status}: ${page.replace(/<(style|head|title)[\s\S]*?<\/\1>|<[^>]+>|\s+/g, " ").slice(0, 500)}`,
      );
    url = new URL(action, url).href;
    response = await visit(url, form(prompt === "login" ? { prompt, login, password: "any" } : { prompt }));
  }
  throw new Error("the provider never sent the person back");
}
