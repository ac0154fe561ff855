// Runs before the first paint, alone: sets the theme that was chosen here, so that no page flashes in the other one.
import { applyTheme, chosenTheme } from "./lib/theme.ts";

applyTheme(chosenTheme());
