// Reads a JSON list of formulas from standard input; prints a JSON list of what KaTeX says of each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const katex = createRequire(process.argv[2] + "/")("katex");
const verdict = (formula) => {
  try {
    katex.renderToString(formula, { throwOnError: true, strict: "ignore" });
    return "ok";
  } catch (error) {
    return error.message;
  }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(verdict)));
