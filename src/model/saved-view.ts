// The words of saved views.

/** The lists of a project that a view can show. */
export const viewTabs = ["traces", "spans", "sessions"] as const;
export type ViewTab = (typeof viewTabs)[number];
