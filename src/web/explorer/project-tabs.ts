// The tabs of a project, in their order.

export const tabNames = ["traces", "spans", "sessions", "metrics", "config"] as const;
export type ProjectTab = (typeof tabNames)[number];
