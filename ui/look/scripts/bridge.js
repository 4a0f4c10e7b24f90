// The two ways between the browser and Python: hidden fields of Gradio's, see ui/look/hidden.py.

const waiting = [];

/** Send an action to Python; before Gradio is there, as soon as it is. */
export function send(name, fields = {}) {
  waiting.push([name, fields]);
  flush();
}

/** Call `react` with the JSON of every signal that Python draws into `id`; an older one that comes back is none. */
export function watchJson(id, react) {
  let latest = -1;
  watch(id, (place) => {
    const drawn = place.querySelector("[data-json]");
    const signal = drawn && JSON.parse(drawn.dataset.json);
    if (!signal || signal.turn <= latest) return;
    latest = signal.turn;
    react(signal);
  });
}

/** Call `react` with the element `id` whenever its content has changed. */
export function watch(id, react) {
  let shown;
  whenever(() => {
    const place = document.getElementById(id);
    const drawn = place?.innerHTML;
    if (!place || drawn === shown) return;
    shown = drawn;
    react(place);
  });
}

const looks = new Set();
let isPlanned = false;

/** Call `look` after changes of the document, at most once a frame. */
export function whenever(look) {
  looks.add(look);
  look();
}

function changed() {
  if (isPlanned) return;
  isPlanned = true;
  queueMicrotask(() => {
    isPlanned = false;
    flush();
    for (const look of looks) look();
  });
}

function flush() {
  while (waiting.length > 0) {
    const [name, fields] = waiting[0];
    const text = document.querySelector(`#action-${name}-payload textarea`);
    const button = document.getElementById(`action-${name}`);
    if (!text || !button) return;
    waiting.shift();
    text.value = JSON.stringify(fields);
    text.dispatchEvent(new InputEvent("input", { bubbles: true }));
    button.click();
  }
}

new MutationObserver(changed).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true,
});
