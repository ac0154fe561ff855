// Access keys of the identity of the server at AWS, cached until shortly before they expire.
import type { Clock } from "../kernel/clock.ts";
import { isJsonObject, type Json } from "../kernel/json.ts";
import { profileKeys } from "./aws-profile.ts";
import { createExpiringValues } from "./expiring-values.ts";
import { IdentityRefusedError } from "./identity-refused.ts";
import {
  askIdentityService,
  askMetadataService,
  type IdentityAnswer,
  type IdentityNeeds,
  readIdentityFile,
} from "./identity-requests.ts";
import type { AwsIdentity, ModelCredentials } from "./model-call.ts";
import { memberObject, memberText } from "./wires/members.ts";

export type AwsAccessKeys = Omit<Extract<ModelCredentials, { readonly type: "access_keys" }>, "type">;

export interface AwsKeys {
  /** Rejects with `IdentityRefusedError`, and as `fetch` does. Concurrent calls share one request. */
  get(identity: AwsIdentity): Promise<AwsAccessKeys>;
}

/** The service of machines, in the second version of its protocol. */
const INSTANCE = "http://169.254.169.254/latest";
const LABEL = "AWS";
/** Files are looked at again after it. */
const FILE_SECONDS = 300;

/** Created once for a server. */
export function createAwsKeys(needs: IdentityNeeds, clock: Clock): AwsKeys {
  const get = createExpiringValues(async (identity: AwsIdentity) => {
    switch (identity.source) {
      case "profile":
        return { value: await profileKeys(identity), seconds: FILE_SECONDS };
      case "web_identity":
        return keysIn(await askRole(identity, needs), clock);
      case "container":
        return keysIn(await askContainer(identity, needs), clock);
      case "instance":
        return keysIn(await askInstance(needs), clock);
    }
  }, clock);
  return { get };
}

/** The call is not signed: the token of the file is the proof. */
async function askRole(
  { tokenFile, roleArn, sessionName, region }: Extract<AwsIdentity, { readonly source: "web_identity" }>,
  needs: IdentityNeeds,
): Promise<IdentityAnswer> {
  const body = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    WebIdentityToken: await readIdentityFile("AWS_WEB_IDENTITY_TOKEN_FILE", tokenFile),
  });
  const answer = await askIdentityService(needs, {
    method: "POST",
    url: `https://sts.${region}.amazonaws.com/`,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: body.toString(),
    label: LABEL,
  });
  const response = memberObject(answer.json, "AssumeRoleWithWebIdentityResponse");
  const found = memberObject(memberObject(response, "AssumeRoleWithWebIdentityResult"), "Credentials");
  return answer.status === 200 ? { ...answer, json: found } : answer;
}

async function askContainer(
  { url, token, tokenFile }: Extract<AwsIdentity, { readonly source: "container" }>,
  needs: IdentityNeeds,
): Promise<IdentityAnswer> {
  const authorization =
    tokenFile === null ? token : await readIdentityFile("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", tokenFile);
  const headers: Record<string, string> = authorization === null ? {} : { authorization };
  return askMetadataService(needs, { method: "GET", url, headers, body: null, label: LABEL });
}

async function askInstance(needs: IdentityNeeds): Promise<IdentityAnswer> {
  const session = await askMetadataService(needs, {
    method: "PUT",
    url: `${INSTANCE}/api/token`,
    headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
    body: null,
    label: LABEL,
  });
  if (session.status !== 200) throw refused(session);
  const ask = (path: string) =>
    askMetadataService(needs, {
      method: "GET",
      url: `${INSTANCE}/meta-data/iam/security-credentials/${path}`,
      headers: { "x-aws-ec2-metadata-token": session.text },
      body: null,
      label: LABEL,
    });
  const roles = await ask("");
  const role = roles.text.split("\n")[0]?.trim() ?? "";
  if (roles.status !== 200 || role === "") {
    throw new IdentityRefusedError(403, null, "The machine has no role at AWS");
  }
  return ask(encodeURIComponent(role));
}

function keysIn(answer: IdentityAnswer, clock: Clock) {
  const { status, json } = answer;
  const accessKeyId = memberText(json, "AccessKeyId");
  const secretAccessKey = memberText(json, "SecretAccessKey");
  if (status !== 200 || accessKeyId === "" || secretAccessKey === "") throw refused(answer);
  const sessionToken = memberText(json, "Token") || memberText(json, "SessionToken") || null;
  return { value: { accessKeyId, secretAccessKey, sessionToken }, seconds: secondsUntil(json, clock) };
}

/** The security token service writes seconds, the others an instant. */
function secondsUntil(answer: Json, clock: Clock): number {
  const given = isJsonObject(answer) ? answer.Expiration : undefined;
  const seconds = typeof given === "number" ? given : Date.parse(String(given)) / 1000;
  return Number.isFinite(seconds) ? seconds - clock.now() / 1e6 : 0;
}

function refused({ status, json }: IdentityAnswer): IdentityRefusedError {
  const error = memberObject(json, "Error");
  const message = memberText(error, "Message") || memberText(json, "message") || "no credentials";
  const code = memberText(error, "Code") || memberText(json, "code") || null;
  return new IdentityRefusedError(status === 200 ? 403 : status, code, `AWS answered ${status}: ${message}`);
}
