// What leads to the upload of a file; the rest comes with its dialog.

export const uploadsTexts = {
  "upload.new": "From a file",
  "upload.add": "Add from file",
} as const;
