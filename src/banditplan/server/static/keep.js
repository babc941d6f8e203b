// What was typed and chosen, kept over a reload in this tab, and shared as a link: the fragment of an address, which
// browsers do not send to any server.

const KEY = "banditplan";
const PREFIX = "#task=";
export const LONGEST = 30_000; // characters of a link: more is cut by some programs through which links are sent
const LARGEST = 4 << 20; // characters of the texts that a link may stand for

export function remember(state) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    sessionStorage.removeItem(KEY); // too much for the browser: better nothing than something older
  }
}

export function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

// The address of the page with the state in it; throws an Error that says why not.
export async function link(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  const text = btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), "")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const made = `${location.origin}${location.pathname}${PREFIX}${text}`;
  if (made.length > LONGEST) throw new Error(`the task is too large for a link: ${made.length.toLocaleString("en")} characters, and ${LONGEST.toLocaleString("en")} are the most; share its files instead`);
  return made;
}

// The state in the address of the page, or null if there is none; throws an Error if it is damaged.
export async function shared() {
  if (!location.hash.startsWith(PREFIX)) return null;
  try {
    const text = atob(location.hash.slice(PREFIX.length).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    const state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof state?.domain !== "string" || typeof state?.problem !== "string") throw new Error("no task");
    return state;
  } catch {
    throw new Error("the link is damaged or was cut: there is no task in it");
  }
}

async function through(stream, bytes) {
  const chunks = [];
  let size = 0;
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  for (const reader = piped.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) throw new Error("too large");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
