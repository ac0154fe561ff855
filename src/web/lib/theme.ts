// Light, dark or as the system wishes; kept per browser. The attribute on the root element is what the tokens look at.

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "spanlight.theme";
const DARK = "(prefers-color-scheme: dark)";

export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return themes.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

export function applyTheme(theme: Theme): void {
  const dark = theme === "dark" || (theme === "system" && matchMedia(DARK).matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing still shows the theme until the page is left.
  }
  applyTheme(theme);
}

/** Follows the system while that is the choice. */
export function followSystemTheme(): void {
  matchMedia(DARK).addEventListener("change", () => applyTheme(chosenTheme()));
}
