// What the pages beside the chat do with a script: copy a new key, choose a month at once, renew what is live.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  });
}

const live = document.querySelector("[data-live]");
if (live) {
  setInterval(async () => {
    if (document.hidden) return;
    const reply = await fetch(location.href).catch(() => null);
    if (!reply?.ok) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[data-live]");
    if (fresh) live.replaceChildren(...fresh.childNodes);
  }, Number(live.dataset.live) * 1000);
}
