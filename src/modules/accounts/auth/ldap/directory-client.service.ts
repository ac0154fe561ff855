// One connection to one directory server, for the few operations that a sign-in needs. The library is loaded at the first of them.
import type { Client, Entry, Filter } from "ldapts";
import type { LdapConfig } from "../../../../config/ldap.ts";
import type { DirectoryFilter } from "../../../../kernel/directory-filter.ts";
import { DirectoryTrouble } from "./directory.errors.ts";
import type { DirectoryStep } from "./directory.schema.ts";
import type { DirectoryEntry } from "./directory-entry.rules.ts";
import { type DirectoryLimits, openDirectorySocket } from "./directory-socket.service.ts";

type Library = typeof import("ldapts");

interface Search {
  readonly base: string;
  readonly filter: DirectoryFilter;
  readonly attributes: readonly string[];
  /** The attribute whose values are bytes; null without one. */
  readonly bytes: string | null;
  /** More are not asked for; 0 for as many as the server gives. */
  readonly most: number;
}

interface Found {
  readonly entries: readonly DirectoryEntry[];
  /** False when the server has more than it gives. */
  readonly isComplete: boolean;
}

type Bound =
  | { readonly isRight: true }
  /** Active Directory says in a number why; null elsewhere. */
  | { readonly isRight: false; readonly windowsCode: string | null };

export interface DirectoryClient {
  /** Tells whether name and password are right. Every other refusal is DirectoryTrouble. */
  bind(step: DirectoryStep, name: string, password: string): Promise<Bound>;
  /** Below the base, at every depth. Aliases and referrals are not followed. */
  search(step: DirectoryStep, search: Search): Promise<Found>;
  close(): void;
}

const INVALID_CREDENTIALS = 49;
const SIZE_LIMIT_EXCEEDED = 4;
const WINDOWS_CODE = /AcceptSecurityContext error, data ([0-9a-f]{1,8}),/i;
/** Of all answers on one connection: tens of thousands of groups are less. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Connects, and encrypts as the settings say. Fails with DirectoryTrouble; the signal ends the connection, also later. */
export async function connectDirectory(
  config: Pick<LdapConfig, "port" | "tls">,
  host: string,
  limits: DirectoryLimits,
  signal: AbortSignal,
): Promise<DirectoryClient> {
  const library = await import("ldapts");
  const socket = await openDirectorySocket(host, config, limits, signal);
  let received = 0;
  socket.on("data", (data: Buffer) => {
    received += data.length;
    if (received > MOST_BYTES) socket.destroy();
  });
  let isHandedOver = false;
  const client = new library.Client({
    // Unused: the socket is supplied.
    url: "ldap://localhost",
    timeout: limits.operationMs,
    createConnection: () => {
      if (isHandedOver) throw new DirectoryTrouble("connect", "connection lost");
      isHandedOver = true;
      return socket;
    },
  });
  const at = async <Result>(step: DirectoryStep, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw troubleOf(library, step, error);
    }
  };
  const find = (search: Search, sizeLimit: number) => entriesOf(library, client, limits, search, sizeLimit);

  return {
    async bind(step, name, password) {
      try {
        await client.bind(name, password);
        return { isRight: true };
      } catch (error) {
        if (resultCodeOf(library, error) === INVALID_CREDENTIALS) {
          return { isRight: false, windowsCode: WINDOWS_CODE.exec(String(error))?.[1] ?? null };
        }
        throw troubleOf(library, step, error);
      }
    },

    search: (step, search) =>
      at(step, async () => {
        try {
          return { entries: await find(search, search.most), isComplete: true };
        } catch (error) {
          if (resultCodeOf(library, error) !== SIZE_LIMIT_EXCEEDED) throw error;
        }
        // The library forgets what came before this refusal unless a limit was asked for.
        return { entries: await find(search, MANY), isComplete: false };
      }),

    close() {
      socket.destroy();
    },
  };
}

/** Servers have lower limits. */
const MANY = 100_000;

/** Ids that are bytes, as directories spell them. The library reads those that happen to be UTF-8 as text, without a byte order mark. */
const BYTE_IDS = ["objectGUID", "mS-DS-ConsistencyGuid", "GUID"];

async function entriesOf(
  library: Library,
  client: Client,
  { operationMs }: DirectoryLimits,
  { base, filter, attributes, bytes }: Search,
  sizeLimit: number,
): Promise<DirectoryEntry[]> {
  const { searchEntries } = await client.search(base, {
    scope: "sub",
    filter: filterOf(library, filter),
    attributes: [...attributes],
    explicitBufferAttributes: bytes === null ? [] : [bytes, ...BYTE_IDS],
    sizeLimit,
    timeLimit: Math.ceil(operationMs / 1000),
  });
  return searchEntries.map(entryOf);
}

/** Active Directory gives long lists in parts, and says which part this is. */
const RANGE = /;range=\d+-(?:\d+|\*)$/i;

function entryOf({ dn, ...sent }: Entry): DirectoryEntry {
  const attributes = new Map<string, (string | Uint8Array)[]>();
  for (const [name, value] of Object.entries(sent)) {
    const values = Array.isArray(value) ? value : [value];
    const key = name.replace(RANGE, "").toLowerCase();
    if (values.length > 0) attributes.set(key, [...(attributes.get(key) ?? []), ...values]);
  }
  return { name: typeof dn === "string" ? dn : "", attributes };
}

function filterOf(library: Library, filter: DirectoryFilter): Filter {
  switch (filter.kind) {
    case "and":
      return new library.AndFilter({ filters: filter.filters.map((inner) => filterOf(library, inner)) });
    case "or":
      return new library.OrFilter({ filters: filter.filters.map((inner) => filterOf(library, inner)) });
    case "not":
      return new library.NotFilter({ filter: filterOf(library, filter.filter) });
    case "present":
      return new library.PresenceFilter(filter);
    case "equal":
      return new library.EqualityFilter(filter);
    case "at least":
      return new library.GreaterThanEqualsFilter(filter);
    case "at most":
      return new library.LessThanEqualsFilter(filter);
    case "similar":
      return new library.ApproximateFilter(filter);
    case "substrings": {
      const { attribute, initial, inner, final } = filter;
      return new library.SubstringFilter({ attribute, initial, any: [...inner], final });
    }
    case "extensible": {
      const { attribute, rule, includesName, value } = filter;
      return new library.ExtensibleFilter({ matchType: attribute, rule, dnAttributes: includesName, value });
    }
  }
}

function resultCodeOf(library: Library, error: unknown): number | null {
  return error instanceof library.ResultCodeError ? error.code : null;
}

/** The library's words hold those of the server, which may be about a person. */
function troubleOf(library: Library, step: DirectoryStep, error: unknown): DirectoryTrouble {
  const code = resultCodeOf(library, error);
  if (code !== null) {
    const name = (error as Error).name.replace(/Error$/, "");
    return new DirectoryTrouble(step, `${name} (${code})`, code);
  }
  return new DirectoryTrouble(step, /timed out/i.test(String(error)) ? "no answer in time" : "connection lost");
}
