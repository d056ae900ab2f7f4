// Fetches the data of pages from the server. A report contains its data, so packed.js replaces this module there.

/** Returns the JSON at an address; null if there is none. */
export async function get(url) {
  const answer = await fetch(url);
  return answer.ok ? answer.json() : null;
}

/** Stores a choice of the user. */
export function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
  if (name === "lang") location.reload();
}
