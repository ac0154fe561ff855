// The doctor's sign-in by the directory, with every server of it in turn: each step, what came, and what to set where it fails. The
// password alone is left out: none should be typed here.
import type { Config } from "../../config/config.ts";
import type { LdapConfig } from "../../config/ldap.ts";
import type { DirectoryAnswer, DirectoryStep } from "../../modules/accounts/auth/ldap/directory.schema.ts";
import { createDirectoryService } from "../../modules/accounts/auth/ldap/directory.service.ts";
import {
  type DirectoryEntry,
  textOfEntry,
  uniqueIdOfEntry,
} from "../../modules/accounts/auth/ldap/directory-entry.rules.ts";
import { adviceForRefusal, adviceForTrouble } from "./directory-advice.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ABOUT = "directory";
const LIMIT_MILLISECONDS = 60_000;
/** Of a person; more are counted. */
const GROUPS_SHOWN = 20;

/** Reported one by one: an unreachable server takes a while. */
export async function* checkDirectory({ ldap, authentication }: Config, username: string): AsyncGenerator<Finding> {
  if (ldap === null) {
    yield problem(ABOUT, "no directory is set", "set SERVICE_LDAP_HOST and what docs/directory.md says");
    return;
  }
  if (!authentication.enabled) {
    yield warning(ABOUT, "nobody signs in: authentication is off", "set SERVICE_ENABLE_AUTH=true and SERVICE_SECRET");
  }
  for (const server of ldap.hosts) yield* await conversationWith({ ...ldap, hosts: [server] }, server, username);
}

async function conversationWith(config: LdapConfig, server: string, username: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (text: string) => `${server}: ${text}`;
  const answer = await createDirectoryService({ config }).ask(
    { username: username.trim(), password: null },
    {
      done: (_server, step) => {
        const text = successOf(step, config);
        if (text !== null) findings.push(ok(ABOUT, say(text)));
      },
      trouble: (_server, { step, reason }) => {
        const make = step === "groups" ? warning : problem;
        findings.push(make(ABOUT, say(`${wordsFor(step)}: ${reason}`), adviceForTrouble(step, reason)));
      },
      found: (entry) => findings.push(...entryFindings(config, entry).map((text) => ok(ABOUT, say(text)))),
      groups: (names) => findings.push(ok(ABOUT, say(groupText(names)))),
    },
    AbortSignal.timeout(LIMIT_MILLISECONDS),
  );
  findings.push(...conclusions(answer, say));
  return findings;
}

function conclusions(answer: DirectoryAnswer, say: (text: string) => string): Finding[] {
  switch (answer.kind) {
    case "known":
      return [ok(ABOUT, say(`with the right password the person signs in as ${answer.person.role}`))];
    case "refused": {
      const { refusal, advice } = adviceForRefusal(answer.reason);
      return [problem(ABOUT, say(refusal), advice)];
    }
    case "unavailable":
      // Reported where it happened.
      return [];
  }
}

const STEPS: Readonly<Record<DirectoryStep, string>> = {
  connect: "no connection",
  starttls: "no encryption",
  "search account": "the account that searches is refused",
  person: "the search for the person failed",
  password: "the password could not be checked",
  attributes: "attributes",
  groups: "groups",
  role: "role",
};

const wordsFor = (step: DirectoryStep) => STEPS[step];

/** Null for a step whose outcome is reported elsewhere. */
function successOf(step: DirectoryStep, { tls, port, searchAccount }: LdapConfig): string | null {
  if (step === "connect") {
    const encryption = { starttls: "encrypted by STARTTLS", ldaps: "encrypted by TLS", none: "in clear text" }[
      tls.mode
    ];
    return `connected at port ${port}, ${encryption}`;
  }
  if (step === "search account") {
    return searchAccount === null ? "searches without a name" : `searches as ${searchAccount.name}`;
  }
  return null;
}

function entryFindings({ attributes }: LdapConfig, entry: DirectoryEntry): string[] {
  const shown = (what: string, name: string | null, value: string | null) =>
    name === null ? [] : [`${what}: ${value === null ? `the entry has no ${name}` : `${value} (${name})`}`];
  const uniqueId = attributes.uniqueId === null ? null : uniqueIdOfEntry(entry, attributes.uniqueId);
  return [
    `found the person: ${entry.name}`,
    `attributes that came: ${[...entry.attributes.keys()].sort().join(", ") || "none"}`,
    ...shown("address", attributes.email, textOfEntry(entry, attributes.email)),
    ...shown("unique id", attributes.uniqueId, uniqueId),
    ...shown("name", attributes.displayName, textOfEntry(entry, attributes.displayName)),
  ];
}

function groupText(names: readonly string[]): string {
  if (names.length === 0) return "no groups came";
  const more = names.length > GROUPS_SHOWN ? ` and ${names.length - GROUPS_SHOWN} more` : "";
  return `groups: ${names.slice(0, GROUPS_SHOWN).join(" | ")}${more}`;
}
