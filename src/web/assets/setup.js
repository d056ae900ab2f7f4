// The choice of a game: sizes, rules and bots depend on the game.

import { make, openPage, text, word } from "/assets/app.js";

const form = document.getElementById("setup");
const fields = form.elements;

const chosen = () => form.querySelector('input[name="game"]:checked');

function fit() {
  const { sizes, size, rules, openings } = chosen().dataset;
  const options = (words, usual, shown) => words.split(" ").map((value) => make("option", { value, selected: value === usual }, shown(value)));
  fields.size.replaceChildren(...options(sizes, size, (value) => `${value}×${value}`));
  fields.rules.replaceChildren(...options(rules, rules.split(" ")[0], (value) => word("rules", value)));
  fields.opening.replaceChildren(...options(openings, "none", (value) => word("opening", value)));
  for (const [select, all] of [[fields.size, sizes], [fields.rules, rules], [fields.opening, openings]]) select.closest("label").hidden = !all.includes(" ");
  for (const option of fields.bot.options) {
    const plays = !option.dataset.games || option.dataset.games.split(" ").includes(chosen().value);
    option.hidden = option.disabled = !plays;
  }
  if (fields.bot.selectedOptions[0]?.disabled) {
    fields.bot.value = [...fields.bot.options].find((option) => option.value && !option.disabled)?.value ?? "";
  }
}

form.addEventListener("change", (event) => event.target.name === "game" && fit());
fit();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector('button[type="submit"]');
  button.disabled = true;
  const bot = fields.bot.value === "" ? null : Number(fields.bot.value);
  const isBlack = form.querySelector('input[name="colour"]:checked').value === "black";
  const { run, number, ply } = form.dataset;
  await openPage("/play", {
    game: chosen().value,
    rules: fields.rules.value,
    opening: fields.opening.value === "none" ? null : fields.opening.value,
    size: Number(fields.size.value),
    seats: isBlack ? [null, bot] : [bot, null],
    move_ms: Number(fields.time.value),
    people_too: fields.people.checked,
    from: number ? { run, game: Number(number), ply: Number(ply) } : null,
  }, (why) => (document.getElementById("message").textContent = why));
  button.disabled = false;
});

// Loads a game from a file, or from the text that the user entered.
const load = document.getElementById("load");
load.addEventListener("submit", async (event) => {
  event.preventDefault();
  const message = document.getElementById("load-message");
  const [file, written] = [load.elements.file.files[0], load.elements.text.value.trim()];
  if (file && file.size > 250000) {
    message.textContent = text("load.long");
    return;
  }
  await openPage("/load", { text: file ? await file.text() : written }, (why) => (message.textContent = why));
});
