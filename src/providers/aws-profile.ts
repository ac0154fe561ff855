// Access keys of a profile in the files that AWS's own tools share.
import { readFile } from "node:fs/promises";
import { IdentityRefusedError } from "./identity-refused.ts";
import type { AwsIdentity } from "./model-call.ts";

type ProfileIdentity = Extract<AwsIdentity, { readonly source: "profile" }>;

/** Rejects with `IdentityRefusedError` that names the profile, and what is missing of it. */
export async function profileKeys({ profile, credentialsFile, configFile }: ProfileIdentity) {
  const [credentials, config] = await Promise.all([readSections(credentialsFile), readSections(configFile)]);
  const own = {
    ...config.get(profile === "default" ? profile : `profile ${profile}`),
    ...credentials.get(profile),
  };
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, aws_session_token: token } = own;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const others = ["role_arn", "sso_session", "sso_start_url", "credential_process"].filter((name) => name in own);
    const found = others.length === 0 ? "" : ` (its ${others.join(" and ")} is not used)`;
    throw new IdentityRefusedError(
      403,
      null,
      `The AWS profile ${JSON.stringify(profile)} of AWS_PROFILE has no aws_access_key_id and aws_secret_access_key${found}: ${credentialsFile}, ${configFile}`,
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: token ?? null };
}

type Section = Readonly<Record<string, string>>;

/** Empty for a file that is not there. */
async function readSections(path: string): Promise<ReadonlyMap<string, Section>> {
  return sectionsOf(await readFile(path, "utf8").catch(() => ""));
}

/** `[name]`, then lines `key = value`; those that begin with # or ; are comments. */
function sectionsOf(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Record<string, string>>();
  let current: Record<string, string> | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[\s*(.+?)\s*\]\s*(?:[#;].*)?$/.exec(line) ?? [];
    if (name !== undefined) {
      current = sections.get(name) ?? {};
      sections.set(name, current);
      continue;
    }
    // Lines that are indented belong to a nested value, which no key has.
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined && current !== null) current[key.toLowerCase()] = value;
  }
  return sections;
}
