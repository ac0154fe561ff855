// The use case of the search over everything that has a name.
import type { CallContext } from "../../../storage/storage.ts";
import type { Resource, ResourceSearchStore } from "./resource-search.store.ts";

export interface ResourceSearchService {
  /** Row ids of those that contain the text, in any letter case: in the name first, then in the description, each newest first. */
  find(context: CallContext, resource: Resource, text: string, limit: number): Promise<number[]>;
}

export function createResourceSearchService(store: ResourceSearchStore): ResourceSearchService {
  return { find: store.find };
}
