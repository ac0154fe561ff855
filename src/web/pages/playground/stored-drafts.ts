// Drafts that the browser stores, so that nothing is lost by leaving or reloading. Each belongs to what it began with.
import { noteMessageKeys } from "../../domain/prompts/editor/prompt-draft.ts";
import { noteKeys, type PlaygroundDraft, type VariantDraft } from "./playground-draft.ts";

const KEY = "spanlight.playground";
const MOST = 10;

interface StoredDraft {
  /** The address that it began at: a span, a version, or empty. */
  readonly origin: string;
  readonly draft: PlaygroundDraft;
}

/** Null if there is none, or one of another build. */
export function findStoredDraft(origin: string): PlaygroundDraft | null {
  const draft = read().find((each) => each.origin === origin)?.draft ?? null;
  if (draft === null) return null;
  noteKeys(draft);
  noteMessageKeys(draft.variants.flatMap(({ prompt }) => prompt.messages));
  return { ...draft, over: draft.over ?? null };
}

/** Large images may not fit: the draft is stored without their content then. */
export function storeDraft(origin: string, draft: PlaygroundDraft): void {
  const others = read().filter((each) => each.origin !== origin);
  const attempts = [[{ origin, draft }, ...others], [{ origin, draft }], [{ origin, draft: withoutFiles(draft) }]];
  for (const drafts of attempts) if (write(drafts.slice(0, MOST))) return;
}

export function removeDraft(origin: string): void {
  write(read().filter((each) => each.origin !== origin));
}

function read(): readonly StoredDraft[] {
  try {
    const drafts = JSON.parse(localStorage.getItem(KEY) ?? "[]") as readonly StoredDraft[];
    return drafts.filter(({ draft }) => draft.variants.length > 0 && draft.variants.every(isWhole));
  } catch {
    return [];
  }
}

function isWhole({ key, prompt }: VariantDraft): boolean {
  return typeof key === "number" && typeof prompt.model === "string" && Array.isArray(prompt.messages);
}

function write(drafts: readonly StoredDraft[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
}

function withoutFiles(draft: PlaygroundDraft): PlaygroundDraft {
  return JSON.parse(
    JSON.stringify(draft, (_name, value: unknown) =>
      typeof value === "string" && value.startsWith("data:") ? "" : value,
    ),
  ) as PlaygroundDraft;
}
