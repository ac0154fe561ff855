// The advisory locks of PostgreSQL that this service takes: a number each, which all servers of a database agree on.
import { createHash } from "node:crypto";

/** Names to keys. The keys of released versions stay, because servers of several versions may run beside each other. */
export const lockKeys = {
  migration: 7_246_118,
  secretChange: 7_246_119,
  annotationConfigChange: 7_246_120,
  modelChange: 7_246_121,
  customProviderChange: 7_246_122,
  blocks: 7_340_032,
  retention: 7_340_033,
  statistics: 7_340_034,
  datasetDeletions: 7_340_035,
  dismissedExperiments: 7_340_036,
  evaluatorDeletions: 7_340_038,
} as const;

/** The key of a lease: work that one of several servers does at a time. One that is not in the list above has the key that follows from
 *  its name, beyond all others. */
export function leaseKeyOf(lease: string): number {
  if (Object.hasOwn(lockKeys, lease)) return lockKeys[lease as keyof typeof lockKeys];
  return 2 ** 30 + (createHash("sha256").update(lease).digest().readUInt32BE() >>> 2);
}
