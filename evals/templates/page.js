"use strict";
const field = (id) => document.getElementById(id);
const cases = Array.from(document.querySelectorAll("article"));
function filter() {
  const wanted = field("text").value.toLowerCase();
  let shown = 0;
  for (const one of cases) {
    const fits = (!field("state").value || one.dataset.state === field("state").value)
      && (!field("tool").value || one.dataset.tool === field("tool").value)
      && (!field("tag").value || one.dataset.tags.split(" ").includes(field("tag").value))
      && (!wanted || one.textContent.toLowerCase().includes(wanted));
    one.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  field("count").textContent = `${shown} of ${cases.length}`;
}
for (const id of ["state", "tool", "tag", "text"]) field(id).addEventListener("input", filter);
field("filter").hidden = false;
filter();
