// The pages of those who are not signed in.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";

export const signInPages = {
  pages: {
    login: { path: "/login", isPublic: true, load: (): PageScript => import("./LoginPage.tsx") },
    signedOut: { path: "/logout", isPublic: true, load: (): PageScript => import("./SignedOutPage.tsx") },
    forgotPassword: {
      path: "/forgot-password",
      isPublic: true,
      load: (): PageScript => import("./ForgotPasswordPage.tsx"),
    },
    newPassword: { path: "/reset-password", isPublic: true, load: (): PageScript => import("./NewPasswordPage.tsx") },
    newPasswordByLink: {
      path: "/reset-password-with-token",
      isPublic: true,
      load: (): PageScript => import("./NewPasswordByLinkPage.tsx"),
    },
  },
} as const satisfies PageDeclaration;
