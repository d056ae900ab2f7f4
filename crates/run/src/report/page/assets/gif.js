// A game as an animated GIF, with a picture for each half-move.

/** The approximate width of the board in pixels. */
const WIDTH = 400;
const EDGE = 8;
/** The times for which a half-move, and the end of the game, are shown, in hundredths of a second. */
const SHOWN = [70, 400];
/** Colours of the ground and its lines. */
const FELT = [[47, 128, 96], [28, 90, 66]];
const WOOD = [[226, 181, 103], [110, 79, 28]];
const [BLACK, WHITE, RED] = [[22, 22, 22], [251, 251, 248], [179, 38, 30]];
/** Indices of colours. Those of a stone begin with two blends with the ground; then comes the stone's own colour. */
const [GROUND, LINE, STONES, MARK] = [0, 1, { X: 2, O: 5 }, 8];
/** The number of bits of a pixel. */
const BITS = 4;

function palette(discs) {
  const [ground, line] = discs ? FELT : WOOD;
  const edge = (stone) => [1, 2, 3].map((share) => stone.map((one, at) => Math.trunc((one * share + ground[at] * (3 - share)) / 3)));
  const colours = [ground, line, ...edge(BLACK), ...edge(WHITE), RED];
  return Uint8Array.from({ length: 3 << BITS, ...colours.flat() });
}

/** Compresses pixels for GIF (LZW): repeated runs get codes. The more codes there are, the more bits each code has. */
function compressed(pixels) {
  const [bytes, clear] = [[], 1 << BITS];
  let [held, count, width, codes] = [0, 0, BITS + 1, new Map()];
  const put = (code) => {
    held |= code << count;
    for (count += width; count >= 8; count -= 8) {
      bytes.push(held & 255);
      held >>= 8;
    }
  };
  put(clear);
  let run = pixels[0];
  for (let at = 1; at < pixels.length; at += 1) {
    const longer = (run << 8) | pixels[at];
    if (codes.has(longer)) {
      run = codes.get(longer);
      continue;
    }
    put(run);
    run = pixels[at];
    const next = clear + 2 + codes.size;
    if (next === 4096) {
      put(clear);
      [width, codes] = [BITS + 1, new Map()];
    } else {
      if (next === 1 << width) width += 1;
      codes.set(longer, next);
    }
  }
  put(run);
  put(clear + 1);
  return [...bytes, held];
}

const words = (...numbers) => numbers.flatMap((number) => [number & 255, number >> 8]);
const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));

/** Draws a game. `positions` has the stones of each position. */
export function animated({ size, discs, frames }, positions) {
  const cell = Math.floor(WIDTH / size);
  const end = EDGE + size * cell;
  // Discs are between the lines, but stones are on them.
  const first = discs ? EDGE : EDGE + cell / 2 - (cell % 2) / 2;
  const lines = new Set(Array.from({ length: discs ? size + 1 : size }, (_, line) => first + line * cell));
  const last = Math.max(...lines);
  const isOn = (along, across) => lines.has(along) && across >= first && across <= last;
  const ground = (x, y) => (isOn(x, y) || isOn(y, x) ? LINE : GROUND);
  const pixel = (stones, at, x, y) => {
    const [column, row] = [x, y].map((value) => Math.floor((value - EDGE) / cell));
    const stone = x >= EDGE && y >= EDGE && x < end && y < end ? stones[row * size + column] : ".";
    if (stone === ".") return ground(x, y);
    const away = Math.hypot(...[[x, column], [y, row]].map(([value, index]) => value + 0.5 - EDGE - (index + 0.5) * cell));
    if (at === row * size + column && away < cell * 0.13) return MARK;
    // The disc's share of the pixel, in thirds.
    const share = Math.round(3 * Math.min(1, Math.max(0, cell * 0.43 - away + 0.5)));
    return share ? STONES[stone] + share - 1 : ground(x, y);
  };
  const side = end + EDGE;
  const file = [Uint8Array.from([...ascii("GIF89a"), ...words(side, side), 0xf0 | (BITS - 1), 0, 0, ...palette(discs), 0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0])];
  positions.forEach((stones, ply) => {
    // Only the part that has changed is drawn.
    const changed = [...stones].flatMap((stone, at) => (stone !== positions[ply - 1]?.[at] || at === frames[ply].at || at === frames[ply - 1]?.at ? [at] : []));
    const part = (of) => (ply && changed.length ? [Math.min(...changed.map(of)), Math.max(...changed.map(of)) + 1].map((index) => EDGE + index * cell) : [0, ply ? 1 : side]);
    const [[left, right], [top, bottom]] = [part((at) => at % size), part((at) => Math.floor(at / size))];
    const pixels = Array.from({ length: (right - left) * (bottom - top) }, (_, index) =>
      pixel(stones, frames[ply].at, left + (index % (right - left)), top + Math.floor(index / (right - left))));
    const data = compressed(pixels);
    const delay = SHOWN[Number(ply === positions.length - 1)];
    file.push(Uint8Array.from([0x21, 0xf9, 4, 4, ...words(delay), 0, 0, 0x2c, ...words(left, top, right - left, bottom - top), 0, BITS]));
    for (let from = 0; from < data.length; from += 255) {
      const block = data.slice(from, from + 255);
      file.push(Uint8Array.from([block.length, ...block]));
    }
    file.push(Uint8Array.of(0));
  });
  return new Blob([...file, Uint8Array.of(0x3b)], { type: "image/gif" });
}
