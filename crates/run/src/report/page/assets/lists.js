// Lists of runs and of hand-ins: the server updates them, a search filters them, and a click on a title
// sorts them.

import { connected, make } from "/assets/app.js";
import { boards, refresh } from "/assets/fresh.js";

const root = document.getElementById("fresh");
/** The chosen column of the sorted table, and its direction. */
let order = null;

const value = (cell) => {
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(text);
  return text === "" ? -Infinity : Number.isNaN(number) ? text : number;
};

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), document.documentElement.lang, { numeric: true });
}

function sort(table) {
  if (!order) return;
  const [titles, body] = [table.tHead.rows[0].cells, table.tBodies[0]];
  for (const title of titles) title.removeAttribute("aria-sort");
  titles[order.column].setAttribute("aria-sort", order.down ? "descending" : "ascending");
  const rows = [...body.rows].sort((one, other) => {
    const [first, second] = [one, other].map((row) => value(row.cells[order.column]));
    return order.down ? compare(second, first) : compare(first, second);
  });
  body.append(...rows);
}

/** Turns the titles of sortable tables into buttons, and sorts the tables as before. */
function prepare() {
  for (const table of root.querySelectorAll("table[data-sort]")) {
    for (const [column, title] of [...table.tHead.rows[0].cells].entries()) {
      const choose = () => {
        // The first click sorts numbers from the largest, and names from A.
        const down = title.classList.contains("number");
        order = { column, down: order?.column === column ? !order.down : down };
        sort(table);
      };
      title.replaceChildren(make("button", { type: "button", click: choose }, ...title.childNodes));
    }
    sort(table);
  }
}

async function again(asked) {
  if (await refresh(root, asked)) prepare();
}

/** Returns false if the server counts changes and reports none. A long list is then not fetched again. */
async function hasChanged() {
  if (!root.dataset.changes) return true;
  try {
    const now = await (await fetch(root.dataset.changes)).text();
    connected(root, true);
    return now !== root.dataset.version;
  } catch {
    connected(root, false);
    return false;
  }
}

async function follow() {
  const every = Number(root.dataset.every);
  if (!every) return;
  await new Promise((resolve) => setTimeout(resolve, every));
  if (!document.hidden && (await hasChanged())) await again();
  follow();
}

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const words = search.elements.search.value;
  history.replaceState(null, "", words ? `/?search=${encodeURIComponent(words)}` : "/");
  again(true);
});
search?.addEventListener("submit", (event) => event.preventDefault());

if (root) {
  boards(root);
  prepare();
  follow();
}
