// From the configured location to the one that is opened. Called once, by the composition root, before it starts threads
// and processes: all of them must open the same file.
import { join } from "node:path";
import type { StorageLocation } from "./location.ts";
import { makeTemporaryDirectory, type TemporaryPlaces } from "./sqlite/temporary-directory.ts";

/** Gives `sqlite:///:memory:` its file, in a private directory that is removed when this process exits. */
export function resolveLocation(location: StorageLocation, places?: TemporaryPlaces): StorageLocation {
  if (location.kind !== "sqlite" || !location.temporary) return location;
  return { ...location, path: join(makeTemporaryDirectory(places), "spanlight.db") };
}
