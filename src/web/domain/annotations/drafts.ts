// Unsent judgements of the reader, by target. It outlives the panel that it was made in, so that going on to the next trace
// loses nothing: what the server refuses comes back as a draft. No React here: the pane subscribes.
import { type Annotation, isBlank, sameVerdict, type Verdict } from "./verdicts.ts";

interface Draft {
  /** By name, only what was touched. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly note: string;
}

export interface Entry {
  readonly draft: Draft;
  /** On its way to the server; shown as if it were there. */
  readonly sent: Draft | null;
  /** Why the last try failed. */
  readonly failure: string | null;
}

const emptyDraft: Draft = { verdicts: {}, note: "" };
const emptyEntry: Entry = { draft: emptyDraft, sent: null, failure: null };

export class Drafts {
  #entries = new Map<string, Entry>();
  #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  entry(target: string): Entry {
    return this.#entries.get(target) ?? emptyEntry;
  }

  judge(target: string, name: string, verdict: Verdict): void {
    const { draft, ...rest } = this.entry(target);
    this.#set(target, { ...rest, draft: { ...draft, verdicts: { ...draft.verdicts, [name]: verdict } } });
  }

  writeNote(target: string, note: string): void {
    const { draft, ...rest } = this.entry(target);
    this.#set(target, { ...rest, draft: { ...draft, note } });
  }

  /** Hands over what is to be sent. Nothing is handed over twice: while one is on its way, the next waits. */
  take(target: string): Draft | null {
    const { draft, sent } = this.entry(target);
    if (sent !== null || draft === emptyDraft) return null;
    this.#set(target, { draft: emptyDraft, sent: draft, failure: null });
    return draft;
  }

  /** The server has it, and the page shows what the server has. */
  settle(target: string): void {
    const { draft, failure } = this.entry(target);
    this.#set(target, { draft, sent: null, failure });
  }

  /** It is a draft again; newer input takes precedence. */
  fail(target: string, message: string): void {
    const { draft, sent } = this.entry(target);
    if (sent === null) return;
    const verdicts = { ...sent.verdicts, ...draft.verdicts };
    this.#set(target, { draft: { verdicts, note: draft.note || sent.note }, sent: null, failure: message });
  }

  #set(target: string, entry: Entry): void {
    const isEmpty = entry.draft === emptyDraft && entry.sent === null;
    if (isEmpty) this.#entries.delete(target);
    else this.#entries.set(target, entry);
    for (const listener of this.#listeners) listener();
  }
}

/** The verdict that the pane shows: the draft, else what is on its way, else what the server has. */
export function shownVerdict({ draft, sent }: Entry, name: string, own: Verdict): Verdict {
  return draft.verdicts[name] ?? sent?.verdicts[name] ?? own;
}

export interface ReviewChanges {
  readonly says: readonly (Verdict & { readonly name: string })[];
  /** Own annotations that were taken back. */
  readonly takesBack: readonly Annotation[];
  /** Null without one. */
  readonly note: string | null;
}

/** What a draft changes of what the server has; null where that is nothing. */
export function changesOf({ verdicts, note }: Draft, own: ReadonlyMap<string, Annotation>): ReviewChanges | null {
  const says: (Verdict & { readonly name: string })[] = [];
  const takesBack: Annotation[] = [];
  for (const [name, verdict] of Object.entries(verdicts)) {
    const before = own.get(name);
    if (isBlank(verdict)) {
      if (before !== undefined) takesBack.push(before);
    } else if (before === undefined || !sameVerdict(before, verdict)) {
      says.push({ name, ...verdict, explanation: verdict.explanation?.trim() || null });
    }
  }
  const written = note.trim() || null;
  return says.length + takesBack.length === 0 && written === null ? null : { says, takesBack, note: written };
}
