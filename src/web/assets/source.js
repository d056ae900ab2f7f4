// Where the pages' data come from: the server. A file has its data inside: packed.js.

/** Returns the JSON at an address; null if there is none. */
export async function get(url) {
  const answer = await fetch(url);
  return answer.ok ? answer.json() : null;
}

/** Keeps a choice of the user. */
export function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
  if (name === "lang") location.reload();
}
