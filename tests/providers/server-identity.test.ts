// The identity of the server at its clouds: which one its variables give, and the tokens and keys that it is handed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMetrics } from "../../src/kernel/metrics.ts";
import { isMetadataAddress } from "../../src/providers/addresses.ts";
import { createGuardedFetch } from "../../src/providers/guarded-fetch.ts";
import { createIdentityTokens } from "../../src/providers/identity-tokens.ts";
import type { AwsIdentity } from "../../src/providers/model-call.ts";
import type { ProviderFetch } from "../../src/providers/provider-fetch.ts";
import { awsIdentityOf, azureIdentityOf } from "../../src/providers/server-identity.ts";
import { aws, modelCall, modelEndpoint } from "../support/model-calls.ts";
import { providerCalls } from "../support/provider-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";

interface Asked {
  readonly line: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

let folder: string;
let server: ReturnType<typeof Bun.serve>;
let answers: Record<string, () => Response>;
let asked: Asked[];
let nowUs = 0;
const clock = { now: () => nowUs };
const guarded = createGuardedFetch({ allowsPrivateAddresses: true, allowedHosts: null, metrics: createMetrics() });
/** Services at addresses that no test machine has are at the server of the test. */
const moved: ProviderFetch = (request) =>
  guarded({ ...request, url: request.url.replace(/^https?:\/\/(169\.254\.[\d.]+|[a-z][\w.-]+)/, server.url.origin) });
const tokensOf = (metadataFetch: ProviderFetch | null = moved) =>
  createIdentityTokens({ fetch: moved, metadataFetch }, clock);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanlight-identity-"));
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const line = `${request.method} ${pathname}${search}`;
      asked.push({ line, headers: request.headers, form: new URLSearchParams(await request.text()) });
      return answers[`${request.method} ${pathname}`]?.() ?? new Response("no such path", { status: 404 });
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
  answers = {};
  nowUs = Date.UTC(2026, 5, 1) * 1000;
});

const file = async (name: string, text: string) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};
const sources = (variables: Readonly<Record<string, string>>, allowsMetadata = false) => ({
  findVariable: (name: string) => variables[name] ?? null,
  allowsMetadata,
});
const keys = (number: number) => ({
  AccessKeyId: `AKIA-${number}`,
  SecretAccessKey: `secret-${number}-0123456789`,
  Token: `session-${number}-0123456789`,
  Expiration: "2026-06-01T01:00:00Z",
});

