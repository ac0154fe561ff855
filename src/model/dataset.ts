// Datasets, as storage and services both know them.

/** What a version did to an example. */
export type RevisionKind = "CREATE" | "PATCH" | "DELETE";
