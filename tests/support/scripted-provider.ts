// A provider of OpenID Connect that answers what the test says, honest by default: for answers that no honest provider gives.
import { createHmac } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const CLIENT = { id: "spanlight", secret: "a-client-secret-of-the-tests-0123456789" } as const;

type Json = Readonly<Record<string, unknown>>;

/** What a test makes of the provider; everything left out is honest. */
export interface Script {
  /** Changes of the ID token's claims; undefined takes one away. */
  readonly claims?: Json;
  /** The ID token itself, made by the test. */
  readonly idToken?: (claims: Json, provider: ScriptedProvider) => Promise<string | undefined> | string | undefined;
  /** The answer of the token endpoint instead of the honest one. */
  readonly token?: (honest: Json) => Response | Promise<Response>;
  /** Null: status 500. */
  readonly userInfo?: Json | null;
  readonly metadata?: Json;
  readonly keys?: readonly JWK[];
  /** Paths that never answer. */
  readonly silent?: readonly string[];
}

export interface ScriptedProvider {
  readonly issuer: string;
  readonly configUrl: string;
  script: Script;
  /** Requests by path, with their bodies. */
  readonly requests: { readonly path: string; readonly body: URLSearchParams; readonly headers: Headers }[];
  /** Nonce for the next ID token: the provider's memory of the sign-in. */
  nonce: string;
  readonly privateKey: CryptoKey;
  /** A new signing key under a new name. */
  rotate(): Promise<void>;
  sign(claims: Json, header?: Json): Promise<string>;
  close(): Promise<void>;
}

export async function startScriptedProvider(port = 0): Promise<ScriptedProvider> {
  let key = await newKey();
  let count = 1;
  const state = { script: {} as Script, nonce: "", requests: [] as ScriptedProvider["requests"] };
  const paths = ["/jwks", "/token", "/userinfo", "/.well-known/openid-configuration"];

  async function answer(path: string, body: URLSearchParams): Promise<Response> {
    const { script } = state;
    switch (path) {
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          userinfo_endpoint: `${issuer}/userinfo`,
          id_token_signing_alg_values_supported: ["RS256"],
          ...script.metadata,
        });
      case "/jwks":
        return Response.json({
          keys: script.keys ?? [{ ...(await exportJWK(key.publicKey)), kid: `key-${count}`, use: "sig" }],
        });
      case "/userinfo":
        return script.userInfo === null
          ? new Response("broken", { status: 500 })
          : Response.json({ sub: "00u1", ...script.userInfo });
      default: {
        const honest = { access_token: `access-${body.get("code")}`, token_type: "Bearer", expires_in: 60 };
        const claims = claimsOf(state.nonce, script.claims);
        const idToken =
          script.idToken === undefined ? await provider.sign(claims) : await script.idToken(claims, provider);
        const whole = { ...honest, ...(idToken === undefined ? {} : { id_token: idToken }) };
        return script.token === undefined ? Response.json(whole) : script.token(whole);
      }
    }
  }

  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = new URLSearchParams(request.method === "POST" ? await request.text() : "");
      state.requests.push({ path: pathname, body, headers: request.headers });
      if (state.script.silent?.includes(pathname)) return new Promise<Response>(() => {});
      return paths.includes(pathname) ? answer(pathname, body) : new Response("unknown", { status: 404 });
    },
  });
  const issuer = `http://127.0.0.1:${server.port}`;

  const claimsOf = (nonce: string, changes: Json = {}): Json => {
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      iss: issuer,
      aud: CLIENT.id,
      sub: "00u1",
      iat: now,
      exp: now + 60,
      nonce,
      email: "ann@example.com",
    };
    return Object.fromEntries(Object.entries({ ...honest, ...changes }).filter(([, value]) => value !== undefined));
  };

  const provider: ScriptedProvider = {
    issuer,
    configUrl: `${issuer}/.well-known/openid-configuration`,
    get script() {
      return state.script;
    },
    set script(script) {
      state.script = script;
    },
    get nonce() {
      return state.nonce;
    },
    set nonce(nonce) {
      state.nonce = nonce;
    },
    requests: state.requests,
    get privateKey() {
      return key.privateKey;
    },
    async rotate() {
      key = await newKey();
      count++;
    },
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", kid: `key-${count}`, ...header } as { alg: string })
        .sign(key.privateKey),
    close: () => server.stop(true),
  };
  return provider;
}

const newKey = () => generateKeyPair("RS256", { extractable: true });

/** A token made by hand, with any header and any signature. */
export function forgedToken(header: Json, claims: Json, secret: string | null): string {
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${secret === null ? "" : createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
