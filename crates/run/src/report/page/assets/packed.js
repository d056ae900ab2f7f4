// The data of a report in one file. The pages and texts in all languages, the list of the games, and the games
// themselves are in the file, compressed and in base64.

const root = document.documentElement;

async function unpacked(id) {
  const packed = document.getElementById(`packed-${id}`)?.textContent.trim();
  if (!packed) return [];
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).text()).split("\n").filter(Boolean).map(JSON.parse);
}

const [inside] = await unpacked("pages");
/** The files with further games: the numbers of the first and the last game, and the address. */
export const parts = inside.parts ?? [];
/** The games of the list: number, players, points, reason, sides at fault, plies, opening. */
export const listed = await unpacked("list");
const games = new Map((await unpacked("games")).map((game) => [game.id, game]));
export const numbers = [...games.keys()];

/** The language and the theme that the user chose. Links carry them to other files, because files share no storage. */
const chosen = new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => ["lang", "theme"].includes(name)));
export const carried = () => (chosen.size ? `?${chosen}` : "");
if (chosen.has("theme")) root.dataset.theme = chosen.get("theme");
for (const kind of ["pointerdown", "click"]) {
  document.addEventListener(kind, ({ target }) => {
    const link = target.closest?.('a[href*=".html"]');
    if (link && link.protocol === location.protocol) link.search = carried();
  }, true);
}

const wanted = [chosen.get("lang"), ...navigator.languages.map((code) => code.split("-")[0])];
const spoken = inside.languages[wanted.find((code) => inside.languages[code]) ?? root.lang];
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
if (spoken.page) {
  const page = parsed(spoken.page);
  for (const part of page.querySelectorAll("body > *")) document.querySelector(`body > ${part.localName}${part.id && `#${part.id}`}`).replaceWith(part);
  root.lang = page.documentElement.lang;
  document.title = page.title;
}

/** Returns the content of a page of games: `game` or `pair`. */
export const screen = (name) => parsed(spoken[name]).getElementById("main").childNodes;

export function keep(name, value) {
  chosen.set(name, value);
  if (name !== "lang") return;
  const url = new URL(location.href);
  for (const [name, value] of chosen) url.searchParams.set(name, value);
  location.replace(url);
}

/** Returns the texts of the page's language, or a game by its number; null if the game is not in this file. */
export async function get(what) {
  if (String(what).startsWith("/texts/")) return spoken;
  return games.has(Number(what)) ? view(games.get(Number(what))) : null;
}

const STEPS = [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]];

/** Returns the discs that a disc of `own` on square `at` flips. */
function flips(stones, size, at, own) {
  const [row, column] = [Math.floor(at / size), at % size];
  const turned = STEPS.flatMap(([down, right]) => {
    const line = [];
    for (let r = row + down, c = column + right; r >= 0 && c >= 0 && r < size && c < size; r += down, c += right) {
      const stone = stones[r * size + c];
      if (stone === ".") return [];
      if (stone === own) return line;
      line.push(r * size + c);
    }
    return [];
  });
  return turned.sort((one, other) => one - other);
}

/** Returns the game as a server describes it: with a position for each half-move. */
function view({ moves, columns, more, left, ...game }) {
  const { size, discs } = game;
  const stones = [...game.start];
  const legal = (to) => {
    const squares = stones.flatMap((stone, at) => {
      const turned = stone === "." ? flips(stones, size, at, "XO"[to]) : [];
      return turned.length ? [[at, turned]] : [];
    });
    // Before the end of the game, a player without a move passes. At the end, no player moves.
    return discs && (squares.length || !game.over || frames.length < all.length) ? squares : undefined;
  };
  const frame = (ply) => ({ to: ply % 2, ...(ply < game.opening ? {} : { legal: legal(ply % 2), left }), ...more[ply] });
  const all = moves ? moves.split(" ") : [];
  const frames = [];
  frames.push(frame(0));
  for (const [index, played] of all.entries()) {
    const by = more[index + 1]?.by ?? index % 2;
    const at = played === "pass" ? undefined : (Number(played.slice(1)) - 1) * size + played.charCodeAt(0) - 97;
    const turned = discs && at !== undefined ? flips(stones, size, at, "XO"[by]) : [];
    for (const square of at === undefined ? [] : [at, ...turned]) stones[square] = "XO"[by];
    const reported = (name) => columns[name]?.[index - game.opening];
    const thought = { forced: (reported("wall") ?? null) === null, pv: reported("pv")?.split(" ") ?? [] };
    for (const name of ["wall", "cpu", "depth", "score", "nodes"]) thought[name] = reported(name);
    const player = more[index + 1]?.player ?? by;
    if (left && index >= game.opening) left = left.with(player, reported("left") ?? left[player]);
    frames.push({ played, at, by, flips: turned, thought: index < game.opening ? undefined : thought, ...frame(index + 1) });
  }
  return { ...game, frames };
}
