// The project that was open last here: where the front address leads.
import { createPreference } from "./preferences.ts";

export const lastProjectPreference = createPreference<string | null>("last-project", null);
