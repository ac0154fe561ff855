// The second half of a sign-in with a provider: its code for an ID token, the checks of the token, and the claims.
import type {
  ClientAuth,
  Configuration,
  CustomFetch,
  ServerMetadata,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from "openid-client";
import { messageOf } from "../../../../kernel/failure.ts";
import { type Claims, emailIn, groupsIn, mergedClaims, roleValueIn, type Warn } from "./claims.rules.ts";
import { clientAuthenticationOf } from "./client-authentication.service.ts";
import { requireSignature } from "./id-token.rules.ts";
import { causesOf, providerAnswerRefused, refusedSignIn, type SignInRefusal, shortForLog } from "./openid.errors.ts";
import type { IdentityProvider, ProviderMetadata } from "./provider.service.ts";
import { askProvider, type ProviderLimits } from "./provider-requests.service.ts";

/** What came back with the browser, and what was kept for it. */
interface Answer {
  /** The address of the callback as it was sent to the provider, with the received query. */
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  /** Null without PKCE. */
  readonly verifier: string | null;
}

/** The library is loaded by the first sign-in. */
const library = () => import("openid-client");

/** Seconds by which two clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 120;

/** The claims of the person, from the ID token and, where those do not suffice, from the UserInfo endpoint. Throws SignInRefused. */
export async function exchangeCode(
  provider: IdentityProvider,
  answer: Answer,
  limits: ProviderLimits,
  warn: Warn,
): Promise<Claims> {
  const metadata = await metadataOf(provider);
  const traffic = createTraffic(metadata, limits);
  const configuration = await configurationOf(provider, metadata, traffic);
  const tokens = await tradeCode(configuration, provider, answer, traffic);
  const idToken = tokens.claims() as Claims;
  const claimNames = Object.keys(idToken);
  const { azp } = idToken;
  if (azp !== undefined && azp !== provider.config.clientId) {
    throw refusedSignIn("auth_failed", "id token", "azp names another client", { claimNames });
  }
  await requireSignature(tokens.id_token as string, {
    offered: metadata.id_token_signing_alg_values_supported,
    clientSecret: provider.config.clientSecret,
    keys: (fresh) => provider.keys(metadata, { fresh }),
  }).catch((error: unknown) => {
    throw refusedSignIn("auth_failed", "id token", `the signature does not hold: ${causesOf(error)}`, { claimNames });
  });
  if (suffice(idToken, provider, warn) || metadata.userinfo_endpoint === undefined) return idToken;
  try {
    const { fetchUserInfo } = await library();
    // Fails for another subject.
    const userInfo = await fetchUserInfo(configuration, tokens.access_token, String(idToken.sub));
    return mergedClaims(idToken, userInfo);
  } catch (error) {
    warn(`the UserInfo endpoint gave nothing: ${causesOf(error)}`);
    return idToken;
  }
}

/** The provider's metadata; throws SignInRefused while it is away. */
export async function metadataOf(provider: IdentityProvider): Promise<ProviderMetadata> {
  try {
    return await provider.metadata();
  } catch (error) {
    throw refusedSignIn("oauth_error", "metadata", causesOf(error));
  }
}

/** Whether nothing that the settings look for is missing. */
function suffice(claims: Claims, { config }: IdentityProvider, warn: Warn): boolean {
  if (emailIn(claims, config, warn) === null) return false;
  if (config.groups !== null && groupsIn(claims, config.groups.path, warn).length === 0) return false;
  return config.role === null || roleValueIn(claims, config.role.path, warn) !== null;
}

/** Requests of one sign-in, with what the token endpoint answered. */
interface Traffic {
  readonly fetch: CustomFetch;
  /** Null until the token endpoint has answered, with what could be read of it. */
  tokenAnswer: Readonly<Record<string, unknown>> | null;
  asked: boolean;
}

function createTraffic(metadata: ProviderMetadata, { requestMs, signInMs }: ProviderLimits): Traffic {
  const signal = AbortSignal.timeout(signInMs);
  const tokenEndpoint = new URL(metadata.token_endpoint).href;
  const traffic: Traffic = {
    tokenAnswer: null,
    asked: false,
    async fetch(url, { method, headers, body }) {
      const isToken = new URL(url).href === tokenEndpoint;
      if (isToken) traffic.asked = true;
      const response = await askProvider(
        url,
        { method, headers, body: body as BodyInit | null },
        { requestMs, signal },
      );
      if (isToken) traffic.tokenAnswer = await jsonObjectOf(response.clone());
      return response;
    },
  };
  return traffic;
}

async function jsonObjectOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const document: unknown = await response.json().catch(() => null);
  return typeof document === "object" && document !== null ? { ...document } : {};
}

/** Made for one sign-in, so that what it says is not mixed up with another's. */
export async function configurationOf(
  provider: IdentityProvider,
  metadata: ProviderMetadata,
  traffic: Pick<Traffic, "fetch"> | null,
): Promise<Configuration> {
  const openid = await library();
  const { config, isInsecure } = provider;
  let authentication: ClientAuth;
  try {
    authentication = await clientAuthenticationOf(config);
  } catch (error) {
    throw refusedSignIn("oauth_error", "code", messageOf(error));
  }
  const client = { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const configuration = new openid.Configuration(
    { ...metadata } as ServerMetadata,
    config.clientId,
    client,
    authentication,
  );
  if (isInsecure) openid.allowInsecureRequests(configuration);
  if (traffic !== null) configuration[openid.customFetch] = traffic.fetch;
  return configuration;
}

async function tradeCode(
  configuration: Configuration,
  { config }: IdentityProvider,
  { url, state, nonce, verifier }: Answer,
  traffic: Traffic,
): Promise<TokenEndpointResponse & TokenEndpointResponseHelpers> {
  const { authorizationCodeGrant } = await library();
  try {
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(config.usesPkce && verifier !== null ? { pkceCodeVerifier: verifier } : {}),
    });
    if (tokens.token_type !== "bearer") throw providerAnswerRefused("token_type is not bearer");
    return tokens;
  } catch (error) {
    throw refusalOf(error, traffic);
  }
}

/** By the stage it reached: not sent, an answer without tokens, without an ID token, or with one that is wrong. */
function refusalOf(error: unknown, { asked, tokenAnswer }: Traffic) {
  const cause = causesOf(error);
  if (!asked) return refusedSignIn("auth_failed", "answer", cause);
  const { access_token: access, token_type: type, id_token: idToken } = tokenAnswer ?? {};
  const isGiven = typeof access === "string" && typeof type === "string" && type.toLowerCase() === "bearer";
  if (!isGiven) return refusedSignIn("oauth_error", "code", cause, messagesOf(tokenAnswer));
  if (idToken === undefined) return refusedSignIn("no_oidc_support", "code", "the answer has no ID token");
  return refusedSignIn("auth_failed", "id token", cause, { claimNames: claimNamesOf(idToken) });
}

/** Error and description, as OAuth2 has them. */
function messagesOf(answer: Readonly<Record<string, unknown>> | null): Pick<SignInRefusal, "providerError"> {
  const messages = [answer?.error, answer?.error_description].filter((text) => typeof text === "string");
  return { providerError: messages.length === 0 ? null : shortForLog(messages.join(": ")) };
}

/** Of a token that is not to be believed, for the log alone. */
function claimNamesOf(idToken: unknown): string[] {
  try {
    const payload: unknown = JSON.parse(Buffer.from(String(idToken).split(".")[1] ?? "", "base64url").toString());
    return typeof payload === "object" && payload !== null ? Object.keys(payload) : [];
  } catch {
    return [];
  }
}