describe("of AWS", () => {
  test("the variables decide where keys come from, in the order of AWS's libraries", () => {
    const all: Record<string, string> = {
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_PROFILE: "work",
      HOME: "/home/ada",
      AWS_WEB_IDENTITY_TOKEN_FILE: "/token",
      AWS_ROLE_ARN: "arn:role",
      AWS_REGION: "eu-west-1",
      AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/keys",
    };
    const without = (...names: string[]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !names.some((each) => name.startsWith(each))));
    expect(awsIdentityOf(sources(all))).toEqual({
      type: "access_keys",
      accessKeyId: "a",
      secretAccessKey: "b",
      sessionToken: null,
    });
    expect(awsIdentityOf(sources(without("AWS_ACCESS")))).toEqual({
      type: "aws_identity",
      source: "profile",
      profile: "work",
      credentialsFile: "/home/ada/.aws/credentials",
      configFile: "/home/ada/.aws/config",
    });
    expect(awsIdentityOf(sources(without("AWS_ACCESS", "AWS_PROFILE")))).toMatchObject({
      source: "web_identity",
      roleArn: "arn:role",
      region: "eu-west-1",
    });
    const container = without("AWS_ACCESS", "AWS_PROFILE", "AWS_ROLE");
    expect(awsIdentityOf(sources(container))).toMatchObject({
      source: "container",
      url: "http://169.254.170.2/v2/keys",
    });
    const none = without("AWS_");
    expect(awsIdentityOf(sources(none))).toBeNull();
    expect(awsIdentityOf(sources(none, true))).toEqual({ type: "aws_identity", source: "instance" });
  });

  test("a profile is read from both files; what it lacks is named", async () => {
    const credentialsFile = await file("credentials", "[default]\n# none\n[work]\naws_secret_access_key = s/e=c\n");
    const configFile = await file(
      "config",
      "[profile work]\nregion = eu-west-1\naws_access_key_id = AKIA-W\ns3 =\n  max_queue_size = 10\n[profile sso]\nsso_session = x\n",
    );
    const identity = (profile: string): AwsIdentity => ({ source: "profile", profile, credentialsFile, configFile });
    expect(await tokensOf().aws.get(identity("work"))).toEqual({
      accessKeyId: "AKIA-W",
      secretAccessKey: "s/e=c",
      sessionToken: null,
    });
    await expect(tokensOf().aws.get(identity("sso"))).rejects.toThrow(
      /The AWS profile "sso" of AWS_PROFILE has no aws_access_key_id .*\(its sso_session is not used\)/,
    );
    await expect(tokensOf().aws.get(identity("gone"))).rejects.toThrow(/"gone" of AWS_PROFILE/);
  });

  test("a web identity becomes keys, once until shortly before they expire, with the token as it is then", async () => {
    const tokenFile = await file("token", "first\n");
    const expiration = nowUs / 1e6 + 3600;
    answers["POST /"] = () =>
      Response.json({
        AssumeRoleWithWebIdentityResponse: {
          AssumeRoleWithWebIdentityResult: {
            Credentials: { AccessKeyId: "ASIA", SecretAccessKey: "s", SessionToken: "t", Expiration: expiration },
          },
        },
      });
    const tokens = tokensOf();
    const identity: AwsIdentity = {
      source: "web_identity",
      tokenFile,
      roleArn: "arn:aws:iam::1:role/models",
      sessionName: "spanlight",
      region: "eu-west-1",
    };
    const both = await Promise.all([tokens.aws.get(identity), tokens.aws.get(identity)]);
    const made = { accessKeyId: "ASIA", secretAccessKey: "s", sessionToken: "t" };
    expect(both).toEqual([made, made]);
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(asked[0]!.form)).toEqual({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: "arn:aws:iam::1:role/models",
      RoleSessionName: "spanlight",
      WebIdentityToken: "first",
    });
    await writeFile(tokenFile, "second");
    nowUs += 3500 * 1e6;
    await tokens.aws.get(identity);
    expect(asked[1]!.form.get("WebIdentityToken")).toBe("second");
    answers["POST /"] = () =>
      Response.json({ Error: { Code: "InvalidIdentityToken", Message: "The token is expired" } }, { status: 400 });
    nowUs += 3600 * 1e6;
    await expect(tokens.aws.get(identity)).rejects.toThrow("AWS answered 400: The token is expired");
    await rm(tokenFile);
    await expect(tokens.aws.get(identity)).rejects.toThrow(
      "The file of AWS_WEB_IDENTITY_TOKEN_FILE cannot be read (ENOENT)",
    );
  });

  test("a container and a machine are asked only where the setting allows it", async () => {
    const tokenFile = await file("container-token", "of the container");
    const container = {
      source: "container",
      url: "http://169.254.170.23/v1/credentials",
      token: "ignored",
      tokenFile,
    } as const;
    for (const identity of [container, { source: "instance" } as const]) {
      await expect(tokensOf(null).aws.get(identity)).rejects.toThrow("SERVICE_ALLOW_METADATA_CREDENTIALS");
    }
    answers = {
      "GET /v1/credentials": () => Response.json(keys(1)),
      "PUT /latest/api/token": () => new Response("session"),
      "GET /latest/meta-data/iam/security-credentials/": () => new Response("models\n"),
      "GET /latest/meta-data/iam/security-credentials/models": () => Response.json(keys(2)),
    };
    expect(await tokensOf().aws.get(container)).toMatchObject({ accessKeyId: "AKIA-1" });
    expect(asked[0]!.headers.get("authorization")).toBe("of the container");
    expect(await tokensOf().aws.get({ source: "instance" })).toMatchObject({ accessKeyId: "AKIA-2" });
    expect(asked.slice(2).map(({ headers }) => headers.get("x-aws-ec2-metadata-token"))).toEqual(
      Array(2).fill("session"),
    );
    answers["GET /latest/meta-data/iam/security-credentials/"] = () => new Response("", { status: 404 });
    await expect(tokensOf().aws.get({ source: "instance" })).rejects.toThrow("The machine has no role at AWS");
  });
});

