// Conversations from a file: chosen here, taken by the gateway, told by Python.

import { send } from "./bridge.js";

const byId = (id) => document.getElementById(id);

export function startImport() {
  const file = byId("import-file");
  byId("import").addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen) send("imported", await give(chosen));
    file.value = "";
  });
}

/** What the gateway answered, or nothing where it cannot be reached. */
async function give(chosen) {
  const headers = { "content-type": "application/json" };
  try {
    const reply = await fetch("/api/import", { method: "POST", headers, body: chosen });
    return await reply.json();
  } catch {
    return {};
  }
}
