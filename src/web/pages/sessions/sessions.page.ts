// The list of sessions, with a session opened over it.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { sessionsTexts } from "./sessions.texts.ts";

const sessions = (): PageScript => import("./SessionsPage.tsx");

export const sessionPages = {
  pages: {
    sessions: { path: "/projects/{projectId}/sessions", load: sessions, projectTab: "pinned" },
    session: { path: "/projects/{projectId}/sessions/{sessionId}", load: sessions },
  },
  texts: sessionsTexts,
} as const satisfies PageDeclaration;