describe("of Azure", () => {
  const tokenPath = "POST /tenant/oauth2/v2.0/token";
  const application = { AZURE_TENANT_ID: "tenant", AZURE_CLIENT_ID: "client" };

  test("a workload identity shows the token of its file, a managed one is asked where the setting allows it", async () => {
    const tokenFile = await file("federated", "assertion\n");
    const federated = azureIdentityOf(
      sources({ ...application, AZURE_FEDERATED_TOKEN_FILE: tokenFile, AZURE_AUTHORITY_HOST: "http://authority/" }),
    );
    if (federated?.type !== "azure_federated") throw new Error(`It is ${federated?.type}`);
    answers[tokenPath] = () => Response.json({ access_token: "of-workload", expires_in: 3600 });
    expect(await tokensOf().azure.get(federated)).toBe("of-workload");
    expect(Object.fromEntries(asked[0]!.form)).toEqual({
      grant_type: "client_credentials",
      client_id: "client",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "assertion",
      scope: "https://cognitiveservices.azure.com/.default",
    });

    expect(azureIdentityOf(sources({}))).toBeNull();
    const ofMachine = azureIdentityOf(sources({ AZURE_CLIENT_ID: "mine" }, true));
    const ofApp = azureIdentityOf(sources({ IDENTITY_ENDPOINT: `${server.url.origin}/msi`, IDENTITY_HEADER: "proof" }));
    if (ofMachine?.type !== "azure_managed" || ofApp?.type !== "azure_managed") throw new Error("They are others");
    await expect(tokensOf(null).azure.get(ofApp)).rejects.toThrow("SERVICE_ALLOW_METADATA_CREDENTIALS");
    answers["GET /metadata/identity/oauth2/token"] = () =>
      Response.json({ access_token: "of-machine", expires_in: "86399" });
    answers["GET /msi"] = () => Response.json({ access_token: "of-app", expires_on: "1780272000" });
    asked.length = 0;
    const tokens = tokensOf();
    expect(await tokens.azure.get(ofMachine)).toBe("of-machine");
    expect(await tokens.azure.get(ofApp)).toBe("of-app");
    const resource = encodeURIComponent("https://cognitiveservices.azure.com");
    expect(asked.map(({ line }) => line)).toEqual([
      `GET /metadata/identity/oauth2/token?api-version=2018-02-01&resource=${resource}&client_id=mine`,
      `GET /msi?api-version=2019-08-01&resource=${resource}`,
    ]);
    expect([asked[0]!.headers.get("metadata"), asked[1]!.headers.get("x-identity-header")]).toEqual(["true", "proof"]);
  });
});

describe("a call", () => {
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await startScriptedModels();
  });
  afterAll(() => models.close());

  test("is signed with the keys of the identity, which no record of it has", async () => {
    const credentialsFile = await file(
      "call",
      "[default]\naws_access_key_id=AKIA-PROFILE\naws_secret_access_key=of-a-profile\n",
    );
    const credentials = {
      type: "aws_identity",
      source: "profile",
      profile: "default",
      credentialsFile,
      configFile: "",
    } as const;
    const endpoint = modelEndpoint(models.address, {
      provider: "AWS",
      wire: "bedrock",
      credentials,
      region: "eu-west-1",
    });
    const made = await providerCalls().run(modelCall(endpoint, { model: "echo", parameters: aws({}) }));
    expect(made.failure).toBeNull();
    expect(models.requests.at(-1)!.headers.authorization).toStartWith("AWS4-HMAC-SHA256 Credential=AKIA-PROFILE/");
    const named = modelCall(endpoint, {
      model: "e400",
      messages: [{ role: "user", content: "AKIA-PROFILE" }],
      parameters: aws({}),
    });
    expect(JSON.stringify((await providerCalls().run(named)).attempt)).not.toContain("AKIA-PROFILE");
  });

  test("never reaches the services of the machine by its address, and they reach nothing else", async () => {
    const request = {
      method: "GET",
      headers: {},
      body: null,
      label: "AWS",
      maximumIdleSeconds: () => 1,
      totalSeconds: 1,
      maximumBytes: 1000,
      signal: new AbortController().signal,
    } as const;
    const ofMachine = createGuardedFetch({
      allowsPrivateAddresses: true,
      allowedHosts: null,
      isAllowedAddress: isMetadataAddress,
      metrics: createMetrics(),
    });
    await expect(guarded({ ...request, url: "http://169.254.170.23/v1/credentials" })).rejects.toThrow("never called");
    for (const address of ["10.0.0.1", "1.1.1.1", "[fd00::1]"]) {
      await expect(ofMachine({ ...request, url: `http://${address}/` })).rejects.toThrow(
        "is no address of the machine or its cloud",
      );
    }
    answers["GET /"] = () => new Response("near");
    expect((await ofMachine({ ...request, url: server.url.href })).status).toBe(200);
    expect(["169.254.169.254", "169.254.170.2", "127.0.0.1", "fd00:ec2::254"].map(isMetadataAddress)).toEqual(
      Array(4).fill(true),
    );
  });
});
