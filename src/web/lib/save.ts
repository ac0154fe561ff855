// Hands a text to the browser as a file.

/** How long a browser may need to begin saving. */
const KEPT_MS = 60_000;

export function saveText(fileName: string, content: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName.replace(/[^\w.-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
