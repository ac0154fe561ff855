// What administrators look after: users, API keys and secrets.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { administrationTexts } from "./administration.texts.ts";

export const administrationPages = {
  pages: {
    users: {
      path: "/settings/users",
      load: (): PageScript => import("./UsersPage.tsx"),
      settingsTab: "accounts",
    },
    apiKeys: {
      path: "/settings/api-keys",
      load: (): PageScript => import("./ApiKeysPage.tsx"),
      settingsTab: "accounts",
    },
    secrets: {
      path: "/settings/secrets",
      load: (): PageScript => import("./SecretsPage.tsx"),
      settingsTab: "administrators",
    },
  },
  texts: administrationTexts,
  entities: {
    users: ["user", "viewer"],
    apiKeys: ["systemApiKeys", "userApiKeys", "apiKeyCount"],
    secrets: ["modelProviders"],
  },
} as const satisfies PageDeclaration;
