// Saved views: the record that services hand around.
import type { TypeWord } from "../../../kernel/ids.ts";
import type { ViewTab } from "../../../model/saved-view.ts";

/** Type word of the global ids of saved views. */
export const SAVED_VIEW: TypeWord<SavedView> = "SavedView";

export interface SavedView {
  readonly id: number;
  readonly projectId: number;
  /** The only one who sees it; null for everybody. */
  readonly privateTo: number | null;
  /** Who saved it; null without authentication, and once that account is gone. */
  readonly userId: number | null;
  readonly name: string;
  readonly tab: ViewTab;
  /** As `viewQuery` writes it. */
  readonly query: string;
  /** The project opens with it; one of a project at most, and never a private one. */
  readonly isStart: boolean;
  /** Microseconds UTC. */
  readonly createdUs: number;
  readonly updatedUs: number;
}

export interface ViewChanges {
  readonly name?: string;
  readonly tab?: ViewTab;
  readonly query?: string;
}

export interface NewView extends Required<ViewChanges> {
  /** For everybody, else for the caller alone. */
  readonly isShared: boolean;
}

export type ViewPatch = Partial<NewView>;
