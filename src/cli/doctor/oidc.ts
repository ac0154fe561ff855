// The doctor's walk along a sign-in with an identity provider, as far as it goes without a person: metadata, keys, clocks, what the
// provider can do, whether it knows the client and its address, and whether it accepts its credentials. No secret is printed.
import type { Config } from "../../config/config.ts";
import type { IdentityProviderConfig } from "../../config/identity-providers.ts";
import { clientAuthenticationOf } from "../../modules/accounts/auth/openid/client-authentication.service.ts";
import { canBeTrusted } from "../../modules/accounts/auth/openid/id-token.rules.ts";
import { causesOf, shortForLog } from "../../modules/accounts/auth/openid/openid.errors.ts";
import {
  createIdentityProvider,
  type IdentityProvider,
  type ProviderMetadata,
} from "../../modules/accounts/auth/openid/provider.service.ts";
import { askProvider, providerLimits } from "../../modules/accounts/auth/openid/provider-requests.service.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const CLOCK_TOLERANCE_MS = 30_000;
/** What ID tokens are allowed. */
const CLOCK_LIMIT_MS = 120_000;
const { requestMs } = providerLimits;

export async function checkIdentityProvider(config: Config, id: string): Promise<Finding[]> {
  const found = config.identityProviders.find((provider) => provider.id === id.toLowerCase());
  if (found === undefined) {
    const names = config.identityProviders.map((provider) => provider.id).join(", ") || "none";
    const name = id.toUpperCase().replace(/[^A-Z0-9_]/g, "_");
    return [
      problem(
        "provider",
        `there is no provider ${id}; the settings name: ${names}`,
        `set SERVICE_OAUTH2_${name}_CLIENT_ID`,
      ),
    ];
  }
  const findings: Finding[] = [];
  if (!config.authentication.enabled) {
    findings.push(warning("provider", "authentication is off: nobody signs in", "set SERVICE_ENABLE_AUTH=true"));
  }
  const provider = createIdentityProvider(found, providerLimits);
  let metadata: ProviderMetadata;
  try {
    metadata = await provider.metadata();
  } catch (error) {
    const advice = `check ${settingOf(found, "OIDC_CONFIG_URL")}, the network and the provider's certificate`;
    return [...findings, problem("metadata", `${found.configUrl}: ${causesOf(error)}`, advice)];
  }
  findings.push(ok("metadata", `${found.configUrl} answers`), aboutIssuer(found, metadata));
  findings.push(await aboutClock(found), await aboutKeys(provider, metadata));
  findings.push(...aboutAbilities(found, metadata));
  findings.push(await aboutRedirect(found, metadata, config.server.rootUrl));
  findings.push(await aboutClient(found, metadata, config.server.rootUrl));
  return findings;
}

const settingOf = ({ id }: IdentityProviderConfig, suffix: string) => `SERVICE_OAUTH2_${id.toUpperCase()}_${suffix}`;

function aboutIssuer(config: IdentityProviderConfig, { issuer }: ProviderMetadata): Finding {
  if (issuer.includes("{")) {
    const advice = `put the id of your tenant into ${settingOf(config, "OIDC_CONFIG_URL")}`;
    return problem("issuer", `the metadata names no issuer but a pattern, ${shortForLog(issuer)}`, advice);
  }
  const expected = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  if (expected === config.configUrl) return ok("issuer", issuer);
  const advice = `if sign-ins fail, set ${settingOf(config, "OIDC_CONFIG_URL")}=${shortForLog(expected)}`;
  return warning("issuer", `${shortForLog(issuer)} is not the place of the metadata`, advice);
}

async function aboutClock({ configUrl }: IdentityProviderConfig): Promise<Finding> {
  const answer = await askProvider(configUrl, {}, { requestMs }).catch(() => null);
  const theirs = Date.parse(answer?.headers.get("date") ?? "");
  if (Number.isNaN(theirs))
    return warning("clock", "the provider does not tell its time", "compare the clocks yourself");
  const differenceMs = Math.abs(Date.now() - theirs);
  const text = `the clocks differ by ${Math.round(differenceMs / 1000)} s`;
  if (differenceMs <= CLOCK_TOLERANCE_MS) return ok("clock", text);
  const advice = "synchronise the clock of this machine";
  return differenceMs > CLOCK_LIMIT_MS ? problem("clock", text, advice) : warning("clock", text, advice);
}

async function aboutKeys(provider: IdentityProvider, metadata: ProviderMetadata): Promise<Finding> {
  try {
    const { keys } = await provider.keys(metadata, { fresh: true });
    const usable = keys.filter(({ kty, use }) => kty !== "oct" && use !== "enc").length;
    if (usable > 0) return ok("keys", `${usable} to check ID tokens with`);
    return problem("keys", `${metadata.jwks_uri} has none to check ID tokens with`, "ask who runs the provider");
  } catch (error) {
    return problem("keys", `${metadata.jwks_uri}: ${causesOf(error)}`, "check the network and the provider");
  }
}

