// Looks up a user in the directory: one conversation with one server after the other until one answers
// (docs/protocol/authentication.md#directory). What one server says of a person is final.
import { randomBytes, randomInt } from "node:crypto";
import type { LdapConfig } from "../../../../config/ldap.ts";
import { filterFor } from "../../../../kernel/directory-filter.ts";
import { isDistinguishedName } from "../../../../kernel/distinguished-name.ts";
import { DirectoryTrouble } from "./directory.errors.ts";
import type {
  DirectoryAnswer,
  DirectoryFacts,
  DirectoryPerson,
  DirectoryRefusal,
  DirectoryStep,
} from "./directory.schema.ts";
import { connectDirectory, type DirectoryClient } from "./directory-client.service.ts";
import { type DirectoryEntry, textOfEntry, textsOfEntry, uniqueIdOfEntry } from "./directory-entry.rules.ts";
import { roleOfGroups } from "./directory-roles.rules.ts";
import type { DirectoryLimits } from "./directory-socket.service.ts";

/** Called as it happens: for the log, and for the doctor. */
interface DirectoryTrail {
  /** A step went well. */
  done(server: string, step: DirectoryStep, facts: DirectoryFacts): void;
  /** A server did not do its part; the conversation goes on without that part, or with another server. */
  trouble(server: string, trouble: DirectoryTrouble): void;
  /** What the directory has of the person; for the operator who asks, and for no log. */
  found?(entry: DirectoryEntry): void;
  /** Distinguished names of the groups; likewise. */
  groups?(names: readonly string[]): void;
}

interface Question {
  readonly username: string;
  /** Null looks up the user without a check of the password: for the doctor alone. */
  readonly password: string | null;
}

export interface DirectoryService {
  /** In the order of asking, all are asked until one answers; the signal ends it, and then there is no answer. */
  ask(question: Question, trail: DirectoryTrail, signal: AbortSignal): Promise<DirectoryAnswer>;
}

interface DirectoryDependencies {
  readonly config: LdapConfig;
  readonly limits?: DirectoryLimits;
  /** The servers in the order of one sign-in. */
  readonly order?: (hosts: readonly string[]) => readonly string[];
}

const LIMITS: DirectoryLimits = { connectMs: 10_000, operationMs: 30_000 };

/** Ends a conversation whose answer is final. */
class Refused extends Error {
  constructor(
    readonly step: DirectoryStep,
    readonly reason: DirectoryRefusal,
    readonly facts: DirectoryFacts = {},
  ) {
    super(reason);
  }
}

export function createDirectoryService({
  config,
  limits = LIMITS,
  order = shuffled,
}: DirectoryDependencies): DirectoryService {
  return {
    async ask(question, trail, signal) {
      let isFound = false;
      for (const server of order(config.hosts)) {
        if (signal.aborted) break;
        const opened: DirectoryClient[] = [];
        const connect = async () => {
          const client = await connectDirectory(config, server, limits, signal);
          opened.push(client);
          return client;
        };
        try {
          const person = await converse({ config, server, connect, trail }, question);
          return { kind: "known", person };
        } catch (error) {
          if (error instanceof Refused) {
            const { step, reason, facts } = error;
            return { kind: "refused", step, reason, facts: { server, ...facts } };
          }
          if (!(error instanceof DirectoryTrouble)) throw error;
          trail.trouble(server, error);
          isFound ||= error.step === "password";
        } finally {
          for (const client of opened) client.close();
        }
      }
      // Reported as a wrong password: the caller must not learn that the directory has the name.
      return isFound
        ? { kind: "refused", step: "password", reason: "password_unchecked", facts: {} }
        : { kind: "unavailable" };
    },
  };
}

/** The load on several servers is even, and no server that is away delays everybody. */
function shuffled(hosts: readonly string[]): readonly string[] {
  return hosts
    .map((host) => ({ host, place: randomInt(2 ** 32) }))
    .sort((one, other) => one.place - other.place)
    .map(({ host }) => host);
}

interface Conversation {
  readonly config: LdapConfig;
  readonly server: string;
  readonly connect: () => Promise<DirectoryClient>;
  readonly trail: DirectoryTrail;
}

async function converse(conversation: Conversation, { username, password }: Question): Promise<DirectoryPerson> {
  const { config, server, connect, trail } = conversation;
  const client = await connect();
  trail.done(server, "connect", { port: config.port, encryption: config.tls.mode });
  if (config.searchAccount !== null) {
    const { name, password: own } = config.searchAccount;
    const bound = await client.bind("search account", name, own);
    if (!bound.isRight) throw new DirectoryTrouble("search account", withCode("wrong password", bound.windowsCode), 49);
  }
  trail.done(server, "search account", { bound: config.searchAccount === null ? "anonymous" : "by name" });
  const entry = await findPerson(conversation, client, username).catch(async (error) => {
    // An unknown name takes as long as a wrong password.
    if (error instanceof Refused && password !== null) await bindInVain(connect, password);
    throw error;
  });
  trail.done(server, "person", { attributes: namesOf(entry) });
  trail.found?.(entry);
  if (password !== null) {
    await requirePassword(connect, entry, password);
    trail.done(server, "password", {});
  }
  const person = personOf(config, entry);
  const groups = await findGroups(conversation, client, entry, username);
  trail.groups?.(groups);
  const { role, unreadable } = roleOfGroups(groups, config.roleMappings);
  const facts = { groups: groups.length, ...(unreadable > 0 ? { unreadable_groups: unreadable } : {}) };
  if (role === null) throw new Refused("role", "no_role", { ...facts, attributes: namesOf(entry) });
  trail.done(server, "role", { ...facts, role });
  return { ...person, role };
}

