// A directory server that does not do its part: another one may.
import type { DirectoryStep } from "./directory.schema.ts";

export class DirectoryTrouble extends Error {
  constructor(
    readonly step: DirectoryStep,
    /** In a few words and without a value: `ECONNREFUSED`, `busy (51)`. */
    readonly reason: string,
    /** Of LDAP; null where the server gave none. */
    readonly resultCode: number | null = null,
  ) {
    super(`${step}: ${reason}`);
  }
}
