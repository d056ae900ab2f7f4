// What phrases.js makes of texts, and how many characters it searches for that: pages.js PHRASES-SCRIPT, beside
// phrases.json, which holds the phrases.
const assert = require("assert"), fs = require("fs"), vm = require("vm");
const phrases = JSON.parse(fs.readFileSync("phrases.json", "utf8"));
let searched = 0;
for (const name of ["indexOf", "startsWith", "endsWith", "split", "match"]) {
  const own = String.prototype[name];
  String.prototype[name] = function (...all) {
    const found = own.apply(this, all);
    searched += name === "indexOf" ? (found < 0 ? this.length : found) - (all[1] ?? 0) : name === "split" ? this.length : all[0].length;
    return found;
  };
}
vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"));
globalThis.said = phraseBook(phrases);
const told = (text) => {
  globalThis.text = text;
  return vm.runInThisContext("said(text)", { timeout: 20000 });
};

for (const [text, expected] of [
  ["what happened: why: arena analyze results/mine", "经过见 原因：arena analyze results/mine"],
  ["lost normally: games 3, 4", "正常输棋：第 3, 4 局"],
  ["games and more", null],
  ["why: arena analyze results/mine", "原因：arena analyze results/mine"],
  ["who knows what this is", null],
])
  assert.strictEqual(told(text) ?? null, expected, text);

// Pieces of phrases, over and over: there are very many ways to cut these at their values.
const many = Object.keys(phrases).filter((english) => english.split("{").length > 3);
const pieces = (english, length) => {
  const all = english.split("{").map((piece) => piece.split("}").at(-1)).filter((piece) => piece);
  const room = Math.floor(length / all.length);
  return all.map((piece) => piece.repeat(Math.floor(room / piece.length)) + "x").join("");
};
const hostile = [4900, 100000].flatMap((length) => many.map((english) => pieces(english, length)));
assert(hostile.length > 20);
hostile.push("illegal-move: ; ".repeat(1000), " of ".repeat(25000), " ".repeat(100000) + "x");
for (const text of hostile) {
  searched = 0;
  told(text);
  assert(searched < 5_000_000, `${searched} characters of ${text.slice(0, 200)}`);
}
