// SPDX-License-Identifier: MIT
// Files as the page gets them: chosen, or dropped, perhaps in folders.
import { element } from "./panel.js";

export interface NamedFile {
  /** With the folders that were dropped with it. */
  name: string;
  bytes: Uint8Array;
}

export const text_of = (file: NamedFile) => new TextDecoder().decode(file.bytes);
export const last_name = (path: string) => path.split(/[\\/]/).at(-1)!;
/** "obj" of "a.OBJ"; what is gzipped is unpacked before anybody asks. */
export const ending = (name: string) => /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

/** Whenever files are chosen or dropped on the page. */
export function connect_files(open: (reading: Promise<NamedFile[]>) => void): void {
  element<HTMLInputElement>("open").onchange = (event) => {
    const input = event.target as HTMLInputElement;
    const chosen = Array.from(input.files ?? [], (file) => named(file));
    input.value = "";
    if (chosen.length > 0) open(Promise.all(chosen));
  };
  for (const name of ["dragover", "drop", "dragleave"] as const)
    document.body.addEventListener(name, (event) => {
      event.preventDefault();
      element("stage").classList.toggle("drop", name === "dragover");
      if (name === "drop" && event.dataTransfer?.files.length) open(dropped(event.dataTransfer));
    });
}

const most_bytes = 1 << 30; // of an unpacked file

/** Gzipped files lose their last ending and are as they were. Throws an error that names the file. */
async function named(file: File, name = file.name): Promise<NamedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!/\.gz$/i.test(name)) return { name, bytes };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > most_bytes) throw new Error("too large");
      parts.push(part.value);
    }
  } catch (error) {
    const why = size > most_bytes ? "is larger than 1 GiB when it is unpacked" : "is no gzipped file, or was cut off";
    throw new Error(`${name}: ${why}`, { cause: error });
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return { name: name.replace(/\.gz$/i, ""), bytes: out };
}

const most_files = 10_000; // somebody's whole disk is dropped by accident only

type Found = { file: File; name: string }[];

/** All files of a drop, those in folders, too. To be called before anything is awaited: a drop is then forgotten. */
async function dropped(data: DataTransfer): Promise<NamedFile[]> {
  const items = Array.from(data.items).filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const files: Found = [];
  if (!entries.some((entry) => entry?.isDirectory)) {
    files.push(...Array.from(data.files, (file) => ({ file, name: file.name })));
  } else if ("getAsFileSystemHandle" in DataTransferItem.prototype) {
    // Chromium: entries of a page that was itself opened as a file may not be read, handles may.
    const handles = items.map((item) => (item as DataTransferItem & { getAsFileSystemHandle(): Promise<FileSystemHandle | null> }).getAsFileSystemHandle());
    for (const handle of await Promise.all(handles)) if (handle) await read_handle(handle, "", files);
  } else {
    for (const entry of entries) if (entry) await read_entry(entry, "", files);
  }
  return Promise.all(files.map(({ file, name }) => named(file, name)));
}

function add(file: File, name: string, files: Found): void {
  if (files.length >= most_files) throw new Error(`${name}: more than ${most_files} files; drop fewer`);
  files.push({ file, name });
}

async function read_handle(handle: FileSystemHandle, folder: string, files: Found): Promise<void> {
  const name = folder + handle.name;
  if (handle.kind === "file") return add(await (handle as FileSystemFileHandle).getFile(), name, files);
  const inside = handle as FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> };
  for await (const one of inside.values()) await read_handle(one, `${name}/`, files);
}

async function read_entry(entry: FileSystemEntry, folder: string, files: Found): Promise<void> {
  const name = folder + entry.name;
  if (entry.isFile)
    return add(await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)), name, files);
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A hundred at a time, until there are none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return;
    for (const one of some) await read_entry(one, `${name}/`, files);
  }
}
