// The one setting of authentication that is read while authentication is not built: to start without it, although it was
// asked for, would leave the service open.
import { boolean, refused, type Setting } from "./setting.ts";

const row = { name: "SERVICE_ENABLE_AUTH", default: false, meaning: "Not built yet: `true` stops the start." } as const;
const plain = boolean(row);

const enabled: Setting<boolean> = {
  ...plain,
  parse: (text) => {
    const parsed = plain.parse(text);
    if (!parsed.ok || !parsed.value) return parsed;
    return refused(
      "authentication is not built yet; starting without it would leave the service open",
      `unset ${row.name} to run without authentication.`,
    );
  },
};

export const authenticationSettings = { enabled } as const;
