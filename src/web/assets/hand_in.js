// The page of a league's owner: sends a file to the server unchanged, with a progress bar.

import { inWords, post, text } from "/assets/app.js";
import { refresh } from "/assets/fresh.js";

const form = document.getElementById("hand-in");
const answer = document.getElementById("answer");
const sent = document.getElementById("sent");

/** Sends a file. `fetch` could not report the progress. */
function send(file, bot) {
  const request = new XMLHttpRequest();
  request.open("POST", `/own/hand-in?${new URLSearchParams({ bot, file: file.name })}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.setRequestHeader("x-arena-token", document.querySelector('meta[name="arena-token"]').content);
  request.upload.onprogress = ({ loaded, total }) => (sent.value = loaded / total);
  return new Promise((done) => {
    request.onloadend = () => {
      let response = null;
      try {
        response = JSON.parse(request.responseText);
      } catch {
        response = { why: request.responseText || text("said.lost") };
      }
      done({ ok: request.status === 200, response });
    };
    request.send(file);
  });
}

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
  sent.hidden = false;
  say("", false);
  const { ok, response } = await send(file, bot);
  button.disabled = false;
  sent.hidden = true;
  say(inWords(response.said ?? response.why), !ok);
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
