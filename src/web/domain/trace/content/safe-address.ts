// Addresses out of messages: only those of the web and of mail are followed.

/** The host of a web address; null for every other scheme. */
export function hostOf(address: string): string | null {
  try {
    const url = new URL(address);
    return /^https?:$/.test(url.protocol) ? url.host : null;
  } catch {
    return null;
  }
}

/** An address that a link may have; null for scripts, data, and addresses inside our own pages. */
export function safeAddress(address: string): string | null {
  return hostOf(address) !== null || /^mailto:[^\s]+@[^\s]+$/i.test(address) ? address : null;
}