async function findPerson({ config }: Conversation, client: DirectoryClient, username: string) {
  const { attributes, groupSearch } = config;
  const wanted = [
    attributes.email,
    attributes.displayName,
    attributes.memberOf,
    attributes.uniqueId,
    groupSearch?.userAttribute ?? null,
  ].filter((name) => name !== null);
  const filter = filterFor(config.userFilter, username);
  for (const base of config.userBases) {
    const { entries } = await client.search("person", {
      base,
      filter,
      // Without a name the directory would give them all.
      attributes: wanted.length === 0 ? ["1.1"] : [...new Set(wanted)],
      bytes: attributes.uniqueId,
      most: 2,
    });
    const [entry] = entries;
    if (entries.length > 1) throw new Refused("person", "ambiguous", { entries: entries.length });
    if (entry === undefined) continue;
    if (entry.name === "" || !isDistinguishedName(entry.name)) throw new Refused("person", "entry_unusable");
    return entry;
  }
  throw new Refused("person", "not_found", { bases: config.userBases.length });
}

async function bindInVain(connect: () => Promise<DirectoryClient>, password: string): Promise<void> {
  const dummyName = `cn=dummy-${randomBytes(8).toString("hex")},dc=invalid,dc=local`;
  try {
    await (await connect()).bind("password", dummyName, password);
  } catch {
    // Whatever it says: the answer is there.
  }
}

/** On a connection of its own: the first one stays that of the account that searches. */
async function requirePassword(
  connect: Conversation["connect"],
  entry: DirectoryEntry,
  password: string,
): Promise<void> {
  const client = await connect().catch((error) => {
    throw error instanceof DirectoryTrouble ? new DirectoryTrouble("password", error.reason) : error;
  });
  const bound = await client.bind("password", entry.name, password);
  if (bound.isRight) return;
  throw new Refused(
    "password",
    "wrong_password",
    bound.windowsCode === null ? {} : { windows_code: bound.windowsCode },
  );
}

function personOf({ attributes }: LdapConfig, entry: DirectoryEntry): Omit<DirectoryPerson, "role"> {
  const email = textOfEntry(entry, attributes.email);
  const uniqueId = attributes.uniqueId === null ? null : uniqueIdOfEntry(entry, attributes.uniqueId);
  const facts = { attributes: namesOf(entry) };
  if (attributes.email !== null && email === null) throw new Refused("attributes", "email_missing", facts);
  if (attributes.uniqueId !== null && uniqueId === null) throw new Refused("attributes", "unique_id_missing", facts);
  return { email, uniqueId, displayName: textOfEntry(entry, attributes.displayName) };
}

/** Distinguished names, as far as the directory gives them. */
async function findGroups(
  { config, server, trail }: Conversation,
  client: DirectoryClient,
  entry: DirectoryEntry,
  username: string,
): Promise<string[]> {
  const { attributes, groupSearch } = config;
  if (groupSearch === null) {
    const listed = attributes.memberOf === null ? [] : textsOfEntry(entry, attributes.memberOf);
    trail.done(server, "groups", { groups: listed.length });
    return listed;
  }
  const name = groupSearch.userAttribute === null ? username : textOfEntry(entry, groupSearch.userAttribute);
  if (name === null) {
    trail.trouble(server, new DirectoryTrouble("groups", `the person has no attribute ${groupSearch.userAttribute}`));
    return [];
  }
  const groups: string[] = [];
  for (const base of groupSearch.bases) {
    try {
      const search = { base, filter: filterFor(groupSearch.filter, name), attributes: ["1.1"], bytes: null, most: 0 };
      const { entries, isComplete } = await client.search("groups", search);
      for (const group of entries) groups.push(group.name);
      if (!isComplete) {
        trail.trouble(server, new DirectoryTrouble("groups", `the server gave only the first ${entries.length}`));
      }
    } catch (error) {
      // A base that is not there or not readable is passed over; a server that is gone is not.
      if (!(error instanceof DirectoryTrouble) || error.resultCode === null) throw error;
      trail.trouble(server, error);
    }
  }
  trail.done(server, "groups", { groups: groups.length });
  return groups;
}

/** What an operator compares with the settings. */
function namesOf({ attributes }: DirectoryEntry): string {
  return [...attributes.keys()].sort().join(",");
}

function withCode(text: string, windowsCode: string | null): string {
  return windowsCode === null ? text : `${text} (data ${windowsCode})`;
}
