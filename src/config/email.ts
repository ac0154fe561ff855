// Which texts are e-mail addresses that a person can be reached at.

// Letters and digits of every script: addresses and host names need not be ASCII.
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?=\\p{L})(?=..)${LABEL}$`, "u");
/** Top-level names under which no mail is delivered (RFC 6761 and its successors). */
const SPECIAL_USE = /(?:^|\.)(?:arpa|invalid|local|localhost|onion|test)$/;

const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_BYTES = 253;

/** Whether the text has the form of an address with a dotted host; nothing is looked up. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  return (
    local.length <= MAX_LOCAL_BYTES &&
    domain.length <= MAX_DOMAIN_BYTES &&
    LOCAL_PART.test(local) &&
    DOMAIN.test(domain) &&
    at > 0
  );
}

/** Whether mail for the address can leave the machine. */
export function isDeliverableEmail(text: string): boolean {
  return isEmail(text) && !SPECIAL_USE.test(text.slice(text.lastIndexOf("@") + 1).toLowerCase());
}
