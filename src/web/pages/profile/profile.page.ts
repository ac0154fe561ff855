// The profile of the current user. Its texts are those of accounts (`texts/en/account.ts`).
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";

export const profilePage = {
  pages: { profile: { path: "/profile", load: (): PageScript => import("./ProfilePage.tsx") } },
} as const satisfies PageDeclaration;