/** What the metadata lists, compared with what the settings ask for; what it does not list is not known. */
function aboutAbilities(config: IdentityProviderConfig, metadata: ProviderMetadata): Finding[] {
  const listed = (name: string): readonly unknown[] | null => {
    const value = metadata[name];
    return Array.isArray(value) ? value : null;
  };
  const findings: Finding[] = [];
  const offered = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  const trusted = offered.filter((algorithm) => canBeTrusted(algorithm, config.clientSecret));
  findings.push(
    trusted.length > 0
      ? ok("signatures", `of ID tokens by ${trusted.join(", ")}`)
      : problem(
          "signatures",
          `none of ${shortForLog(offered.join(", "))} can be trusted`,
          "let the provider sign with RS256",
        ),
  );
  const methods = listed("token_endpoint_auth_methods_supported");
  const method =
    config.clientAuthentication === "client_assertion_jwt" ? "private_key_jwt" : config.clientAuthentication;
  if (methods !== null && !methods.includes(method)) {
    const text = `the provider does not list ${method} for clients, but ${shortForLog(methods.join(", "))}`;
    findings.push(warning("methods", text, `set ${settingOf(config, "TOKEN_ENDPOINT_AUTH_METHOD")}`));
  }
  const challenges = listed("code_challenge_methods_supported");
  if (config.usesPkce && challenges !== null && !challenges.includes("S256")) {
    findings.push(problem("PKCE", "the provider does not support S256", `unset ${settingOf(config, "USE_PKCE")}`));
  }
  if (!config.usesPkce && challenges?.includes("S256")) {
    findings.push(warning("PKCE", "the provider supports it", `set ${settingOf(config, "USE_PKCE")}=true`));
  }
  const scopes = listed("scopes_supported");
  const unknown = scopes === null ? [] : config.scopes.filter((scope) => !scopes.includes(scope));
  if (unknown.length > 0) {
    const text = `the provider does not list ${unknown.join(", ")}`;
    findings.push(warning("scopes", text, `check ${settingOf(config, "SCOPES")}`));
  }
  return findings;
}

const callbackOf = (rootUrl: string, { id }: IdentityProviderConfig) => `${rootUrl}/oauth2/${id}/tokens`;

/** The first step of a sign-in, which a provider refuses for an unknown client or address. */
async function aboutRedirect(
  config: IdentityProviderConfig,
  metadata: ProviderMetadata,
  rootUrl: string,
): Promise<Finding> {
  const callback = callbackOf(rootUrl, config);
  const url = new URL(metadata.authorization_endpoint);
  const asked = {
    client_id: config.clientId,
    response_type: "code",
    redirect_uri: callback,
    scope: config.scopes.join(" "),
    state: "spanlight-doctor",
    nonce: "spanlight-doctor",
    // Of no verifier that anybody has.
    ...(config.usesPkce ? { code_challenge: "x".repeat(43), code_challenge_method: "S256" } : {}),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const advice = `register ${callback} at the provider for the client ${config.clientId}`;
  try {
    const { status, headers } = await askProvider(url.href, { headers: { accept: "text/html" } }, { requestMs });
    const back = URL.parse(headers.get("location") ?? "", url.href);
    const refusal = back?.searchParams.get("error") ?? null;
    if (status >= 400)
      return problem("redirect", `the provider answers ${status} to a sign-in for ${callback}`, advice);
    if (refusal !== null) return problem("redirect", `the provider refuses a sign-in: ${shortForLog(refusal)}`, advice);
    return ok("redirect", `people come back to ${callback}; the provider asks who they are`);
  } catch (error) {
    return problem("redirect", `${url.origin}: ${causesOf(error)}`, "check the network and the provider");
  }
}

/** The second step with an invalid code: a client that the provider believes hears so of the code. */
async function aboutClient(
  config: IdentityProviderConfig,
  metadata: ProviderMetadata,
  rootUrl: string,
): Promise<Finding> {
  const advice = `check ${settingOf(config, "CLIENT_ID")}, ${settingOf(config, "CLIENT_SECRET")} and ${settingOf(config, "TOKEN_ENDPOINT_AUTH_METHOD")}`;
  try {
    const authenticate = await clientAuthenticationOf(config);
    const headers = new Headers({ accept: "application/json", "content-type": "application/x-www-form-urlencoded" });
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: "spanlight-doctor",
      redirect_uri: callbackOf(rootUrl, config),
      ...(config.usesPkce ? { code_verifier: "x".repeat(43) } : {}),
    });
    authenticate({ issuer: metadata.issuer }, { client_id: config.clientId }, body, headers);
    const sent = { method: "POST", headers, body: body.toString() };
    const answer = await askProvider(metadata.token_endpoint, sent, { requestMs });
    const { error } = (await answer.json().catch(() => ({}))) as { readonly error?: unknown };
    if (error === "invalid_grant" || error === "invalid_request") {
      return ok("client", `${config.clientId} is believed by the provider (${config.clientAuthentication})`);
    }
    const reason = typeof error === "string" ? shortForLog(error) : `status ${answer.status}`;
    return problem("client", `${config.clientId} is not believed by the provider: ${reason}`, advice);
  } catch (error) {
    return problem("client", causesOf(error), advice);
  }
}
