// The page of a league's owner: sends a file to the server unchanged.

import { inWords, post, text } from "/assets/app.js";
import { refresh } from "/assets/fresh.js";

const form = document.getElementById("hand-in");
const answer = document.getElementById("answer");

function say(what, isWrong) {
  answer.textContent = what;
  answer.className = isWrong ? "error" : "done";
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [bot, file] = [form.elements.bot.value.trim(), form.elements.file.files[0]];
  if (file.size > Number(form.dataset.largest)) {
    say(text("league.too-large"), true);
    return;
  }
  const button = form.querySelector("button");
  button.disabled = true;
  say("", false);
  const { ok, data } = await post(`/own/hand-in?${new URLSearchParams({ bot, file: file.name })}`, file);
  button.disabled = false;
  say(ok ? inWords(data.said) : data?.why ?? text("said.lost"), !ok);
  if (ok) {
    form.elements.file.value = "";
    refresh(document.getElementById("fresh"));
  }
});

// A file dropped anywhere on the page becomes the chosen file; the browser does not open it.
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  if (form && event.dataTransfer.files.length) form.elements.file.files = event.dataTransfer.files;
});

document.getElementById("leave").addEventListener("click", async () => {
  await post("/own/leave");
  location.href = "/";
});
