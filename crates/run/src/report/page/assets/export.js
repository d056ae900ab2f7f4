// Saves the board as SVG with its own colours or as PNG, and a game as GIF or SGF.

import { animated } from "/assets/gif.js";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "opacity", "display", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];

/** Returns the board as SVG text that needs no style sheet. */
export function svgText(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) to[index].setAttribute(name, value);
    }
    for (const name of ["class", "tabindex", "role", "aria-label"]) to[index].removeAttribute(name);
  });
  for (const hidden of copy.querySelectorAll('[display="none"], [opacity="0"]')) hidden.remove();
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return new XMLSerializer().serializeToString(copy);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const saveSvg = (svg, name) => save(new Blob([svgText(svg)], { type: "image/svg+xml" }), `${name}.svg`);
export const saveGif = (view, positions, name) => save(animated(view, positions), `${name}.gif`);

/** Saves the board as PNG, twice as large as on the page. */
export async function savePng(svg, name) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  save(await new Promise((done) => canvas.toBlob(done, "image/png")), `${name}.png`);
}

/** Saves a game as SGF. `sgf` has the text before the moves and the number of half-moves before the first saved one. */
export function saveSgf({ sgf: [head, before], frames, discs }, name) {
  const letter = (index) => String.fromCharCode(97 + index);
  const point = (played) => (discs ? played : letter(played.charCodeAt(0) - 97) + letter(Number(played.slice(1)) - 1));
  const moves = frames.slice(before + 1).map(({ played, by, thought }, index) => {
    const value = thought?.score ?? null;
    const reported = `${value === null ? "" : `V[${by ? -value : value}]`}${thought?.wall ? `C[${thought.wall} ms]` : ""}`;
    return `${index % 8 ? "" : "\n"};${"BW"[by]}[${played === "pass" ? "PA" : point(played)}]${reported}`;
  });
  save(new Blob([`${head}${moves.join("")})\n`], { type: "application/x-go-sgf" }), `${name}.sgf`);
}
