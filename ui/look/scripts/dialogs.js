// Windows above the page: the question before a deletion, the picture in full, the list of keys, menus.

const byId = (id) => document.getElementById(id);

export function startDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) open(byId(opener.dataset.dialog));
    if (event.target instanceof HTMLDialogElement) event.target.close("");
  });
  for (const menu of document.querySelectorAll(".menu")) {
    menu.addEventListener("toggle", (event) => place(menu, event.newState));
    menu.addEventListener("click", () => menu.hidePopover());
  }
}

export function open(dialog) {
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
}

/** Whether the reader really wants to delete the conversation `title`. */
export function ask(title) {
  const dialog = byId("confirm");
  const text = byId("confirm-text");
  text.textContent = text.dataset.words.replace("{title}", () => title);
  return confirmed(dialog);
}

/** What the reader finds wrong with an answer; nothing where they keep it to themselves. */
export async function askOpinion() {
  const box = byId("opinion-text");
  box.value = "";
  return (await confirmed(byId("opinion"))) ? box.value.trim() : "";
}

function confirmed(dialog) {
  open(dialog);
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}

/** Show a picture in full; `link` is its download. */
export function showPicture(source, alt, link) {
  const full = byId("picture-full");
  full.src = source;
  full.alt = alt;
  byId("picture-words").textContent = alt;
  const download = byId("picture-download");
  download.href = link?.href ?? source;
  download.download = link?.download ?? "";
  open(byId("picture"));
}

/** A menu opens beside the button that it belongs to, inside the window. */
function place(menu, state) {
  if (state !== "open") return;
  const button = document.querySelector(`[popovertarget="${menu.id}"]`).getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  const isBelow = button.bottom + box.height + 8 < innerHeight;
  const left = Math.max(8, Math.min(button.left, innerWidth - box.width - 8));
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? button.bottom + 4 : Math.max(8, button.top - box.height - 4)}px`;
  menu.querySelector("a").focus();
}
