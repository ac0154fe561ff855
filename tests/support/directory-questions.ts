// Questions to scripted directories, with limits that are soon over.
import { afterEach } from "bun:test";
import type { Variables } from "../../src/config/environment.ts";
import { createDirectoryService } from "../../src/modules/accounts/auth/ldap/directory.service.ts";
import { selfSignedCertificate } from "./certificate.ts";
import { loadSettings } from "./load-settings.ts";
import { memoryFiles } from "./memory-files.ts";
import {
  type Script,
  type ScriptedDirectory,
  type ScriptedEntry,
  startScriptedDirectory,
} from "./scripted-directory.ts";

export const certificate = selfSignedCertificate(["127.0.0.1"]);
export const USER = "CN=Ada Lovelace,OU=People,DC=corp,DC=example";
export const RIGHT = "right password";
/** Milliseconds: what is never answered is given up soon. */
export const limits = { connectMs: 1000, operationMs: 300 };

export const ada: ScriptedEntry = {
  name: USER,
  attributes: { mail: ["ada@corp.example"], displayName: ["Ada"], memberOf: ["CN=Admins,DC=corp,DC=example"] },
};

/** A directory with one person. */
export const ordinary: Script = {
  bind: ({ name, password }) =>
    name === USER || name.startsWith("cn=search") ? { code: password === RIGHT ? 0 : 49 } : { code: 49 },
  search: ({ filter }) => ({ entries: filter.includes("=ada)") ? [ada] : [] }),
};

const started: ScriptedDirectory[] = [];
afterEach(async () => {
  for (const directory of started.splice(0)) await directory.stop();
});

/** Stops with the test. */
export async function startedForTest(script: Script): Promise<ScriptedDirectory> {
  const directory = await startScriptedDirectory(script);
  started.push(directory);
  return directory;
}

interface Asked {
  readonly variables?: Variables;
  readonly username?: string;
  readonly password?: string | null;
  /** Milliseconds for all. */
  readonly totalMs?: number;
  /** For an answer that takes its time. */
  readonly operationMs?: number;
  /** Whether the servers are asked in an order by chance, as in earnest; otherwise in that of the setting. */
  readonly isDrawn?: boolean;
}

/** The answer, and `step: reason` of each trouble. */
export async function askDirectory(directory: { readonly port: number }, asked: Asked = {}) {
  const { config } = loadSettings(
    {
      SERVICE_LDAP_HOST: "127.0.0.1",
      SERVICE_LDAP_PORT: String(directory.port),
      SERVICE_LDAP_TLS_MODE: "none",
      SERVICE_LDAP_USER_SEARCH_BASE_DNS: '["OU=People,DC=corp,DC=example","OU=Guests,DC=corp,DC=example"]',
      SERVICE_LDAP_ATTR_EMAIL: "mail",
      SERVICE_LDAP_GROUP_ROLE_MAPPINGS: JSON.stringify([
        { group_dn: "cn=admins,dc=corp,dc=example", role: "ADMIN" },
        { group_dn: "*", role: "VIEWER" },
      ]),
      SERVICE_LDAP_TLS_CA_CERT_FILE: "/ca.pem",
      ...asked.variables,
    },
    { files: memoryFiles({ "/ca.pem": certificate.certificate }) },
  );
  const troubles: string[] = [];
  const { username = "ada", password = RIGHT } = asked;
  const order = asked.isDrawn ? {} : { order: (hosts: readonly string[]) => hosts };
  const patience = asked.operationMs === undefined ? {} : { operationMs: asked.operationMs };
  const service = createDirectoryService({ config: config.ldap!, limits: { ...limits, ...patience }, ...order });
  const answer = await service.ask(
    { username, password },
    { done: () => {}, trouble: (server, { step, reason }) => troubles.push(`${server} ${step}: ${reason}`) },
    AbortSignal.timeout(asked.totalMs ?? 20_000),
  );
  return { answer, troubles };
}
