// What the pages show and change, and how a query is known to show it: by the fields and types that its document names. A change
// says what it changes (`changes: ["secrets"]`); every query that shows it is asked again, on whichever page it stands.

const named = {
  projects: /\b(projects|Project)\b/,
  // Projects show counts of their traces, spans and sessions.
  traces: /\b(projects|Project|ProjectSession|Trace|Span)\b/,
  users: /\b(users|user|viewer)\b/,
  apiKeys: /\b(systemApiKeys|userApiKeys|apiKeys|apiKeyCount)\b/,
  secrets: /\bsecrets\b/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type Entity = keyof typeof named;

/** For changes of what the user may see at all. */
export const everything = Object.keys(named) as readonly Entity[];

/** What the answer to a document shows, by its whole text. */
export function entitiesIn(documentText: string): readonly Entity[] {
  return everything.filter((entity) => named[entity].test(documentText));
}

/** A query that does not say what it shows may show anything. */
export function isTouched(shows: readonly Entity[] | undefined, changes: readonly Entity[]): boolean {
  return changes.length > 0 && (shows === undefined || changes.some((entity) => shows.includes(entity)));
}
