// Labels: words that all things of a kind share, datasets or prompts, and by which these are found. And what a kind of labels is.
import type { Failure } from "../../../kernel/failure.ts";

export interface LabelWords {
  readonly name: string;
  readonly description: string | null;
  /** `#` and six digits of a hexadecimal number. */
  readonly color: string;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
}

export interface LabelTables {
  readonly labels: "dataset_labels" | "prompt_labels";
  /** Which of the things have which labels. */
  readonly uses: "dataset_label_uses" | "prompts_prompt_labels";
  /** The column of the things in `uses`. */
  readonly owner: "dataset_id" | "prompt_id";
  /** The table of the things, where one that is being deleted stays for a while and no longer counts. */
  readonly deletingOwners: "datasets" | null;
  /** Whether the author of a label is kept. */
  readonly hasAuthor: boolean;
  /** The order of the labels of one thing. */
  readonly order: "newest" | "name";
}

/** `Key`: how callers name labels and the things that have them. */
export interface LabelKind<Key> extends LabelTables {
  /** Throws for what cannot be the key of a label. */
  rowIdOf(label: Key): number;
  nameTaken(name: string): Failure;
  notFound(label: Key): Failure;
  ownerNotFound(owner: Key): Failure;
  /** For a label that is to be deleted and is not there; null lets it pass. */
  readonly gone: ((label: Key) => Failure) | null;
  /** For a label that is to be taken from a thing that does not have it; null lets it pass. */
  readonly notCarried: ((label: Key) => Failure) | null;
}
