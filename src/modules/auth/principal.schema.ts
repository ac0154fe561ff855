// Who asks. Every service method gets one with its call context; the policy decides on it.

export type Principal =
  /** Authentication is switched off: every gate is open and nobody is named as author. */
  | { readonly kind: "open" }
  /** No credential, or none that was accepted. */
  | { readonly kind: "anonymous" }
  | { readonly kind: "user"; readonly userId: number; readonly role: "ADMIN" | "MEMBER" | "VIEWER" }
  /** A system API key. */
  | { readonly kind: "system" }
  /** The bearer of SERVICE_ADMIN_SECRET. */
  | { readonly kind: "admin_secret" };

export const openPrincipal: Principal = { kind: "open" };
