// The identity that the environment gives this server at a cloud, by the variables that the cloud's own libraries read.
import { AZURE_AUTHORITY, AZURE_SCOPE } from "./azure-tokens.ts";
import type { ModelCredentials } from "./model-call.ts";

export interface IdentitySources {
  /** A variable of the server's environment. */
  findVariable(name: string): string | null;
  /** SERVICE_ALLOW_METADATA_CREDENTIALS. */
  readonly allowsMetadata: boolean;
}

const DEFAULT_REGION = "us-east-1";
/** Where the relative address of a container begins. */
const CONTAINER_HOST = "http://169.254.170.2";

export function awsRegionOf({ findVariable }: Pick<IdentitySources, "findVariable">): string {
  return textOf(findVariable, "AWS_REGION") ?? DEFAULT_REGION;
}

/** In the order of AWS's libraries: keys, a profile that is named, a web identity, the container, the machine. Null without any. */
export function awsIdentityOf({ findVariable, allowsMetadata }: IdentitySources): ModelCredentials | null {
  const text = (name: string) => textOf(findVariable, name);
  const [accessKeyId, secretAccessKey] = [text("AWS_ACCESS_KEY_ID"), text("AWS_SECRET_ACCESS_KEY")];
  if (accessKeyId !== null && secretAccessKey !== null) {
    return { type: "access_keys", accessKeyId, secretAccessKey, sessionToken: text("AWS_SESSION_TOKEN") };
  }
  const home = text("HOME") ?? "";
  const [profile, credentialsFile] = [text("AWS_PROFILE"), text("AWS_SHARED_CREDENTIALS_FILE")];
  if (profile !== null || credentialsFile !== null) {
    return {
      type: "aws_identity",
      source: "profile",
      profile: profile ?? "default",
      credentialsFile: credentialsFile ?? `${home}/.aws/credentials`,
      configFile: text("AWS_CONFIG_FILE") ?? `${home}/.aws/config`,
    };
  }
  const [tokenFile, roleArn] = [text("AWS_WEB_IDENTITY_TOKEN_FILE"), text("AWS_ROLE_ARN")];
  if (tokenFile !== null && roleArn !== null) {
    const sessionName = text("AWS_ROLE_SESSION_NAME") ?? "spanlight";
    const region = awsRegionOf({ findVariable });
    return { type: "aws_identity", source: "web_identity", tokenFile, roleArn, sessionName, region };
  }
  const relative = text("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const url = relative === null ? text("AWS_CONTAINER_CREDENTIALS_FULL_URI") : `${CONTAINER_HOST}${relative}`;
  if (url !== null) {
    return {
      type: "aws_identity",
      source: "container",
      url,
      token: text("AWS_CONTAINER_AUTHORIZATION_TOKEN"),
      tokenFile: text("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"),
    };
  }
  return allowsMetadata ? { type: "aws_identity", source: "instance" } : null;
}

/** In the order of Azure's libraries: an application with a secret, a workload identity, a managed identity. Null without any. */
export function azureIdentityOf({ findVariable, allowsMetadata }: IdentitySources): ModelCredentials | null {
  const text = (name: string) => textOf(findVariable, name);
  const [tenantId, clientId] = [text("AZURE_TENANT_ID"), text("AZURE_CLIENT_ID")];
  const [clientSecret, tokenFile] = [text("AZURE_CLIENT_SECRET"), text("AZURE_FEDERATED_TOKEN_FILE")];
  if (tenantId !== null && clientId !== null) {
    const authority = (text("AZURE_AUTHORITY_HOST") ?? AZURE_AUTHORITY).replace(/\/+$/, "");
    const application = { authority, tenantId, clientId, scope: AZURE_SCOPE };
    if (clientSecret !== null) return { type: "azure_ad", ...application, clientSecret };
    if (tokenFile !== null) return { type: "azure_federated", ...application, tokenFile };
  }
  const [url, header] = [text("IDENTITY_ENDPOINT"), text("IDENTITY_HEADER")];
  const endpoint = url === null || header === null ? null : { url, header };
  if (endpoint === null && !allowsMetadata) return null;
  return { type: "azure_managed", endpoint, clientId, scope: AZURE_SCOPE };
}

function textOf(findVariable: IdentitySources["findVariable"], name: string): string | null {
  const text = findVariable(name)?.trim() ?? "";
  return text === "" ? null : text;
}
