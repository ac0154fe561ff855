// Why the identity of the server gave no token or keys.

/** Of the service that was asked, with its own message; or 403 for what is missing on this server. */
export class IdentityRefusedError extends Error {
  override readonly name = "IdentityRefusedError";
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}
